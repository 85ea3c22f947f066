import { type Answer, get, type Manifest } from "../../provider-kit/index.ts";
import { hooks } from "./hooks.ts";

export default {
  id: "attio",
  name: "Attio",
  docs: "https://docs.attio.com/rest-api/overview",
  notes: [
    "Attio's MCP server accepts only tokens from its own sign-in: connect it as [any MCP server](../mcp.md#any-mcp-server), at `https://mcp.attio.com/mcp`.",
    "`/me` is the workspace.",
    "A workspace has deals only if an administrator has activated them; they have no closing date.",
    "A phone number needs its country code, as in `+49 221 1234`. An email address belongs to one contact: a second one with the same address is refused with 400.",
    "A search (`query`) is for words in names and email addresses.",
    "Attio does not report when a record was updated: `updated_at` is null, and `updated_since` returns all records.",
    "Webhooks, for events within seconds, need the scope `webhook:read-write`. Without it, lists are read at their interval.",
  ],
  addresses: {
    api: "https://api.attio.com/v2",
    authorize: "https://app.attio.com/authorize",
    token: "https://app.attio.com/oauth/token",
    revoke: "https://app.attio.com/oauth/revoke",
    // No `mcp`: Attio's MCP server accepts only tokens from its own login.
  },
  auth: {
    // Tokens are valid until they are revoked and cannot be refreshed: https://docs.attio.com/docs/oauth/token
    oauth2: {
      app: {
        url: "https://build.attio.com",
        steps: [
          "Select **New app** and open the **OAuth** tab.",
          "Turn OAuth on, add the redirect URL under **Redirect URIs**, and copy the client ID and the client secret.",
          "Choose the scopes `record_permission:read-write` and `object_configuration:read`, for webhooks also `webhook:read-write`. They are set on the app and cannot be requested.",
          "An app that is not published can be installed in 25 workspaces at most.",
        ],
      },
      authorize: "authorize",
      token: "token",
      // An app's scopes are set when it is registered and cannot be requested. It needs `record_permission:read-write` and
      // `object_configuration:read`, and `webhook:read-write` for webhooks. https://docs.attio.com/rest-api/guides/authentication
      scopes: [],
      // https://docs.attio.com/docs/oauth/revoke
      revoke: { address: "revoke" },
    },
    api_key: { label: "API key", help: "https://attio.com/help/apps/other-apps/generating-an-api-key" },
  },
  check: get("/self"),
  hooks,
  // The identify call reports an invalid token with status 200.
  // https://docs.attio.com/rest-api/endpoint-reference/meta/identify
  refusesWithSuccess: true,
  failed: ({ body }: Answer<{ active?: boolean } | null>) => (body?.active === false ? 401 : undefined),
} satisfies Manifest;
