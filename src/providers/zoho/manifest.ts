import { type Answer, get, type Manifest, type TokenAnswer } from "../../provider-kit/index.ts";
import { hooks } from "./hooks.ts";

const hostOf = (address: unknown) => URL.parse(String(address))?.host ?? "";

export default {
  id: "zoho",
  name: "Zoho CRM",
  docs: "https://www.zoho.com/crm/developer/docs/api/v8/",
  notes: [
    "An account belongs to one data center. A user who starts at the wrong one is sent to the right one.",
    "Zoho issues at most 10 access tokens in 10 minutes.",
    "A list has at most 100,000 records: Zoho returns no more, and one that has more ends with an error. With `updated_since`, only the changed ones count.",
    "A search (`query`) returns at most 2,000 contacts. Connections from before it was supported lack its scope, `ZohoSearch.securesearch.READ`, until they are connected again.",
    "Custom fields are described with the scope `ZohoCRM.settings.fields.READ`, which connections from before they were supported lack until they are connected again. Up to 40 of a record are read.",
    "The `currency` of a deal is null in organizations with one currency.",
    "A new contact needs a `last_name`. Writing one runs the organization's workflows, as in Zoho itself.",
    "Webhooks, for events within seconds, need the scope `ZohoCRM.notifications.ALL`, which connections from before they were supported lack until they are connected again. They are replaced every day, because they expire.",
  ],
  addresses: {
    api: "https://{api_domain}/crm/v8",
    authorize: "https://accounts.{domain}/oauth/v2/auth",
    token: "https://accounts.{domain}/oauth/v2/token",
    revoke: "https://accounts.{domain}/oauth/v2/token/revoke",
  },
  // An account belongs to one data center and is unknown in all others.
  // https://www.zoho.com/crm/developer/docs/api/v8/multi-dc.html
  settings: {
    domain: {
      label: "Zoho domain",
      hint: "The end of your Zoho address: zoho.eu in crm.zoho.eu",
      placeholder: "zoho.com",
      pattern: String.raw`zoho\.(?:com|com\.au|com\.cn|eu|in|jp|sa|uk)|zohocloud\.ca`,
    },
    api_domain: {
      label: "Zoho API domain",
      hint: "The `api_domain` of the token response, without https://",
      placeholder: "www.zohoapis.com",
      pattern: String.raw`(?:www|sandbox|developer)\.zohoapis\.(?:com|com\.au|com\.cn|eu|in|jp|sa|uk|ca)`,
      askedWith: [],
    },
  },
  auth: {
    // https://www.zoho.com/crm/developer/docs/api/v8/oauth-overview.html
    oauth2: {
      app: {
        url: "https://api-console.zoho.com/",
        steps: [
          "Add a client of the type **Server-based Applications** with the redirect URL under **Authorized Redirect URIs**.",
          "On the **Settings** tab, use the same OAuth credentials for all data centers: otherwise only accounts of one data center can be connected.",
          "Copy the client ID and the client secret.",
        ],
      },
      authorize: "authorize",
      token: "token",
      scopes: [
        "ZohoCRM.modules.contacts.READ",
        "ZohoCRM.modules.contacts.CREATE",
        "ZohoCRM.modules.contacts.UPDATE",
        "ZohoCRM.modules.accounts.READ",
        "ZohoCRM.modules.deals.READ",
        "ZohoCRM.settings.fields.READ",
        "ZohoCRM.users.READ",
        "ZohoCRM.notifications.ALL",
        "ZohoSearch.securesearch.READ",
      ],
      scopeDelimiter: ",",
      // Without `prompt`, only the first consent returns a refresh token.
      authorizeParameters: { access_type: "offline", prompt: "consent" },
      lifetime: 3600,
      // A user who starts at the wrong data center is sent to the right one, and returns with its address.
      // https://www.zoho.com/accounts/protocol/oauth/multi-dc/client-authorization.html
      readRedirect: (parameters) => ({
        domain: hostOf(parameters.get("accounts-server")).replace(/^accounts\./, ""),
      }),
      readToken: ({ access_token, refresh_token, expires_in, api_domain }: TokenAnswer & { api_domain: string }) => ({
        access_token,
        refresh_token,
        expires_in,
        settings: { api_domain: hostOf(api_domain) },
      }),
      // https://www.zoho.com/crm/developer/docs/api/v8/revoke-tokens.html
      revoke: ({ credentials }) => ({
        ...get("", { token: credentials.refresh_token ?? credentials.token }, {}, { to: "revoke" }),
        method: "POST",
      }),
    },
  },
  // https://www.zoho.com/crm/developer/docs/api/v8/access-refresh.html
  authorization: ({ token = "" }) => ({ headers: { authorization: `Zoho-oauthtoken ${token}` } }),
  check: get("/users", { type: "CurrentUser" }),
  hooks,
  failed({ status, body }: Answer<{ data?: { status?: unknown }[]; watch?: { status?: unknown }[] } | null>) {
    // A list of which nothing was modified since a time.
    // https://www.zoho.com/crm/developer/docs/api/v8/get-records.html
    if (status === 304) return 204;
    // A write reports the result of each record in the body, whatever the status is.
    // https://www.zoho.com/crm/developer/docs/api/v8/insert-records.html
    const results = body?.data ?? body?.watch;
    const [record] = Array.isArray(results) ? results : [];
    return status < 300 && record?.status === "error" ? 400 : undefined;
  },
} satisfies Manifest;
