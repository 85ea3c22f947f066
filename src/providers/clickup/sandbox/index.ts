import type { EmulatedReply, EmulatedRequest } from "../../../contracts/emulator.ts";
import { emulate, reply } from "../../../emulator-kit/emulator.ts";
import { changes } from "./changes.ts";
import { makeState, me, type SandboxTask, type State } from "./data.ts";
import { errorReply, isTrue, notAuthorized, shown, taskRoute } from "./replies.ts";
import { writeRoutes } from "./writes.ts";

const MAX_PAGE_SIZE = 100;
const COMMENTS_PER_PAGE = 25;
const WINDOW_SECONDS = 60;

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

function pageOf({ query }: EmulatedRequest, tasks: SandboxTask[]): EmulatedReply {
  const page = Number(query.get("page") ?? 0);
  if (!Number.isInteger(page) || page < 0) return errorReply(400, "Page invalid", "INPUT_002");
  const statuses = query.getAll("statuses[]");
  const updatedAfter = Number(query.get("date_updated_gt") ?? 0);
  const wanted = tasks.filter(
    ({ status, parent, date_updated }) =>
      (isTrue(query.get("include_closed")) || status.type !== "closed") &&
      (isTrue(query.get("subtasks")) || parent === null) &&
      (statuses.length === 0 || statuses.includes(status.status)) &&
      Number(date_updated) > updatedAfter,
  );
  if (isTrue(query.get("reverse"))) wanted.reverse();
  const start = page * MAX_PAGE_SIZE;
  const end = start + MAX_PAGE_SIZE;
  return reply(200, { tasks: wanted.slice(start, end).map(shown(query)), last_page: end >= wanted.length });
}

function listTeamTasks(request: EmulatedRequest, { workspaces }: State): EmulatedReply {
  const workspace = workspaces.find(({ team }) => team.id === request.params.team);
  return workspace ? pageOf(request, workspace.tasks) : notAuthorized();
}

function listListTasks(request: EmulatedRequest, { workspaces, lists }: State): EmulatedReply {
  const { list: id } = request.params;
  if (!lists.some((list) => list.id === id)) return notAuthorized();
  const isSeveralIncluded = isTrue(request.query.get("include_timl"));
  const tasks = workspaces
    .flatMap((workspace) => workspace.tasks)
    .filter(
      ({ list, locations }) =>
        (list.id === id && (isSeveralIncluded || locations.length === 0)) ||
        (isSeveralIncluded && locations.some((location) => location.id === id)),
    );
  return pageOf(request, tasks);
}

const getTask = taskRoute((task, { query }) => reply(200, shown(query)(task)));

const listComments = taskRoute((task, { query }, state) => {
  const comments = state.comments.get(task.id)!;
  const start = query.get("start_id");
  // Without one of the two the newest comments are sent again.
  const from = start && query.has("start") ? comments.findIndex(({ id }) => id === start) + 1 : 0;
  return reply(200, { comments: comments.slice(from, from + COMMENTS_PER_PAGE) });
});

function listSpaces({ params }: EmulatedRequest, { workspaces }: State): EmulatedReply {
  const workspace = workspaces.find(({ team }) => team.id === params.team);
  return workspace ? reply(200, { spaces: workspace.spaces }) : notAuthorized();
}

/** A route below one space, with the lists in it. */
const spaceRoute =
  (handle: (lists: State["lists"]) => object) =>
  ({ params }: EmulatedRequest, { workspaces, lists }: State): EmulatedReply =>
    workspaces.some(({ spaces }) => spaces.some(({ id }) => id === params.space))
      ? reply(200, handle(lists.filter(({ space }) => space.id === params.space)))
      : notAuthorized();

const listFolders = spaceRoute((lists) => {
  const inFolders = lists.filter(({ folder }) => !folder.hidden);
  const folders = new Map(inFolders.map(({ folder, space }, index) => [folder.id, { folder, space, index }]));
  return {
    folders: [...folders.values()].map(({ folder: { id, name, hidden }, space, index }) => ({
      id,
      name,
      orderindex: index,
      override_statuses: false,
      hidden,
      space,
      task_count: "0",
      lists: inFolders.filter(({ folder }) => folder.id === id),
    })),
  };
});

const listFolderless = spaceRoute((lists) => ({ lists: lists.filter(({ folder }) => folder.hidden) }));

export default emulate<State>({
  state: makeState,
  changes,
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
    "GET /api/v2/team": (_, { workspaces }) => reply(200, { teams: workspaces.map(({ team }) => team) }),
    "GET /api/v2/team/:team/task": listTeamTasks,
    "GET /api/v2/team/:team/space": listSpaces,
    "GET /api/v2/space/:space/folder": listFolders,
    "GET /api/v2/space/:space/list": listFolderless,
    "GET /api/v2/list/:list/task": listListTasks,
    "GET /api/v2/task/:task": getTask,
    "GET /api/v2/task/:task/comment": listComments,
    ...writeRoutes,
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
