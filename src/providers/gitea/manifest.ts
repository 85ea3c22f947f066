import { get, type Manifest } from "../../provider-kit/index.ts";
import { hooks } from "./hooks.ts";

// Most Gitea servers are self-hosted, and Forgejo has the same API. The paths are the same everywhere, so such a server
// needs only a `base_url`.
export default {
  id: "gitea",
  name: "Gitea",
  docs: "https://docs.gitea.com/development/api-usage",
  notes: [
    "A server of your own, or one that runs Forgejo, needs an integration with its address as `base_url`.",
    "`pushed_at` of a repository is the time of its last change, which is the closest that Gitea has.",
    "Instant events need the scope `write:repository` (add it to the integration's `scopes`) and an administrator of the repository.",
    "Labels of an organization can be given to new issues only with the scope `read:organization` (add it to the integration's `scopes`).",
    "Gitea refuses to list the commits of an empty repository, with 409.",
  ],
  addresses: {
    api: "https://gitea.com/api/v1",
    authorize: "https://gitea.com/login/oauth/authorize",
    token: "https://gitea.com/login/oauth/access_token",
  },
  auth: {
    // https://docs.gitea.com/development/oauth2-provider. There is no endpoint to revoke a token.
    oauth2: {
      app: {
        url: "https://gitea.com/user/settings/applications",
        steps: [
          "Create an OAuth2 application with the redirect URL under **Redirect URIs**, as a confidential client.",
          "Copy the client ID and the client secret.",
        ],
      },
      authorize: "authorize",
      token: "token",
      scopes: ["read:user", "read:repository", "write:issue"],
      lifetime: 3_600,
      // A refresh token can be used only once if the server has INVALIDATE_REFRESH_TOKENS enabled:
      // https://docs.gitea.com/administration/config-cheat-sheet#oauth2-oauth2
      rotates: true,
      // Gitea refuses an expired or used refresh token with `unauthorized_client`.
      voidGrantCodes: ["invalid_grant", "unauthorized_client"],
    },
    api_key: { label: "Access token", help: "https://gitea.com/user/settings/applications" },
    basic: {
      username: "Username",
      password: "Password",
      help: "https://docs.gitea.com/development/api-usage#authentication",
    },
  },
  // https://docs.gitea.com/development/api-usage#authentication
  authorization({ token, username, password }, auth) {
    if (auth === "api_key") return { headers: { authorization: `token ${token}` } };
    if (auth === "oauth2") return { headers: { authorization: `Bearer ${token}` } };
    return { headers: { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` } };
  },
  // https://docs.gitea.com/development/api-usage#authentication
  alsoAuthorizedBy: { query: ["token", "access_token"] },
  check: get("/user"),
  hooks,
} satisfies Manifest;
