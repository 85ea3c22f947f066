import {
  collection,
  cut,
  type EmulatedReply,
  type EmulatedRequest,
  emulate,
  refuse,
  reply,
  wholeNumber,
} from "../../../emulator-kit/index.ts";
import { changes } from "./changes.ts";
import { FIELDS, listed, setField } from "./custom-fields.ts";
import { LISTS, makeState, me, type SandboxTask, SPACES, SPRINT, STATUSES, type State, TEAMS } from "./data.ts";
import { errorReply } from "./errors.ts";
import { hookRoutes, hooks } from "./hooks.ts";
import { addComment, changedTask, changeTag, newTask, notAuthorized } from "./writes.ts";

const MAX_PAGE_SIZE = 100;
const COMMENTS_PER_PAGE = 25;
const WINDOW_SECONDS = 60;

/** https://developer.clickup.com/docs/common_errors */
const ERRORS: Record<number, [err: string, ECODE: string]> = {
  400: ["Invalid input", "INPUT_001"],
  401: ["Token invalid", "OAUTH_025"],
  403: ["You do not have access", "ACCESS_001"],
  404: ["Route not found", "APP_001"],
  429: ["Rate limit reached", "APP_002"],
};

const failure = (status: number): EmulatedReply =>
  errorReply(status, ...(ERRORS[status] ?? ["Internal server error", "INT_001"]));

const isTrue = (query: URLSearchParams, name: string) => ["true", "1"].includes(query.get(name) ?? "");

/** A task as it is sent: the description in Markdown only on request. */
const shown =
  ({ query }: EmulatedRequest) =>
  ({ markdown_description, ...task }: SandboxTask) =>
    isTrue(query, "include_markdown_description") ? { ...task, markdown_description } : task;

function pageOf(tasks: SandboxTask[], request: EmulatedRequest): EmulatedReply {
  const { query } = request;
  const page = wholeNumber(query.get("page"), { fallback: 0, min: 0 }, () =>
    errorReply(400, "Page invalid", "INPUT_002"),
  );
  const assignees = query.getAll("assignees[]");
  if (assignees.some((id) => !/^\d+$/.test(id))) refuse(errorReply(400, "Assignee invalid", "INPUT_003"));
  const wanted = tasks.filter(
    ({ status, parent, date_updated, assignees: assigned }) =>
      (assignees.length === 0 || assigned.some(({ id }) => assignees.includes(String(id)))) &&
      (isTrue(query, "include_closed") || status.type !== "closed") &&
      (isTrue(query, "subtasks") || parent === null) &&
      Number(date_updated) > Number(query.get("date_updated_gt") ?? 0),
  );
  const { items, next } = cut(wanted, page * MAX_PAGE_SIZE, MAX_PAGE_SIZE);
  return reply(200, { tasks: items.map(shown(request)), last_page: next === undefined });
}

const teams = collection({ items: (_: State) => TEAMS, parameter: "team", notFound: notAuthorized });
const spaces = collection({ items: (_: State) => SPACES, parameter: "space", notFound: notAuthorized });

const lists = collection({
  items: ({ lists }: State) => lists,
  parameter: "list",
  notFound: notAuthorized,
  show: (list) => ({ ...list, statuses: STATUSES }),
});

const tasks = collection({
  items: ({ tasks }: State) => tasks,
  parameter: "task",
  notFound: () => errorReply(404, "Task not found, deleted", "ITEM_013"),
  show: (task, request) => shown(request)(task),
  create: newTask,
  created: 200,
  newestFirst: true,
  update: changedTask,
});

/** One workspace has custom fields of its own. */
const fieldsOf = (team: string | undefined) => (team === SPRINT.team ? FIELDS.map(listed) : []);

/** Tasks that are in several lists only on request. */
function tasksIn({ id }: { id: string }, request: EmulatedRequest, state: State): EmulatedReply {
  const isSeveralIncluded = isTrue(request.query, "include_timl");
  const found = state.tasks.filter(({ list, locations }) =>
    isSeveralIncluded ? [list, ...locations].some((place) => place.id === id) : list.id === id && !locations.length,
  );
  return pageOf(found, request);
}

function foldersIn(space: string, all: State["lists"]): object[] {
  const inFolders = all.filter((list) => list.space.id === space && !list.folder.hidden);
  const folders = new Map(inFolders.map((list) => [list.folder.id, list]));
  return [...folders.values()].map(({ folder: { access: _, ...folder }, space }, orderindex) => ({
    ...folder,
    space,
    orderindex,
    override_statuses: false,
    task_count: "0",
    lists: inFolders.filter((list) => list.folder.id === folder.id),
  }));
}

export default emulate<State>({
  state: makeState,
  changes,
  hooks,
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
    "GET /api/v2/team": () => reply(200, { teams: TEAMS }),
    "GET /api/v2/team/:team/task": teams.below(({ id }, request, state) =>
      pageOf(
        state.tasks.filter(({ team_id }) => team_id === id),
        request,
      ),
    ),
    "GET /api/v2/team/:team/space": teams.below(({ id }) => {
      const own = LISTS.filter(({ team }) => team === id).map(({ space }) => space);
      return reply(200, { spaces: SPACES.filter((space) => own.includes(space.id)) });
    }),
    "GET /api/v2/space/:space/folder": spaces.below(({ id }, _, state) =>
      reply(200, { folders: foldersIn(id, state.lists) }),
    ),
    "GET /api/v2/space/:space/list": spaces.below(({ id }, _, state) =>
      reply(200, { lists: state.lists.filter(({ folder, space }) => space.id === id && folder.hidden) }),
    ),
    "GET /api/v2/team/:team/field": teams.below(({ id }) => reply(200, { fields: fieldsOf(id) })),
    "GET /api/v2/list/:list": lists.get,
    "GET /api/v2/list/:list/field": lists.below(({ space }) =>
      reply(200, { fields: fieldsOf(LISTS.find((list) => list.space === space.id)?.team) }),
    ),
    "GET /api/v2/list/:list/task": lists.below(tasksIn),
    "POST /api/v2/list/:list/task": tasks.create,
    "GET /api/v2/task/:task": tasks.get,
    "PUT /api/v2/task/:task": tasks.update,
    "POST /api/v2/task/:task/field/:field": tasks.below(setField(true)),
    "DELETE /api/v2/task/:task/field/:field": tasks.below(setField(false)),
    "POST /api/v2/task/:task/tag/:tag": tasks.below(changeTag(true)),
    "DELETE /api/v2/task/:task/tag/:tag": tasks.below(changeTag(false)),
    "GET /api/v2/task/:task/comment": tasks.below(({ id }, { query }, { comments }) => {
      const all = comments.get(id)!;
      // Without one of the two the newest comments are sent again.
      const isNext = query.has("start") && query.has("start_id");
      const from = isNext ? all.findIndex((one) => one.id === query.get("start_id")) + 1 : 0;
      return reply(200, { comments: all.slice(from, from + COMMENTS_PER_PAGE) });
    }),
    "POST /api/v2/task/:task/comment": tasks.below(addComment),
    ...hookRoutes(teams.find),
  },
  tokenAnswer: ({ access_token }) => reply(200, { access_token, token_type: "Bearer" }),
  // https://developer.clickup.com/docs/common_errors
  tokenFailure(error) {
    if (error === "invalid_client") return errorReply(401, "Client not found", "OAUTH_010");
    if (error === "invalid_grant") return errorReply(401, "Code not found", "OAUTH_014");
    return errorReply(400, "Client id, secret and code are required", "OAUTH_004");
  },
});
