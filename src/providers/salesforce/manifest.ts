import { type Answer, get, type Manifest, type TokenAnswer } from "../../provider-kit/index.ts";

export default {
  id: "salesforce",
  name: "Salesforce",
  docs: "https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/",
  notes: [
    "The user logs in at the host that they enter; the org's own host, which comes with the token, replaces it.",
    "`params` cannot change the query (SOQL) of a list.",
    "The `currency` of a deal is always null: only orgs with several currencies have the field.",
    "A new contact needs a `last_name`. An org's own rules, such as those against duplicates, may refuse a contact with 400.",
    "An org has several hosted MCP servers, each enabled by its administrator: set `mcp_url` on the integration.",
  ],
  addresses: {
    // Summer '26: every org has it by now, and a version is supported for at least three years.
    // https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/api_rest_eol.htm
    api: "https://{host}/services/data/v67.0",
    // Every version, for clients that have their own.
    data: "https://{host}/services/data",
    // The login hosts and an org's own host have the same endpoints.
    // https://help.salesforce.com/s/articleView?id=xcloud.remoteaccess_oauth_endpoints.htm&type=5
    authorize: "https://{host}/services/oauth2/authorize",
    token: "https://{host}/services/oauth2/token",
    revoke: "https://{host}/services/oauth2/revoke",
    // Who the user is, at the address in `identity` of `/services/data/v67.0`.
    identity: "https://{host}/id",
    userinfo: "https://{host}/services/oauth2/userinfo",
    // No `mcp`: an org has several hosted MCP servers, each enabled by its admin. An integration's `mcp_url` names one.
    // https://developer.salesforce.com/docs/platform/hosted-mcp-servers/guide/
  },
  settings: {
    // Where the user logs in. The org's own host, which comes with the token answer, replaces it.
    host: {
      label: "Salesforce host",
      hint: "login.salesforce.com, test.salesforce.com for a sandbox, or your org's own host (My Domain)",
      placeholder: "login.salesforce.com",
      pattern: String.raw`(?:login|test)\.salesforce\.com|(?:[a-z0-9-]+\.)+my\.salesforce\.(?:com|mil)`,
    },
  },
  auth: {
    oauth2: {
      app: {
        url: "https://developer.salesforce.com/docs/platform/salesforce-developer-environment-tipsheet/guide/salesforce-developer-environment-remoteaccess.html",
        steps: [
          "In **Setup**, open **External Client App Manager** and select **New External Client App**. New connected apps can no longer be created.",
          "Select **Enable OAuth**, enter the redirect URL as **Callback URL**, and choose the scopes below.",
          "The consumer key is the client ID, the consumer secret the client secret.",
        ],
      },
      authorize: "authorize",
      token: "token",
      scopes: ["api", "refresh_token"],
      // Not in the answer: a session ends after the org's timeout, two hours unless its admin changed it.
      // https://help.salesforce.com/s/articleView?id=xcloud.remoteaccess_oauth_refresh_token_flow.htm&type=5
      lifetime: 7200,
      readToken: ({ access_token, refresh_token, instance_url }: TokenAnswer & { instance_url: string }) => ({
        access_token,
        refresh_token,
        settings: { host: URL.parse(instance_url)?.host ?? "" },
      }),
      revoke: { address: "revoke" },
    },
  },
  // https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/resources_discoveryresource.htm
  alsoAuthorizedBy: { query: ["oauth_token"] },
  // https://help.salesforce.com/s/articleView?id=sf.remoteaccess_using_openid.htm
  linkedAs: { identity: ["https://login.salesforce.com/id", "https://test.salesforce.com/id"] },
  check: get("/"),
  // https://developer.salesforce.com/docs/platform/pub-sub-api/overview
  hooks: {
    per: "none",
    because: "Salesforce reports changes over streams of its own (Pub/Sub API), not to an address",
  },
  // The user information endpoint refuses a token with 403 and plain text; the API's errors are JSON.
  // https://help.salesforce.com/s/articleView?id=xcloud.remoteaccess_using_userinfo_endpoint.htm&type=5
  failed({ status, body }: Answer<{ errorCode?: string }[] | null>) {
    if (status !== 403) return undefined;
    if (body === null) return 401;
    // https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/errorcodes.htm
    return body[0]?.errorCode === "REQUEST_LIMIT_EXCEEDED" ? 429 : undefined;
  },
} satisfies Manifest;
