import { type Answer, graphql, header, type Manifest } from "../../provider-kit/index.ts";
import { hooks } from "./hooks.ts";

/** Linear classifies errors by a type in words and by a code. Both are read, since not every error has both. */
const STATUS: Record<string, number> = {
  "authentication error": 401,
  authentication_error: 401,
  forbidden: 403,
  "feature not accessible": 403,
  ratelimited: 429,
};

function statusOf({ message, extensions }: { message?: string; extensions?: { type?: string; code?: string } }) {
  const known = [extensions?.type, extensions?.code].map((word) => STATUS[word?.toLowerCase() ?? ""]);
  // Only the message tells a missing entity from other invalid input.
  return known.find(Boolean) ?? (/^entity not found/i.test(message ?? "") ? 404 : 400);
}

/** Seconds until every exhausted budget is reset. The headers give that time in milliseconds since 1970. */
function secondsUntilReset(answer: Answer): number | undefined {
  const resets = ["requests", "complexity", "endpoint-requests"]
    .filter((budget) => header(answer, `x-ratelimit-${budget}-remaining`) === "0")
    .map((budget) => Number(header(answer, `x-ratelimit-${budget}-reset`)))
    .filter(Number.isFinite);
  return resets.length === 0 ? undefined : Math.max(0, (Math.max(...resets) - Date.now()) / 1000);
}

export default {
  id: "linear",
  name: "Linear",
  docs: "https://linear.app/developers/graphql",
  notes: [
    'The API is GraphQL. `params` become variables of the query, such as `{"filter": {…}}`.',
    "A task can also be read by its identifier, such as `ENG-12`.",
    "An issue is always in a team: a new task is in the first team of its project, or in the first whose states include the given `status`.",
    "Instant events need an admin of the workspace and the scope `admin` (add it to the integration's `scopes`). They cover public teams: issues of private ones are found at the interval.",
    "Through the Proxy, send queries as POST to `/proxy` itself.",
  ],
  addresses: {
    api: "https://api.linear.app/graphql",
    // https://linear.app/developers/file-storage-authentication
    uploads: "https://uploads.linear.app",
    authorize: "https://linear.app/oauth/authorize",
    token: "https://api.linear.app/oauth/token",
    revoke: "https://api.linear.app/oauth/revoke",
    mcp: "https://mcp.linear.app/mcp",
  },
  auth: {
    // https://linear.app/developers/oauth-2-0-authentication
    oauth2: {
      app: {
        url: "https://linear.app/settings/api/applications/new",
        steps: [
          "Create it in a workspace of its own, if possible: every admin of the workspace has access to it.",
          "Add the redirect URL under **Callback URLs**, and turn on **Public** if accounts of other workspaces are to be connected.",
          "Copy the client ID and the client secret.",
        ],
      },
      authorize: "authorize",
      token: "token",
      scopes: ["read", "write"],
      scopeDelimiter: ",",
      lifetime: 86_399,
      rotates: true,
      revoke: { address: "revoke" },
    },
    api_key: { label: "Personal API key", help: "https://linear.app/settings/account/security" },
  },
  // A personal API key is refused if it is sent as a Bearer token: https://linear.app/developers/graphql#authentication
  authorization: ({ token = "" }, auth) => ({
    headers: { authorization: auth === "api_key" ? token : `Bearer ${token}` },
  }),
  hooks,
  check: graphql("query Check { viewer { id } }", {}),
  // Errors come with status 200, rate limit errors also with 400: https://linear.app/developers/rate-limiting
  refusesWithSuccess: true,
  failed({ status, body }: Answer<{ errors?: Parameters<typeof statusOf>[0][] } | null>) {
    const [error] = body?.errors ?? [];
    return error && (status < 300 || status === 400) ? statusOf(error) : undefined;
  },
  retryAfter: secondsUntilReset,
} satisfies Manifest;
