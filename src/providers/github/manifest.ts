import { type Answer, get, type Manifest } from "../../provider-kit/index.ts";
import { githubApp } from "./app.ts";
import { hooks } from "./hooks.ts";

/** Both rate limits may be answered with 403: https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api#rate-limit-errors */
const isRateLimit = ({ status, headers, body }: Answer): boolean =>
  (status === 403 || status === 429) &&
  (headers["x-ratelimit-remaining"] === "0" ||
    headers["retry-after"] !== undefined ||
    /rate limit/i.test(String((body as { message?: unknown } | null)?.message)));

export default {
  id: "github",
  name: "GitHub",
  docs: "https://docs.github.com/en/rest",
  firstCall: true,
  notes: [
    "A GitHub App also works like an OAuth app (`oauth2`), on behalf of a user. Its tokens expire after 8 hours and are refreshed; the tokens of an OAuth app do not expire.",
    "With `github_app`, a connection belongs to an account or organization in which your app is installed, and not to a user: it reaches the repositories that were chosen for it, and GitHub refuses `/me` with 403.",
    "GitHub lists an installation for everybody who can read one of its repositories: all of them can connect it.",
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
    install: "https://github.com/apps/{app_slug}/installations/new",
    mcp: "https://api.githubcopilot.com/mcp",
  },
  // GitHub Enterprise Server: https://docs.github.com/en/enterprise-server/rest/quickstart
  selfHosted: { api: "/api/v3", uploads: "/api/uploads", install: "/github-apps/{app_slug}/installations/new" },
  settings: {
    app_slug: {
      label: "App name",
      hint: "The last part of the address of its public page, such as github.com/apps/acme-app",
      placeholder: "acme-app",
      pattern: "[a-z0-9][a-z0-9-]{0,99}",
      ofIntegration: true,
      askedWith: ["github_app"],
    },
    installation_id: { label: "Installation", pattern: "[0-9]{1,20}", askedWith: [] },
  },
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
    github_app: githubApp,
    api_key: { label: "Personal access token", help: "https://github.com/settings/personal-access-tokens" },
  },
  headers: { accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28" },
  check: get("/user"),
  hooks,
  checkWith: { github_app: get("/installation/repositories", { per_page: 1 }) },
  failed: (answer) => (answer.status === 403 && isRateLimit(answer) ? 429 : undefined),
  // The primary rate limit sends the time at which it resets instead of Retry-After, the secondary one may send neither.
  // https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit
  retryAfter(answer) {
    const { headers } = answer;
    const reset = Number(headers["x-ratelimit-reset"]);
    if (headers["x-ratelimit-remaining"] === "0" && reset > 0) return Math.max(0, reset - Date.now() / 1000);
    return isRateLimit(answer) ? 60 : undefined;
  },
} satisfies Manifest;
