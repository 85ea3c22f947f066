import { type Answer, get, type Manifest, type TokenAnswer } from "../../provider-kit/index.ts";
import { hooks } from "./hooks.ts";

/** https://docs.slack.dev/reference/methods/auth.test#errors, the errors that all methods share. */
const UNAUTHORIZED = new Set(["not_authed", "invalid_auth", "account_inactive", "token_revoked", "token_expired"]);
const FORBIDDEN = new Set([
  "access_denied",
  "enterprise_is_restricted",
  "missing_scope",
  "no_permission",
  "not_allowed_token_type",
  "not_in_channel",
  "org_login_required",
  "restricted_action",
  "team_access_not_granted",
]);
const RATE_LIMITED = new Set(["ratelimited", "rate_limited"]);
/** Slack's own failures, after which a part of the operation may have been carried out. */
const UNAVAILABLE = new Set([
  "fatal_error",
  "internal_error",
  "request_timeout",
  "service_unavailable",
  "team_added_to_org",
]);

function statusOf(error: string): number {
  if (UNAUTHORIZED.has(error)) return 401;
  if (FORBIDDEN.has(error)) return 403;
  if (error.endsWith("_not_found") || error === "unknown_method") return 404;
  if (RATE_LIMITED.has(error)) return 429;
  if (UNAVAILABLE.has(error)) return 503;
  return 400;
}

export default {
  id: "slack",
  name: "Slack",
  docs: "https://docs.slack.dev/reference/methods",
  notes: [
    "The scopes are requested for a bot. A bot reads only channels that it is a member of.",
    "If token rotation is on for the app, tokens expire after 12 hours and are refreshed. Otherwise they do not expire.",
    "New apps that are distributed commercially outside of the Slack Marketplace can read messages once a minute, 15 at a time.",
    "Messages about who joined, renamed or archived a channel are left out, and so are deleted messages.",
    "Replies that were also sent to the channel are listed. To answer one, use its `thread_id`: Slack advises against replies to a reply.",
    "The account of a connection is the bot's own user.",
    "Slack reports failures with status 200: Unified answers with the status that fits.",
  ],
  // Every method takes its arguments in the query as well: https://docs.slack.dev/apis/web-api
  getMayWrite: true,
  addresses: {
    api: "https://slack.com/api",
    // `url_private` of files: https://docs.slack.dev/reference/objects/file-object
    files: "https://files.slack.com",
    authorize: "https://slack.com/oauth/v2/authorize",
    token: "https://slack.com/api/oauth.v2.access",
    // https://docs.slack.dev/ai/slack-mcp-server
    mcp: "https://mcp.slack.com/mcp",
  },
  auth: {
    oauth2: {
      app: {
        url: "https://api.slack.com/apps",
        steps: [
          "Select **Create New App**.",
          "Under **OAuth & Permissions**, add the redirect URL. Slack accepts only https addresses, also for development.",
          "Under **Basic Information**, copy the client ID and the client secret.",
          "To connect workspaces other than the app's own, turn on **Manage Distribution**.",
        ],
      },
      authorize: "authorize",
      token: "token",
      scopes: [
        "users:read",
        // Without it, users have no email address.
        "users:read.email",
        "channels:read",
        "groups:read",
        "channels:history",
        "groups:history",
        "chat:write",
      ],
      scopeDelimiter: ",",
      // https://docs.slack.dev/reference/methods/oauth.v2.access#arguments
      tokenRequestAuth: "basic",
      // PKCE has to be enabled for an app, and then permanently makes it a public client.
      // https://docs.slack.dev/authentication/using-pkce
      pkce: false,
      // If the app has token rotation enabled; otherwise tokens never expire and come without a refresh token.
      // https://docs.slack.dev/authentication/using-token-rotation
      lifetime: 43_200,
      rotates: true,
      // A bot's token is at the top level, a user's in `authed_user`: an app may request either.
      // https://docs.slack.dev/authentication/installing-with-oauth
      readToken(body: Partial<TokenAnswer> & { ok: boolean; authed_user?: Partial<TokenAnswer> }) {
        if (!body?.ok) return undefined;
        const { access_token, refresh_token, expires_in } = body.access_token ? body : (body.authed_user ?? {});
        return access_token ? { access_token, refresh_token, expires_in } : undefined;
      },
      // https://docs.slack.dev/reference/methods/auth.revoke
      revoke: () => get("/auth.revoke"),
    },
    api_key: { label: "Bot or user OAuth token", help: "https://api.slack.com/apps" },
  },
  // https://docs.slack.dev/apis/web-api/#authentication
  alsoAuthorizedBy: { query: ["token"] },
  check: get("/auth.test"),
  // Failures come with status 200. https://docs.slack.dev/apis/web-api/#responses
  refusesWithSuccess: true,
  failed: ({ status, body }: Answer<{ ok?: boolean; error?: string } | null>) =>
    status < 300 && body?.ok === false ? statusOf(String(body.error)) : undefined,
  hooks,
} satisfies Manifest;
