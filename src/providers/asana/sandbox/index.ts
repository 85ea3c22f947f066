import {
  collection,
  cut,
  type EmulatedReply,
  type EmulatedRequest,
  emulate,
  linkTo,
  makeCursor,
  readCursor,
  refuse,
  reply,
  wholeNumber,
} from "../../../emulator-kit/index.ts";
import { changes } from "./changes.ts";
import { FIELDS } from "./custom-fields.ts";
import { account, HOME, ME, makeState, type SandboxTask, type State, TAGS, WORKSPACES } from "./data.ts";
import { hookRoutes, hooks } from "./hooks.ts";
import { mcp } from "./mcp.ts";
import { errorReply, findBy, shown, unknownObject } from "./replies.ts";
import { addStory, changedTask, changePlace, newTask, setParent } from "./writes.ts";

const MAX_PAGE_SIZE = 100;
const COMPACT = "gid,name,resource_type";

/** https://developers.asana.com/docs/errors */
const MESSAGES: Record<number, string> = {
  400: "Bad Request",
  401: "Not Authorized",
  403: "Forbidden",
  404: "Not Found",
  429: "You have made too many requests recently. Please, be chill.",
};

const failure = (status: number): EmulatedReply =>
  errorReply(status, MESSAGES[status] ?? "Server Error", status === 429 ? { "retry-after": "30" } : {});

/** Without a limit the whole list is returned: https://developers.asana.com/docs/pagination */
function paginate(request: EmulatedRequest, all: object[], compact = COMPACT): EmulatedReply {
  const { query, path, origin } = request;
  const limit = wholeNumber(query.get("limit"), { fallback: MAX_PAGE_SIZE, max: MAX_PAGE_SIZE }, () =>
    errorReply(400, `limit: Must be between 1 and ${MAX_PAGE_SIZE}`),
  );
  const first = { list: path, start: 0 };
  const { list, start } = query.has("offset") ? (readCursor<typeof first>(query.get("offset")!) ?? {}) : first;
  if (list !== path || start === undefined) return errorReply(400, "offset: Your pagination token is invalid.");
  const { items, next } = cut(all, start, query.has("limit") ? limit : all.length);
  const offset = makeCursor({ list, start: next });
  const uri = linkTo(request, { offset });
  const next_page = next === undefined ? null : { offset, path: uri.replace(`${origin}/api/1.0`, ""), uri };
  const data = items.map((item) => shown(item, request, compact));
  return reply(200, { data, ...(query.has("limit") && { next_page }) });
}

const one = (data: unknown, status: number) => reply(status, { data });

const projects = collection({
  items: ({ projects }: State) => projects,
  parameter: "project",
  names: ({ gid }) => [gid],
  notFound: ({ params }) => unknownObject("project", params.project),
  select: (all, { query }) => all.filter(({ workspace }) => [null, workspace.gid].includes(query.get("workspace"))),
  page: (found, request) => paginate(request, found),
  show: (project, request) => shown(project, request),
  one,
});

/** Of a project, or of a person in a workspace. */
function selectTasks(all: SandboxTask[], { query }: EmulatedRequest, state: State): SandboxTask[] {
  const [project, workspace, assignee] = ["project", "workspace", "assignee"].map((name) => query.get(name));
  const since = query.get("modified_since") ?? "1970-01-01";
  if (Number.isNaN(Date.parse(since))) refuse(errorReply(400, `modified_since: Not a recognized date: ${since}`));
  const isOpenOnly = query.get("completed_since") === "now";
  const modified = all.filter(
    ({ modified_at, completed }) => Date.parse(modified_at) >= Date.parse(since) && !(isOpenOnly && completed),
  );
  if (project && !workspace && !assignee) {
    findBy(state.projects, "project", project);
    return modified.filter((task) => task.projects.some(({ gid }) => gid === project));
  }
  if (!project && workspace && assignee) {
    findBy(WORKSPACES, "workspace", workspace);
    const user = assignee === "me" ? ME.gid : assignee;
    return modified.filter((task) => task.workspace.gid === workspace && task.assignee?.gid === user);
  }
  const message = "Must specify exactly one of project, tag, section, user task list, or assignee + workspace";
  return refuse(errorReply(400, message));
}

const tasks = collection<State, SandboxTask>({
  items: ({ tasks }) => tasks,
  parameter: "task",
  names: ({ gid }) => [gid],
  notFound: ({ params }) => unknownObject("task", params.task),
  select: selectTasks,
  page: (found, request) => paginate(request, found, `${COMPACT},resource_subtype`),
  show: (task, request) => shown(task, request),
  one,
  create: newTask,
  update: changedTask,
});

export default emulate<State>({
  state: makeState,
  changes,
  hooks,
  mcp,
  failure,
  unauthorized: (_, reason) =>
    reason === "expired"
      ? errorReply(
          401,
          "The bearer token has expired. If you have a refresh token, please use it to request a new bearer token, otherwise allow the user to re-authenticate.",
        )
      : failure(401),
  headers: () => ({ "x-asana-api-version": "1.1" }),
  routes: {
    "GET /api/1.0/users/me": (request) => reply(200, { data: shown(account, request) }),
    "GET /api/1.0/workspaces": (request) => paginate(request, WORKSPACES),
    "GET /api/1.0/workspaces/:workspace/tags": (request) => paginate(request, TAGS),
    "GET /api/1.0/workspaces/:workspace/custom_fields": (request) =>
      findBy(WORKSPACES, "workspace", request.params.workspace) === HOME
        ? paginate(request, FIELDS)
        : errorReply(402, "Custom Fields are not available for free users or guests of a workspace."),
    "GET /api/1.0/projects": projects.list,
    "GET /api/1.0/projects/:project": projects.get,
    "GET /api/1.0/tasks": tasks.list,
    "POST /api/1.0/tasks": tasks.create,
    "GET /api/1.0/tasks/:task": tasks.get,
    "PUT /api/1.0/tasks/:task": tasks.update,
    "POST /api/1.0/tasks/:task/setParent": tasks.below(setParent),
    "POST /api/1.0/tasks/:task/addTag": tasks.below(changePlace("tag", true)),
    "POST /api/1.0/tasks/:task/removeTag": tasks.below(changePlace("tag", false)),
    "POST /api/1.0/tasks/:task/addProject": tasks.below(changePlace("project", true)),
    "POST /api/1.0/tasks/:task/removeProject": tasks.below(changePlace("project", false)),
    "GET /api/1.0/tasks/:task/stories": tasks.below(({ gid }, request, { stories }) =>
      paginate(request, stories.get(gid)!, "resource_type,resource_subtype,created_at,created_by.name"),
    ),
    "POST /api/1.0/tasks/:task/stories": tasks.below(addStory),
    ...hookRoutes,
  },
  // A refresh returns no new refresh token, and the existing one stays valid.
  tokenAnswer: ({ access_token, refresh_token, expires_in }) =>
    reply(200, {
      access_token,
      token_type: "bearer",
      expires_in,
      data: { id: Number(ME.gid), gid: ME.gid, name: ME.name, email: account.email },
      ...(refresh_token ? { refresh_token } : {}),
    }),
});
