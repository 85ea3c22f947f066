import { type Answer, get, type Manifest, secondsUntilReset } from "../../provider-kit/index.ts";
import { hooks } from "./hooks.ts";

/** https://developer.clickup.com/docs/common_errors#team-not-authorized */
const TEAM_NOT_AUTHORIZED = /^OAUTH_0(?:23|26|27|29|3\d|4[0-5])$/;

export default {
  id: "clickup",
  name: "ClickUp",
  docs: "https://developer.clickup.com/reference",
  notes: [
    "There are no scopes: the user chooses which workspaces to grant access to.",
    "Closed tasks and subtasks are listed too.",
    "Projects are ClickUp's lists. A list that is shared with the user without its space is not among them.",
    "Replies to a comment are not listed.",
    "A change of a task's labels takes a call for each label: if one is refused, those before it are already carried out.",
    "Deleted comments are found at the interval: ClickUp sends no event for them.",
    "There is no MCP server that could be used with these connections: ClickUp's own accepts only tokens from its own OAuth server.",
  ],
  addresses: {
    api: "https://api.clickup.com/api/v2",
    authorize: "https://app.clickup.com/api",
    token: "https://api.clickup.com/api/v2/oauth/token",
    // No `mcp`: https://developer.clickup.com/docs/connect-an-ai-assistant-to-clickups-mcp-server
  },
  auth: {
    // Tokens do not expire, there are no scopes, and no endpoint revokes a token: the user grants access to workspaces
    // and withdraws it in the settings. https://developer.clickup.com/docs/authentication
    oauth2: {
      app: {
        url: "https://help.clickup.com/hc/en-us/articles/6303426241687-Use-the-ClickUp-API",
        steps: [
          "As an owner or admin of your workspace, open **ClickUp API** in the settings and select **Create an App**.",
          "Enter a name and the redirect URL, and copy the client ID and the client secret.",
        ],
      },
      authorize: "authorize",
      token: "token",
      scopes: [],
      tokenRequestBody: "json",
      // PKCE is not part of the documented flow.
      pkce: false,
    },
    api_key: { label: "Personal API token", help: "https://app.clickup.com/settings/apps" },
  },
  // A personal token is sent without "Bearer". https://developer.clickup.com/docs/authentication#personal-token
  authorization: ({ token = "" }, auth) => ({
    headers: { authorization: auth === "api_key" ? token : `Bearer ${token}` },
  }),
  hooks,
  check: get("/user"),
  // What the user cannot see, or does not exist, belongs to a workspace that was not granted. The token is valid.
  failed: ({ status, body }: Answer<{ ECODE?: string } | null>) =>
    status === 401 && TEAM_NOT_AUTHORIZED.test(body?.ECODE ?? "") ? 404 : undefined,
  // https://developer.clickup.com/docs/rate-limits
  retryAfter: secondsUntilReset,
} satisfies Manifest;
