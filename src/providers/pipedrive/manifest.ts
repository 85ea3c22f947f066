import { type Authorization, get, header, type Manifest, type TokenAnswer } from "../../provider-kit/index.ts";
import { hooks } from "./hooks.ts";

export default {
  id: "pipedrive",
  name: "Pipedrive",
  docs: "https://developers.pipedrive.com/docs/api/v1",
  notes: [
    "The `stage` of a deal is the ID of the stage. Companies have no `phone`.",
    "Archived deals are not listed.",
    "A search (`query`) needs two characters and returns at most 1,000 contacts.",
    "A contact has one name, which Pipedrive splits into first and last name. A new contact needs one of the two. A change of one whose current value has several words needs the other as well: Pipedrive may have put a part of the last name into the first.",
    "Webhooks, for events within seconds, are made with the permissions of the connected user, for each type of record: Pipedrive allows 40 per user. With OAuth, the app needs the scope `webhooks:full`. Without it, lists are read at their interval.",
  ],
  addresses: {
    api: "https://{company}.pipedrive.com/api/v2",
    // For what version 2 lacks, such as users.
    v1: "https://{company}.pipedrive.com/api/v1",
    authorize: "https://oauth.pipedrive.com/oauth/authorize",
    token: "https://oauth.pipedrive.com/oauth/token",
    revoke: "https://oauth.pipedrive.com/oauth/revoke",
  },
  settings: {
    company: {
      label: "Company domain",
      hint: "The first part of your Pipedrive address: acme in acme.pipedrive.com",
      placeholder: "acme",
      pattern: "[a-z0-9-]+",
      askedWith: ["api_key"],
    },
  },
  auth: {
    // https://pipedrive.readme.io/docs/marketplace-oauth-authorization
    oauth2: {
      app: {
        url: "https://app.pipedrive.com/developer-hub",
        steps: [
          "Log in with a developer sandbox account: others have no Developer Hub.",
          "Select **Create an app**: a private one, or a public one for the marketplace.",
          "Enter the redirect URL as **OAuth Callback URL** and save.",
          "Under **OAuth & access scopes**, choose `base`, `contacts:full` and `deals:read`, for webhooks also `webhooks:full`, and copy the client ID and the client secret. Scopes are set on the app and cannot be requested.",
        ],
      },
      authorize: "authorize",
      token: "token",
      // Scopes are set when the app is registered and cannot be requested. It needs `base`,
      // `contacts:full` and `deals:read`, and `webhooks:full` for webhooks.
      scopes: [],
      tokenRequestAuth: "basic",
      // PKCE is not documented.
      pkce: false,
      lifetime: 3599,
      readToken: ({ access_token, refresh_token, expires_in, api_domain }: TokenAnswer & { api_domain: string }) => ({
        access_token,
        refresh_token,
        expires_in,
        settings: { company: /^https:\/\/([^/.]+)\.pipedrive\.com$/.exec(api_domain)?.[1] ?? "" },
      }),
      revoke: { address: "revoke" },
    },
    // https://pipedrive.readme.io/docs/how-to-find-the-api-token
    api_key: { label: "API token", help: "https://app.pipedrive.com/settings/api" },
  },
  // https://pipedrive.readme.io/docs/core-api-concepts-authentication
  authorization: ({ token = "" }, auth): Authorization =>
    auth === "api_key" ? { headers: { "x-api-token": token } } : { headers: { authorization: `Bearer ${token}` } },
  // https://pipedrive.readme.io/docs/core-api-concepts-authentication
  alsoAuthorizedBy: { query: ["api_token"] },
  // The host that serves all companies.
  linkedAs: {
    api: ["https://api.pipedrive.com/api/v2"],
    v1: ["https://api.pipedrive.com/api/v1", "https://api.pipedrive.com/v1"],
  },
  check: get("/users/me", {}, {}, { to: "v1" }),
  hooks,
  // A 429 gives the seconds until the window ends, but not always a Retry-After.
  // https://pipedrive.readme.io/docs/core-api-concepts-rate-limiting
  retryAfter(answer) {
    const seconds = answer.status === 429 ? Number(header(answer, "x-ratelimit-reset")) : Number.NaN;
    return Number.isFinite(seconds) ? seconds : undefined;
  },
} satisfies Manifest;
