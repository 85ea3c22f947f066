import type { EmulatedReply, EmulatedRequest } from "../../contracts/emulator.ts";
import { emulate, reply } from "../../provider-kit/emulator.ts";
import { makeState, me, type State } from "./sandbox-data.ts";

const MAX_PAGE_SIZE = 100;
const WINDOW_SECONDS = 60;

const errorReply = (status: number, err: string, ECODE: string) => reply(status, { err, ECODE });

/** https://developer.clickup.com/docs/common_errors */
function failure(status: number): EmulatedReply {
  switch (status) {
    case 400:
      return errorReply(status, "Invalid input", "INPUT_001");
    case 401:
      return errorReply(status, "Token invalid", "OAUTH_025");
    case 403:
      return errorReply(status, "You do not have access", "ACCESS_001");
    case 404:
      return errorReply(status, "Route not found", "APP_001");
    case 429:
      return errorReply(status, "Rate limit reached", "APP_002");
    default:
      return errorReply(status, "Internal server error", "INT_001");
  }
}

const isTrue = (value: string | null) => value === "true" || value === "1";

function listTasks({ query, params }: EmulatedRequest, state: State): EmulatedReply {
  const workspace = state.find(({ team }) => team.id === params.team);
  if (!workspace) return errorReply(401, "Team not authorized", "OAUTH_027");
  const page = Number(query.get("page") ?? 0);
  if (!Number.isInteger(page) || page < 0) return errorReply(400, "Page invalid", "INPUT_002");
  const statuses = query.getAll("statuses[]");
  const wanted = workspace.tasks.filter(
    ({ status, parent }) =>
      (isTrue(query.get("include_closed")) || status.type !== "closed") &&
      (isTrue(query.get("subtasks")) || parent === null) &&
      (statuses.length === 0 || statuses.includes(status.status)),
  );
  if (isTrue(query.get("reverse"))) wanted.reverse();
  const start = page * MAX_PAGE_SIZE;
  const end = start + MAX_PAGE_SIZE;
  return reply(200, { tasks: wanted.slice(start, end), last_page: end >= wanted.length });
}

export default emulate<State>({
  state: makeState,
  failure,
  unauthorized: (_, reason) =>
    reason === "missing" ? errorReply(400, "Authorization header required", "OAUTH_017") : failure(401),
  headers: () => ({
    "x-ratelimit-limit": "100",
    "x-ratelimit-remaining": "99",
    "x-ratelimit-reset": String(Math.floor(Date.now() / 1000) + WINDOW_SECONDS),
  }),
  routes: {
    "GET /api/v2/user": () =>
      reply(200, {
        user: { ...me, initials: "S", week_start_day: 1, global_font_support: false, timezone: "Europe/Berlin" },
      }),
    "GET /api/v2/team": (_, state) => reply(200, { teams: state.map(({ team }) => team) }),
    "GET /api/v2/team/:team/task": listTasks,
  },
  tokenAnswer: ({ access_token }) => reply(200, { access_token, token_type: "Bearer" }),
  // https://developer.clickup.com/docs/common_errors
  tokenFailure(error) {
    if (error === "invalid_client") return errorReply(401, "Client not found", "OAUTH_010");
    return error === "invalid_grant"
      ? errorReply(401, "Code not found", "OAUTH_014")
      : errorReply(400, "Client id, secret and code are required", "OAUTH_004");
  },
});
