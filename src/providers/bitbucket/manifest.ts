import { get, type Manifest } from "../../provider-kit/index.ts";
import { hooks } from "./hooks.ts";

export default {
  id: "bitbucket",
  name: "Bitbucket Cloud",
  docs: "https://developer.atlassian.com/cloud/bitbucket/rest/",
  notes: [
    "There are no releases, and no issues since August 2026.",
    "`pushed_at` of a repository is the time of its last change, which is the closest that Bitbucket has.",
    "The account's `email` is always null: Bitbucket does not return it with the account.",
    "Instant events need the scope `webhook` (give the consumer this permission, and add it to the integration's `scopes`) and an administrator of the repository.",
    "`protected` of a branch is always false: branch restrictions are visible to administrators only.",
  ],
  addresses: {
    api: "https://api.bitbucket.org/2.0",
    authorize: "https://bitbucket.org/site/oauth2/authorize",
    token: "https://bitbucket.org/site/oauth2/access_token",
  },
  auth: {
    // https://developer.atlassian.com/cloud/bitbucket/oauth-2/. There is no endpoint to revoke a token.
    oauth2: {
      app: {
        url: "https://support.atlassian.com/bitbucket-cloud/docs/use-oauth-on-bitbucket-cloud/",
        steps: [
          "In the settings of your workspace, under **Apps and features**, open **OAuth consumers** and select **Add consumer**.",
          "Enter the redirect URL as **Callback URL**.",
          "Give it permission to read the account, repositories and pull requests: a consumer cannot request more than its permissions.",
          "The consumer's **Key** is the client ID, its **Secret** the client secret.",
        ],
      },
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
  hooks,
} satisfies Manifest;
