import type { Manifest } from "../../contracts/manifest.ts";
import { get } from "../../provider-kit/request.ts";

export default {
  id: "github",
  name: "GitHub",
  docs: "https://docs.github.com/en/rest",
  firstCall: true,
  notes: [
    "A GitHub App works like an OAuth app. Its tokens expire after 8 hours and are refreshed; the tokens of an OAuth app do not expire.",
    "Lists of issues leave out pull requests, and lists of releases leave out drafts.",
    "A search (`query`) returns at most 1,000 issues.",
    "The account's `email` is null unless the user made it public.",
    "GitHub refuses to list the commits of an empty repository, with 409.",
  ],
  addresses: {
    api: "https://api.github.com",
    // Assets of releases: https://docs.github.com/en/rest/releases/assets#upload-a-release-asset
    uploads: "https://uploads.github.com",
    authorize: "https://github.com/login/oauth/authorize",
    token: "https://github.com/login/oauth/access_token",
    mcp: "https://api.githubcopilot.com/mcp",
  },
  // GitHub Enterprise Server: https://docs.github.com/en/enterprise-server/rest/quickstart
  selfHosted: { api: "/api/v3", uploads: "/api/uploads" },
  auth: {
    oauth2: {
      app: {
        url: "https://github.com/settings/developers",
        steps: [
          "Under **OAuth apps**, select **New OAuth App**.",
          "Enter the redirect URL as **Authorization callback URL**. An OAuth app has only one.",
          "Copy the client ID, and generate a client secret.",
        ],
      },
      authorize: "authorize",
      token: "token",
      scopes: ["repo", "read:user"],
      // A GitHub App's tokens expire after 8 hours and rotate. An OAuth App's never expire and have no refresh token.
      // https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/refreshing-user-access-tokens
      lifetime: 28_800,
      rotates: true,
      // https://docs.github.com/en/rest/apps/oauth-applications#delete-an-app-token
      revoke: ({ credentials, client_id }) => ({
        ...get(`/applications/${encodeURIComponent(client_id)}/token`),
        method: "DELETE",
        body: { access_token: credentials.token },
        as: "client",
      }),
    },
    api_key: { label: "Personal access token", help: "https://github.com/settings/personal-access-tokens" },
  },
  headers: { accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28" },
  check: get("/user"),
  // The primary rate limit sends the time at which it resets instead of Retry-After.
  // https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
  retryAfter({ headers }) {
    const reset = Number(headers["x-ratelimit-reset"]);
    if (headers["x-ratelimit-remaining"] !== "0" || !(reset > 0)) return undefined;
    return Math.max(0, reset - Date.now() / 1000);
  },
} satisfies Manifest;
