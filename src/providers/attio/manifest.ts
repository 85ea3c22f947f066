import type { Manifest } from "../../contracts/manifest.ts";
import type { Answer } from "../../contracts/upstream.ts";
import { get } from "../../provider-kit/request.ts";

export default {
  id: "attio",
  name: "Attio",
  docs: "https://docs.attio.com/rest-api/overview",
  addresses: {
    api: "https://api.attio.com/v2",
    authorize: "https://app.attio.com/authorize",
    token: "https://app.attio.com/oauth/token",
    revoke: "https://app.attio.com/oauth/revoke",
    // No `mcp`: Attio's MCP server takes only tokens of a log-in of its own.
  },
  auth: {
    // Tokens live until they are revoked, and there is no refresh: https://docs.attio.com/docs/oauth/token
    oauth2: {
      authorize: "authorize",
      token: "token",
      // An app's scopes are set where it is registered, and cannot be asked for: it needs `record_permission:read` and
      // `object_configuration:read`. https://docs.attio.com/rest-api/guides/authentication
      scopes: [],
      // https://docs.attio.com/docs/oauth/revoke
      revoke: { address: "revoke" },
    },
    api_key: { label: "API key", help: "https://attio.com/help/apps/other-apps/generating-an-api-key" },
  },
  check: get("/self"),
  // Asked who it is, a token that is not good is told so with 200.
  // https://docs.attio.com/rest-api/endpoint-reference/meta/identify
  failed: ({ body }: Answer<{ active?: boolean } | null>) => (body?.active === false ? 401 : undefined),
} satisfies Manifest;
