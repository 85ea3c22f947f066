import type { Manifest } from "../../contracts/manifest.ts";
import type { Answer } from "../../contracts/upstream.ts";
import { get, header } from "../../provider-kit/request.ts";

/** The moment at which the budget is full again is told in seconds since 1970. */
function untilReset(answer: Answer): number | undefined {
  const reset = Number(header(answer, "x-ratelimit-reset"));
  return answer.status === 429 && reset > 0 ? Math.max(0, reset - Date.now() / 1000) : undefined;
}

export default {
  id: "clickup",
  name: "ClickUp",
  docs: "https://developer.clickup.com/reference",
  addresses: {
    api: "https://api.clickup.com/api/v2",
    authorize: "https://app.clickup.com/api",
    token: "https://api.clickup.com/api/v2/oauth/token",
    // Takes tokens of its own OAuth server only.
    // https://developer.clickup.com/docs/connect-an-ai-assistant-to-clickups-mcp-server
    mcp: "https://mcp.clickup.com/mcp",
  },
  auth: {
    // Tokens do not expire, there are no scopes, and nothing to revoke a token with: the user chooses workspaces, and
    // takes them back in the settings. https://developer.clickup.com/docs/authentication
    oauth2: {
      authorize: "authorize",
      token: "token",
      scopes: [],
      tokenRequestBody: "json",
      // The documented flow has none.
      pkce: false,
    },
    api_key: { label: "Personal API token", help: "https://app.clickup.com/settings/apps" },
  },
  // A personal token goes without "Bearer". https://developer.clickup.com/docs/authentication#personal-token
  authorization: ({ token = "" }, auth) => ({
    headers: { authorization: auth === "api_key" ? token : `Bearer ${token}` },
  }),
  check: get("/user"),
  // https://developer.clickup.com/docs/rate-limits
  retryAfter: untilReset,
} satisfies Manifest;
