import type { Manifest } from "../../contracts/manifest.ts";
import { get } from "../../provider-kit/request.ts";

export default {
  id: "bitbucket",
  name: "Bitbucket Cloud",
  docs: "https://developer.atlassian.com/cloud/bitbucket/rest/",
  addresses: {
    api: "https://api.bitbucket.org/2.0",
    authorize: "https://bitbucket.org/site/oauth2/authorize",
    token: "https://bitbucket.org/site/oauth2/access_token",
  },
  auth: {
    // https://developer.atlassian.com/cloud/bitbucket/oauth-2/. There is no endpoint to revoke a token.
    oauth2: {
      authorize: "authorize",
      token: "token",
      // The OAuth consumer's settings limit the scopes that it may request.
      // https://developer.atlassian.com/cloud/bitbucket/rest/intro/#bitbucket-oauth-2-0-scopes
      scopes: ["account", "repository", "pullrequest"],
      tokenRequestAuth: "basic",
      pkce: false,
      lifetime: 7_200,
      // https://community.developer.atlassian.com/t/oauth-2-0-and-api-authentication-changes-for-bitbucket-cloud/99003
      rotates: true,
    },
    // https://support.atlassian.com/bitbucket-cloud/docs/using-api-tokens/
    basic: {
      username: "Atlassian account email",
      password: "API token",
      help: "https://id.atlassian.com/manage-profile/security/api-tokens",
    },
    api_key: {
      label: "Workspace access token",
      help: "https://support.atlassian.com/bitbucket-cloud/docs/workspace-access-tokens/",
    },
  },
  check: get("/user"),
} satisfies Manifest;
