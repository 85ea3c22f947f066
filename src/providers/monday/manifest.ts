import { type Answer, graphql, type Manifest } from "../../provider-kit/index.ts";
import { hooks, noHooks } from "./hooks.ts";

/** A refused token has only texts for errors. */
type MondayError =
  | string
  | { message?: string; extensions?: { code?: string; status_code?: number; retry_in_seconds?: number } };
interface MondayBody {
  errors?: MondayError[];
  /** The queries ask for one board or one item under these names. */
  data?: { board?: unknown[]; item?: unknown[] } | null;
}

/** https://developer.monday.com/api-reference/docs/errors */
const STATUS: Record<string, number> = {
  COMPLEXITY_BUDGET_EXHAUSTED: 429,
  ComplexityException: 429,
  DAILY_LIMIT_EXCEEDED: 429,
  maxConcurrencyExceeded: 429,
  RateLimitExceeded: 429,
  IP_RATE_LIMIT_EXCEEDED: 429,
  UserUnauthorizedException: 403,
  USER_UNAUTHORIZED: 403,
  ResourceNotFoundException: 404,
  InternalServerError: 500,
};

const extensionsOf = (error: MondayError) => (typeof error === "string" ? {} : (error.extensions ?? {}));

function statusOf(error: MondayError): number {
  const { code = "", status_code: status = 0 } = extensionsOf(error);
  return STATUS[code] ?? (status >= 400 && status < 600 ? status : 400);
}

export default {
  id: "monday",
  name: "monday.com",
  docs: "https://developer.monday.com/api-reference/reference/about-the-api-reference",
  notes: [
    'The API is GraphQL. `params` become variables of the query: for tasks, `{"query_params": {…}}` filters and sorts.',
    "Projects are boards. Their items are the tasks, each followed by its subitems. Documents and boards of subitems are left out, as are subitems of subitems.",
    "Tasks can only be listed by board. So every board is read in turn; of more than 1,000, the 1,000 that were made last. Tasks of another one are listed with `project_id`.",
    "Status, assignee, due date, priority, labels and description are columns of a board, which an account names as it likes. A column with a usual name is preferred, such as Due; otherwise the first of the right type counts. Priority is only found by name.",
    "A task is `done` if its status label is one that the board counts as done, and `todo` if it has no label.",
    "A new task needs a `project_id`. A field that its board has no column for cannot be set, and neither can a label or tag that does not exist. A task stays on its board.",
    "A description is a column of long text, without formats.",
    "Comments are updates and their replies.",
    "Instant events cover the tasks of one board (`project_id`) and the comments of a task. They need OAuth with the scope `webhooks:write` (add it to the app and to the integration's `scopes`) and the app's **Signing Secret** as the integration's `hook_secret`.",
    "Through the Proxy, send queries as POST to `/proxy` itself.",
  ],
  addresses: {
    api: "https://api.monday.com/v2",
    authorize: "https://auth.monday.com/oauth2/authorize",
    token: "https://auth.monday.com/oauth2/token",
    mcp: "https://mcp.monday.com/mcp",
  },
  auth: {
    // Tokens do not expire and cannot be revoked, except by uninstalling the app.
    // https://developer.monday.com/apps/docs/oauth
    oauth2: {
      app: {
        url: "https://monday.com/developers/apps",
        steps: [
          "Create an app, open **OAuth & permissions** and select the scopes below.",
          "Add the redirect URL under **Redirect URLs**, and copy the client ID and the client secret.",
          "In an account that is to be connected, an admin may have to install the app first.",
        ],
      },
      authorize: "authorize",
      token: "token",
      scopes: ["me:read", "boards:read", "boards:write", "updates:read", "updates:write", "users:read", "tags:read"],
      // PKCE is not part of the documented flow.
      pkce: false,
    },
    api_key: {
      label: "Personal API token",
      help: "https://developer.monday.com/api-reference/docs/authentication",
    },
  },
  // Without "Bearer". https://developer.monday.com/api-reference/docs/authentication
  authorization: ({ token = "" }) => ({ headers: { authorization: token } }),
  // https://developer.monday.com/api-reference/docs/api-versioning
  headers: { "api-version": "2026-07" },
  hooks,
  hooksWith: { api_key: noHooks },
  check: graphql("query Check { me { id } }", {}),
  // Errors come with status 200, and a board or an item that does not exist as an empty list.
  refusesWithSuccess: true,
  failed({ status, body }: Answer<MondayBody | null>) {
    if (status >= 300 && status !== 400) return undefined;
    const [error] = body?.errors ?? [];
    if (error !== undefined) return statusOf(error);
    const { board, item } = body?.data ?? {};
    return board?.length === 0 || item?.length === 0 ? 404 : undefined;
  },
  retryAfter: ({ body }: Answer<MondayBody | null>) => extensionsOf(body?.errors?.[0] ?? "").retry_in_seconds,
} satisfies Manifest;
