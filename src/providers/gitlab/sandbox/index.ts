import {
  type EmulatedReply,
  type EmulatedRequest,
  emulate,
  hasWords,
  numberedPage,
  type RefusedToken,
  refuse,
  reply,
} from "../../../emulator-kit/index.ts";
import { changes } from "./changes.ts";
import { issue, type Project, time } from "./data.ts";
import { note } from "./history.ts";
import { hookRoutes, hooks } from "./hooks.ts";
import { mcp } from "./mcp.ts";
import { type Content, makeState, type State } from "./state.ts";

const PAGE_SIZE = { fallback: 20, max: 100 };

const MESSAGES: Record<number, string> = {
  400: "400 Bad request",
  401: "401 Unauthorized",
  403: "403 Forbidden",
  404: "404 Not Found",
  422: "422 Unprocessable Entity",
  500: "500 Internal Server Error",
};

function failure(status: number): EmulatedReply {
  if (status === 404) return reply(404, { error: MESSAGES[404] });
  // Rate limits are enforced in front of GitLab itself, so the body is plain text.
  if (status === 429) return reply(429, "Retry later\n");
  return reply(status, { message: MESSAGES[status] ?? `${status} Error` });
}

const REFUSED_TOKENS: Partial<Record<RefusedToken, string>> = {
  expired: "Token is expired. You can either do re-authorization or token refresh.",
  revoked: "Token was revoked. You have to re-authorize from the user.",
};

type Fields = Record<string, string | number>;

/** A link as GitLab writes it: with default parameter values, and with the path parameter `id` in the query. */
function link({ origin, path, params, query: given }: EmulatedRequest, rel: string, changes: Fields): string {
  const query = Object.entries({ ...params, ...Object.fromEntries(given), ...changes });
  const sorted = new URLSearchParams(query.map(([name, value]): [string, string] => [name, String(value)]));
  sorted.sort();
  return `<${origin}${path}?${sorted}>; rel="${rel}"`;
}

/** One page by its number. https://docs.gitlab.com/api/rest/#offset-based-pagination */
function paginate(request: EmulatedRequest, all: unknown[], defaults: Fields = {}): EmulatedReply {
  const { items, size, page, last } = numberedPage(request, all, PAGE_SIZE);
  const pages = Object.entries({
    ...(page > 1 && { prev: page - 1 }),
    ...(page < last && { next: page + 1 }),
    first: 1,
    last,
  });
  return reply(200, items, {
    link: pages.map(([rel, number]) => link(request, rel, { ...defaults, page: number, per_page: size })).join(", "),
    "x-next-page": page < last ? String(page + 1) : "",
    "x-page": String(page),
    "x-per-page": String(size),
    "x-total": String(all.length),
    "x-total-pages": String(last),
  });
}

/** One page after a key; only an empty page is the last one. https://docs.gitlab.com/api/rest/#keyset-based-pagination */
function paginateByKey(request: EmulatedRequest, projects: Project[]): EmulatedReply {
  const { query } = request;
  if (query.get("order_by") !== "id")
    return reply(405, { error: "Keyset pagination is not yet available for this type of request" });
  const ascending = query.get("sort") === "asc";
  const after = Number(query.get("id_after") ?? 0);
  const before = Number(query.get("id_before") ?? Number.POSITIVE_INFINITY);
  const found = projects
    .filter(({ id }) => id > after && id < before)
    .sort((one, other) => (ascending ? one.id - other.id : other.id - one.id));
  const { items } = numberedPage(request, found, PAGE_SIZE);
  const next = items.map(({ id }) => link(request, "next", { [ascending ? "id_after" : "id_before"]: id })).at(-1);
  return reply(200, items, next === undefined ? {} : { link: next });
}

/** What GitLab takes for true: https://dry-rb.org/gems/dry-types/1.2/built-in-types/ (`params.bool`) */
const TRUE = /^(?:1|on|t|true|y|yes)$/i;

function listProjects(request: EmulatedRequest, { projects }: State): EmulatedReply {
  // Without `membership` the list has all public projects, and none of them belongs to the sandbox's user.
  const listed = TRUE.test(request.query.get("membership") ?? "") ? projects : [];
  return request.query.get("pagination") === "keyset"
    ? paginateByKey(request, listed)
    : paginate(request, listed, { imported: "false", include_hidden: "false", order_by: "created_at", sort: "desc" });
}

const noProject = () => reply(404, { message: "404 Project Not Found" });

/** By id, or by path, which is not case-sensitive. */
function findProject({ params }: EmulatedRequest, { projects }: State): Project {
  const id = params.id!.toLowerCase();
  const found = projects.find((one) => String(one.id) === id || one.path_with_namespace.toLowerCase() === id);
  return found ?? refuse(noProject());
}

const findIssue = ({ params }: EmulatedRequest, { issues }: Content) =>
  issues.find(({ iid }) => String(iid) === params.issue_iid) ?? refuse(reply(404, { message: "404 Not found" }));

/** A list below a project, which is empty if the project has no content. */
const list =
  (pick: (content: Content, request: EmulatedRequest) => object[]) =>
  (request: EmulatedRequest, state: State): EmulatedReply => {
    const content = state.content.get(findProject(request, state).id);
    return paginate(request, content ? pick(content, request) : []);
  };

/** Filters issues or merge requests by state, by the time of their last update, and by text. */
function select<Item extends { state: string; updated_at: string; title: string; description: string | null }>(
  items: Item[],
  { query }: EmulatedRequest,
  states: string[],
): Item[] {
  const state = query.get("state") ?? "all";
  if (!["all", ...states].includes(state)) refuse(reply(400, { error: "state does not have a valid value" }));
  const after = Date.parse(query.get("updated_after") ?? "") || 0;
  return items.filter(
    (item) =>
      (state === "all" || item.state === state) &&
      Date.parse(item.updated_at) >= after &&
      hasWords(query.get("search") ?? "", item.title, item.description),
  );
}

/** The tip of each branch but the default one is a commit of its own. An unknown branch has no commits. */
function commits({ commits: all, branches }: Content, { query }: EmulatedRequest): object[] {
  const index = branches.findIndex(({ name }) => name === (query.get("ref_name") ?? "main"));
  if (index <= 0) return index === 0 ? all : [];
  return [branches[index]!.commit, ...all.slice(index)];
}

function issueNotes(content: Content, request: EmulatedRequest): object[] {
  const all = content.notesOf(findIssue(request, content).iid);
  return request.query.get("sort") === "asc" ? all : all.toReversed();
}

function createIssue(request: EmulatedRequest, state: State): EmulatedReply {
  const project = findProject(request, state);
  const content = state.content.get(project.id) ?? refuse(noProject());
  const { title, description = null, labels = "", assignee_ids = [] } = request.body ?? {};
  if (typeof title !== "string") return reply(400, { error: "title is missing" });
  const iid = 1 + Math.max(...content.issues.map((one) => one.iid));
  const at = new Date().toISOString();
  const created = {
    ...issue(project, iid, state.me),
    ...{ title, description, state: "opened", closed_at: null, closed_by: null, confidential: false },
    ...{ created_at: at, updated_at: at },
    labels: labels === "" ? [] : labels.split(","),
    // Users that do not exist are ignored.
    assignees: state.people.filter(({ id }) => assignee_ids.includes(id)),
  };
  content.issues.unshift(created);
  return reply(201, created);
}

function createNote(request: EmulatedRequest, state: State): EmulatedReply {
  const content = state.content.get(findProject(request, state).id) ?? refuse(noProject());
  const found = findIssue(request, content);
  const { body } = request.body ?? {};
  if (typeof body !== "string") return reply(400, { error: "body is missing" });
  const all = content.notesOf(found.iid);
  const at = new Date().toISOString();
  const created = { ...note(found.iid, state.me, all.length), body, system: false, created_at: at, updated_at: at };
  found.user_notes_count = all.push(created);
  return reply(201, created);
}

export default emulate<State>({
  state: makeState,
  changes,
  hooks,
  mcp,
  failure,
  // https://docs.gitlab.com/api/rest/authentication/
  credential: ({ headers, query }) =>
    headers["private-token"] ?? query.get("private_token") ?? headers.authorization?.trim().split(/\s+/).at(-1),
  unauthorized(_, reason) {
    const error_description = REFUSED_TOKENS[reason];
    return error_description ? reply(401, { error: "invalid_token", error_description }) : failure(401);
  },
  headers: () => ({
    "ratelimit-limit": "2000",
    "ratelimit-remaining": "1999",
    "ratelimit-reset": String(Math.floor(Date.now() / 1000) + 60),
  }),
  routes: {
    "GET /api/v4/user": (_, { me }) => reply(200, { ...me, email: "sandbox@example.com", created_at: time(0) }),
    "GET /api/v4/projects": listProjects,
    "GET /api/v4/projects/:id": (request, state) => reply(200, findProject(request, state)),
    "GET /api/v4/projects/:id/merge_requests": list(({ mergeRequests }, request) =>
      select(mergeRequests, request, ["opened", "closed", "locked", "merged"]),
    ),
    "GET /api/v4/projects/:id/issues": list(({ issues }, request) => select(issues, request, ["opened", "closed"])),
    "POST /api/v4/projects/:id/issues": createIssue,
    "GET /api/v4/projects/:id/issues/:issue_iid/notes": list(issueNotes),
    "POST /api/v4/projects/:id/issues/:issue_iid/notes": createNote,
    "GET /api/v4/users": (request, { people }) =>
      paginate(
        request,
        people.filter(({ username }) => username === request.query.get("username")),
      ),
    "GET /api/v4/projects/:id/repository/commits": list(commits),
    "GET /api/v4/projects/:id/repository/tags": list(({ tags }) => tags),
    "GET /api/v4/projects/:id/releases": list(({ releases }) => releases),
    "GET /api/v4/projects/:id/repository/branches": list(({ branches }) => branches),
    ...hookRoutes(findProject),
  },
  tokenAnswer: (standard) =>
    reply(
      200,
      { ...standard, scope: standard.scope ?? "read_api", created_at: Math.floor(Date.now() / 1000) },
      { "cache-control": "no-store" },
    ),
});
