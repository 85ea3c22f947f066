import type { Manifest } from "../../contracts/manifest.ts";
import { get } from "../../provider-kit/request.ts";

// A server of the user's own has the same paths: `base_url` is all that it needs.
export default {
  id: "gitlab",
  name: "GitLab",
  docs: "https://docs.gitlab.com/api/rest/",
  addresses: {
    api: "https://gitlab.com/api/v4",
    authorize: "https://gitlab.com/oauth/authorize",
    token: "https://gitlab.com/oauth/token",
    revoke: "https://gitlab.com/oauth/revoke",
    // It takes tokens with the scope `mcp` only: an integration that uses it has to ask for that one, too.
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
      // A refresh ends both tokens that there were.
      rotates: true,
      revoke: { address: "revoke" },
    },
    // A token of a person, a group or a project, sent like one of OAuth:
    // https://docs.gitlab.com/api/rest/authentication/#personalprojectgroup-access-tokens
    api_key: { label: "Access token", help: "https://gitlab.com/-/user_settings/personal_access_tokens" },
  },
  check: get("/user"),
} satisfies Manifest;
