import { get, type Manifest } from "../../provider-kit/index.ts";
import { hooks } from "./hooks.ts";

// A self-hosted server has the same paths and needs only a `base_url`.
export default {
  id: "gitlab",
  name: "GitLab",
  docs: "https://docs.gitlab.com/api/rest/",
  notes: [
    "A server of your own needs an integration with its address as `base_url`.",
    "Quick actions in a text, such as `/close`, are written and not carried out.",
    "Lists of comments leave out system notes, such as a changed label.",
    "`is_private` of an internal project is true: only users of its server can see it.",
    "Releases have no numeric id at GitLab: `id` is a stable number made from the path.",
    "Instant events need a maintainer or an owner of the project. Deleted issues, comments and merge requests are found at the interval: GitLab sends nothing for them.",
    "The MCP server accepts only tokens with the scope `mcp`: add it to the integration's `scopes`.",
  ],
  addresses: {
    api: "https://gitlab.com/api/v4",
    authorize: "https://gitlab.com/oauth/authorize",
    token: "https://gitlab.com/oauth/token",
    revoke: "https://gitlab.com/oauth/revoke",
    // Accepts only tokens with the scope `mcp`, which an integration that uses it has to request as well.
    // https://docs.gitlab.com/user/gitlab_duo/model_context_protocol/mcp_server/
    mcp: "https://gitlab.com/api/v4/mcp",
    site: "https://gitlab.com",
  },
  auth: {
    // https://docs.gitlab.com/api/oauth2/
    oauth2: {
      app: {
        url: "https://docs.gitlab.com/integration/oauth_provider/",
        steps: [
          "Select your avatar, then **Edit profile**, **Applications** and **Add new application**.",
          "Enter the redirect URL as **Redirect URI**, and select the scopes below.",
          "The **Application ID** is the client ID, the **Secret** the client secret.",
        ],
      },
      authorize: "authorize",
      token: "token",
      scopes: ["api"],
      refreshWithRedirectUri: true,
      lifetime: 7_200,
      // A refresh revokes both the old access token and the old refresh token.
      rotates: true,
      revoke: { address: "revoke" },
    },
    // A personal, group or project access token, sent like an OAuth token:
    // https://docs.gitlab.com/api/rest/authentication/#personalprojectgroup-access-tokens
    api_key: { label: "Access token", help: "https://gitlab.com/-/user_settings/personal_access_tokens" },
  },
  // https://docs.gitlab.com/api/rest/authentication/
  alsoAuthorizedBy: { headers: ["private-token"], query: ["private_token", "access_token"] },
  webPages: ["site"],
  check: get("/user"),
  hooks,
} satisfies Manifest;
