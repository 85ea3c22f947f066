import type { EmulatedReply, EmulatedRequest } from "../../contracts/emulator.ts";
import { emulate, reply } from "../../provider-kit/emulator.ts";
import { makeState, me, type State, WORKSPACES } from "./sandbox-data.ts";

const HELP =
  "For more information on API status codes and how to handle them, read the docs on errors: https://developers.asana.com/docs/errors";
const MAX_PAGE_SIZE = 100;

const errorReply = (status: number, message: string, headers?: Record<string, string>) =>
  reply(status, { errors: [{ message, help: HELP }] }, headers);

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

type Resource = { gid: string; resource_type: string } & Record<string, unknown>;

const isResource = (value: unknown): value is Resource => typeof value === "object" && value !== null && "gid" in value;

/** A resource with the requested fields. A nested one has only its id and type, unless fields of it were requested. */
function selectFields(item: Resource, requested: string[] | undefined, compact: string[]): Record<string, unknown> {
  const { gid, resource_type } = item;
  if (!requested) return Object.fromEntries(compact.map((name) => [name, item[name]]));
  const selected: Record<string, unknown> = { gid };
  const names = new Set(requested.map((path) => path.split(".")[0]!));
  for (const name of names) {
    const value = item[name];
    const inner = requested.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1));
    const nested = (field: unknown) =>
      isResource(field)
        ? selectFields(field, inner.length > 0 ? inner : ["resource_type"], ["gid", "resource_type"])
        : field;
    if (value !== undefined) selected[name] = Array.isArray(value) ? value.map(nested) : nested(value);
  }
  return names.has("resource_type") ? { ...selected, resource_type } : selected;
}

const makeOffset = (start: number, path: string) => Buffer.from(`${path}:${start}`).toString("base64url");

function readOffset(offset: string | null, path: string): number | undefined {
  if (offset === null) return 0;
  const [, start] = /^.*:(\d+)$/.exec(Buffer.from(offset, "base64url").toString()) ?? [];
  return start !== undefined && makeOffset(Number(start), path) === offset ? Number(start) : undefined;
}

/** Without a limit the whole list is returned: https://developers.asana.com/docs/pagination */
function paginate({ query, path, origin }: EmulatedRequest, items: Resource[], compact: string[]): EmulatedReply {
  const limit = query.get("limit");
  if (limit !== null && !(Number(limit) >= 1 && Number(limit) <= MAX_PAGE_SIZE))
    return errorReply(400, `limit: Must be between 1 and ${MAX_PAGE_SIZE}`);
  const start = readOffset(query.get("offset"), path);
  if (start === undefined) return errorReply(400, "offset: Your pagination token is invalid.");
  const requested = query.get("opt_fields")?.split(",");
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

const unknownObject = (parameter: string, gid: string) =>
  /^\d+$/.test(gid)
    ? errorReply(404, `${parameter}: Unknown object: ${gid}`)
    : errorReply(400, `${parameter}: Not a recognized ID: ${gid}`);

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

function listTasks(request: EmulatedRequest, { projects, tasks }: State): EmulatedReply {
  const { query } = request;
  const [project, workspace, assignee] = ["project", "workspace", "assignee"].map((name) => query.get(name));
  const compact = ["gid", "name", "resource_type", "resource_subtype"];
  if (project && !workspace && !assignee) {
    if (!projects.some(({ gid }) => gid === project)) return unknownObject("project", project);
    return paginate(
      request,
      tasks.filter((task) => task.projects.some(({ gid }) => gid === project)),
      compact,
    );
  }
  if (!project && workspace && assignee) {
    if (!WORKSPACES.some(({ gid }) => gid === workspace)) return unknownObject("workspace", workspace);
    const user = assignee === "me" ? me.gid : assignee;
    const found = tasks.filter((task) => task.workspace.gid === workspace && task.assignee?.gid === user);
    return paginate(request, found, compact);
  }
  return errorReply(400, "Must specify exactly one of project, tag, section, user task list, or assignee + workspace");
}

export default emulate<State>({
  state: makeState,
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
    "GET /api/1.0/users/me": () => reply(200, { data: me }),
    "GET /api/1.0/workspaces": (request) => paginate(request, WORKSPACES, ["gid", "name", "resource_type"]),
    "GET /api/1.0/projects": listProjects,
    "GET /api/1.0/tasks": listTasks,
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
