import { get, type Manifest } from "../../provider-kit/index.ts";
import { hooks } from "./hooks.ts";

export default {
  id: "bitbucket",
  name: "Bitbucket Cloud",
  docs: "https://developer.atlassian.com/cloud/bitbucket/rest/",
  notes: [
    "There are no releases, and no issues since August 2026.",
    "`pushed_at` of a repository is the time of its last change, which is the closest that Bitbucket has.",
    "A workspace access token reaches one workspace, whose ID is a setting: `/me` is the workspace.",
    "The account's `email` is always null: Bitbucket does not return it with the account.",
    "Instant events need the scope `webhook` (give the consumer this permission, and add it to the integration's `scopes`) and an administrator of the repository.",
    "`protected` of a branch is always false: branch restrictions are visible to administrators only.",
  ],
  addresses: {
    api: "https://api.bitbucket.org/2.0",
    account: "https://api.bitbucket.org/2.0/user",
    authorize: "https://bitbucket.org/site/oauth2/authorize",
    token: "https://bitbucket.org/site/oauth2/access_token",
  },
  // An access token has no user, and is refused there:
  // https://support.atlassian.com/bitbucket-cloud/kb/this-api-is-not-accessible-by-this-authentication-mechanism/
  addressesWith: { api_key: { account: "https://api.bitbucket.org/2.0/workspaces/{workspace}" } },
  settings: {
    workspace: {
      label: "Workspace ID",
      hint: "The first part of the address of its repositories: acme in bitbucket.org/acme/rocket",
      placeholder: "acme",
      pattern: "[A-Za-z0-9_-]+",
      askedWith: ["api_key"],
    },
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
  check: get("", {}, {}, { to: "account" }),
  hooks,
} satisfies Manifest;
