import { type Answer, get, type Manifest, path } from "../../provider-kit/index.ts";
import { hooks, hooksOfPrivateApp } from "./hooks.ts";

/** The period of each rate limit. The daily one is never waited for. */
const POLICY_SECONDS: Record<string, number> = {
  SECONDLY: 1,
  TEN_SECONDLY_ROLLING: 10,
  DAILY: Number.POSITIVE_INFINITY,
};

export default {
  id: "hubspot",
  name: "HubSpot",
  docs: "https://developers.hubspot.com/docs/api-reference",
  notes: [
    "Legacy public apps can no longer be created since June 23, 2026; existing ones continue to work.",
    "The MCP server accepts only tokens of an MCP auth app.",
    "`/me` is the account (portal), of which only the ID is known.",
    "The `stage` of a deal is the ID of the stage. Its `currency` is null in accounts with one currency.",
    "An email address belongs to one contact: a second one with the same address is refused with 409.",
    "`updated_since` and `email` read the whole list: only HubSpot's search can filter, and it lags behind and ends after 10,000 results. `query` is that search.",
    "Webhooks, for events within seconds, are set in the app, once for all accounts. A change of a property has an event only if the app has a subscription for the property; others are found at the interval.",
  ],
  addresses: {
    api: "https://api.hubapi.com",
    authorize: "https://app.hubspot.com/oauth/authorize",
    // To be removed on February 16, 2027 in favor of /oauth/2026-03/token, together with the revocation endpoint below.
    // https://developers.hubspot.com/changelog/v1-oauth-api-deprecation
    token: "https://api.hubapi.com/oauth/v1/token",
    // Accepts only tokens of an "MCP auth app".
    // https://developers.hubspot.com/docs/apps/developer-platform/build-apps/integrate-with-hubspot-mcp-server
    mcp: "https://mcp.hubspot.com",
  },
  auth: {
    oauth2: {
      app: {
        url: "https://developers.hubspot.com/docs/apps/developer-platform/build-apps/create-an-app",
        steps: [
          "Create an app that uses OAuth with HubSpot's command line: `hs project create`.",
          "Add the redirect URL and the scopes below to the app's configuration, and upload it: `hs project upload`.",
          "In HubSpot, open **Development** and the project, and copy the client ID and the client secret of the app.",
        ],
      },
      authorize: "authorize",
      token: "token",
      scopes: [
        "oauth",
        "crm.objects.contacts.read",
        "crm.objects.contacts.write",
        "crm.objects.companies.read",
        "crm.objects.deals.read",
      ],
      lifetime: 1800,
      // https://developers.hubspot.com/docs/api-reference/legacy/authentication/oauth-tokens/v1/guide
      revoke: ({ credentials }) => ({
        ...get(path`/oauth/v1/refresh-tokens/${credentials.refresh_token ?? ""}`),
        method: "DELETE",
      }),
    },
    api_key: {
      label: "Private app access token",
      help: "https://developers.hubspot.com/docs/apps/legacy-apps/private-apps/overview",
    },
  },
  check: get("/account-info/v3/details"),
  hooks,
  hooksWith: { api_key: hooksOfPrivateApp },
  // A 429 names its limit instead of sending Retry-After.
  // https://developers.hubspot.com/docs/developer-tooling/platform/usage-guidelines
  retryAfter: ({ status, body }: Answer<{ policyName?: string } | null>) =>
    status === 429 ? POLICY_SECONDS[body?.policyName ?? ""] : undefined,
} satisfies Manifest;
