import type { EmulatedReply, EmulatedRequest } from "../../../contracts/emulator.ts";
import { emulate, reply } from "../../../emulator-kit/emulator.ts";
import { changes } from "./changes.ts";
import { makeState, me, type State, TAGS, WORKSPACES } from "./data.ts";
import { mcp } from "./mcp.ts";
import { errorReply, HELP, type Resource, requestedFields, selectFields, taskRoute, unknownObject } from "./replies.ts";
import { writeRoutes } from "./writes.ts";

const MAX_PAGE_SIZE = 100;

/** https://developers.asana.com/docs/errors */
function failure(status: number): EmulatedReply {
  switch (status) {
    case 401:
      return errorReply(status, "Not Authorized");
    case 403:
      return errorReply(status, "Forbidden");
    case 404:
      return errorReply(status, "Not Found");
    case 429:
      return errorReply(status, "You have made too many requests recently. Please, be chill.", { "retry-after": "30" });
    case 400:
      return errorReply(status, "Bad Request");
    default:
      return reply(status, {
        errors: [{ message: "Server Error", phrase: "6 sad squid snuggle softly", help: HELP }],
      });
  }
}

const makeOffset = (start: number, path: string) => Buffer.from(`${path}:${start}`).toString("base64url");

function readOffset(offset: string | null, path: string): number | undefined {
  if (offset === null) return 0;
  const [, start] = /^.*:(\d+)$/.exec(Buffer.from(offset, "base64url").toString()) ?? [];
  return start !== undefined && makeOffset(Number(start), path) === offset ? Number(start) : undefined;
}

/** Without a limit the whole list is returned: https://developers.asana.com/docs/pagination */
function paginate(request: EmulatedRequest, items: Resource[], compact: string[]): EmulatedReply {
  const { query, path, origin } = request;
  const limit = query.get("limit");
  if (limit !== null && !(Number(limit) >= 1 && Number(limit) <= MAX_PAGE_SIZE))
    return errorReply(400, `limit: Must be between 1 and ${MAX_PAGE_SIZE}`);
  const start = readOffset(query.get("offset"), path);
  if (start === undefined) return errorReply(400, "offset: Your pagination token is invalid.");
  const requested = requestedFields(request);
  const itemsTo = (end?: number) => items.slice(start, end).map((item) => selectFields(item, requested, compact));
  if (limit === null) return reply(200, { data: itemsTo() });
  const end = start + Number(limit);
  if (end >= items.length) return reply(200, { data: itemsTo(end), next_page: null });
  const offset = makeOffset(end, path);
  const next = new URLSearchParams(query);
  next.set("offset", offset);
  const nextPath = `${path.replace("/api/1.0", "")}?${next}`;
  return reply(200, { data: itemsTo(end), next_page: { offset, path: nextPath, uri: `${origin}/api/1.0${nextPath}` } });
}

function listProjects(request: EmulatedRequest, { projects }: State): EmulatedReply {
  const workspace = request.query.get("workspace");
  if (workspace !== null && !WORKSPACES.some(({ gid }) => gid === workspace))
    return unknownObject("workspace", workspace);
  const archived = request.query.get("archived");
  const found = projects.filter(
    (project) =>
      (workspace === null || project.workspace.gid === workspace) &&
      (archived === null || String(project.archived) === archived),
  );
  return paginate(request, found, ["gid", "name", "resource_type"]);
}

function getProject(request: EmulatedRequest, { projects }: State): EmulatedReply {
  const found = projects.find(({ gid }) => gid === request.params.project);
  if (!found) return unknownObject("project", request.params.project!);
  return reply(200, { data: selectFields(found, requestedFields(request), Object.keys(found)) });
}

function listTasks(request: EmulatedRequest, { projects, tasks }: State): EmulatedReply {
  const { query } = request;
  const [project, workspace, assignee] = ["project", "workspace", "assignee"].map((name) => query.get(name));
  const since = query.get("modified_since");
  if (since !== null && Number.isNaN(Date.parse(since)))
    return errorReply(400, `modified_since: Not a recognized date: ${since}`);
  const modified = tasks.filter(({ modified_at }) => since === null || Date.parse(modified_at) >= Date.parse(since));
  const compact = ["gid", "name", "resource_type", "resource_subtype"];
  if (project && !workspace && !assignee) {
    if (!projects.some(({ gid }) => gid === project)) return unknownObject("project", project);
    return paginate(
      request,
      modified.filter((task) => task.projects.some(({ gid }) => gid === project)),
      compact,
    );
  }
  if (!project && workspace && assignee) {
    if (!WORKSPACES.some(({ gid }) => gid === workspace)) return unknownObject("workspace", workspace);
    const user = assignee === "me" ? me.gid : assignee;
    const found = modified.filter((task) => task.workspace.gid === workspace && task.assignee?.gid === user);
    return paginate(request, found, compact);
  }
  return errorReply(400, "Must specify exactly one of project, tag, section, user task list, or assignee + workspace");
}

function getMe(request: EmulatedRequest): EmulatedReply {
  return reply(200, { data: selectFields(me, requestedFields(request), Object.keys(me)) });
}

const getTask = taskRoute((task, request) =>
  reply(200, { data: selectFields(task, requestedFields(request), Object.keys(task)) }),
);

const listStories = taskRoute((task, request, { stories }) =>
  paginate(request, stories.get(task.gid)!, ["gid", "resource_type", "created_at", "created_by", "resource_subtype"]),
);

export default emulate<State>({
  state: makeState,
  changes,
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
    "GET /api/1.0/users/me": getMe,
    "GET /api/1.0/workspaces": (request) => paginate(request, WORKSPACES, ["gid", "name", "resource_type"]),
    "GET /api/1.0/projects": listProjects,
    "GET /api/1.0/tasks": listTasks,
    "GET /api/1.0/tasks/:task": getTask,
    "GET /api/1.0/tasks/:task/stories": listStories,
    "GET /api/1.0/projects/:project": getProject,
    "GET /api/1.0/workspaces/:workspace/tags": (request) => paginate(request, TAGS, ["gid", "name", "resource_type"]),
    ...writeRoutes,
  },
  // A refresh returns no new refresh token, and the existing one stays valid.
  tokenAnswer: ({ access_token, refresh_token, expires_in }) =>
    reply(200, {
      access_token,
      token_type: "bearer",
      expires_in,
      data: { id: Number(me.gid), gid: me.gid, name: me.name, email: me.email },
      ...(refresh_token ? { refresh_token } : {}),
    }),
});
