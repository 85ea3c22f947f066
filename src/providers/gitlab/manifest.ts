import type { Manifest } from "../../contracts/manifest.ts";
import { get } from "../../provider-kit/request.ts";

// A self-hosted server has the same paths and needs only a `base_url`.
export default {
  id: "gitlab",
  name: "GitLab",
  docs: "https://docs.gitlab.com/api/rest/",
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
      authorize: "authorize",
      token: "token",
      scopes: ["read_api"],
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
  check: get("/user"),
} satisfies Manifest;
