import type { EmulatedReply, EmulatedRequest } from "../../../contracts/emulator.ts";
import { emulate, reply } from "../../../emulator-kit/emulator.ts";
import { changes } from "./changes.ts";
import { issue, type Project, time } from "./data.ts";
import { note } from "./history.ts";
import { mcp } from "./mcp.ts";
import { type Content, makeState, type State } from "./state.ts";

const MESSAGES: Record<number, string> = {
  400: "400 Bad request",
  401: "401 Unauthorized",
  403: "403 Forbidden",
  404: "404 Not Found",
  405: "405 Method Not Allowed",
  422: "422 Unprocessable Entity",
  500: "500 Internal Server Error",
};

function failure(status: number): EmulatedReply {
  if (status === 404) return reply(404, { error: MESSAGES[404] });
  // Rate limits are enforced in front of GitLab itself, so the body is plain text.
  if (status === 429) return reply(429, "Retry later\n");
  return reply(status, { message: MESSAGES[status] ?? `${status} Error` });
}

type Fields = Record<string, string>;

/** A link as GitLab writes it: with default parameter values, and with the path parameter `id` in the query. */
function link(request: EmulatedRequest, rel: string, changes: Fields, defaults: Fields = {}): string {
  const { params, query: given } = request;
  const query = new URLSearchParams({ ...defaults, ...params, ...Object.fromEntries(given), ...changes });
  query.sort();
  return `<${request.origin}${request.path}?${query}>; rel="${rel}"`;
}

const pageSizeOf = ({ query }: EmulatedRequest) =>
  Math.min(Math.max(Number(query.get("per_page") ?? 20) || 20, 1), 100);

/** One page by its number. https://docs.gitlab.com/api/rest/#offset-based-pagination */
function paginate(request: EmulatedRequest, items: unknown[], defaults?: Fields): EmulatedReply {
  const size = pageSizeOf(request);
  const page = Math.max(Number(request.query.get("page") ?? 1) || 1, 1);
  const last = Math.max(1, Math.ceil(items.length / size));
  const linkTo = (number: number, rel: string) =>
    link(request, rel, { page: String(number), per_page: String(size) }, defaults);
  const links = [
    ...(page > 1 ? [linkTo(page - 1, "prev")] : []),
    ...(page < last ? [linkTo(page + 1, "next")] : []),
    linkTo(1, "first"),
    linkTo(last, "last"),
  ];
  return reply(200, items.slice((page - 1) * size, page * size), {
    link: links.join(", "),
    "x-next-page": page < last ? String(page + 1) : "",
    "x-page": String(page),
    "x-per-page": String(size),
    "x-prev-page": page > 1 ? String(page - 1) : "",
    "x-total": String(items.length),
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
  const page = projects
    .filter(({ id }) => id > after && id < before)
    .sort((one, other) => (ascending ? one.id - other.id : other.id - one.id))
    .slice(0, pageSizeOf(request));
  const last = page.at(-1);
  if (!last) return reply(200, []);
  return reply(200, page, {
    link: link(request, "next", { [ascending ? "id_after" : "id_before"]: String(last.id) }),
  });
}

/** What GitLab takes for true: https://dry-rb.org/gems/dry-types/1.2/built-in-types/ (`params.bool`) */
const TRUE = /^(?:1|on|t|true|y|yes)$/i;

function listProjects(request: EmulatedRequest, { projects }: State): EmulatedReply {
  // Without `membership` the list has all public projects, and none of them belongs to the sandbox's user.
  const listed = TRUE.test(request.query.get("membership") ?? "") ? projects : [];
  if (request.query.get("pagination") === "keyset") return paginateByKey(request, listed);
  return paginate(request, listed, {
    imported: "false",
    include_hidden: "false",
    order_by: "created_at",
    owned: "false",
    simple: "false",
    sort: "desc",
    starred: "false",
    statistics: "false",
    with_custom_attributes: "false",
  });
}

/** By id, or by path, which is not case-sensitive. */
const findProject = ({ projects }: State, id = "") =>
  projects.find(
    (project) => String(project.id) === id || project.path_with_namespace.toLowerCase() === id.toLowerCase(),
  );

/** A route below a project: 404 if that or what is picked does not exist, an empty list if it has no content. */
const projectRoute =
  (pick: (content: Content, request: EmulatedRequest) => object[] | EmulatedReply) =>
  (request: EmulatedRequest, data: State): EmulatedReply => {
    const project = findProject(data, request.params.id);
    if (!project) return reply(404, { message: "404 Project Not Found" });
    const content = data.content.get(project.id);
    const items = content ? pick(content, request) : [];
    return Array.isArray(items) ? paginate(request, items) : items;
  };

/** Filters issues or merge requests by state and by the time of their last update. */
function byStateAndTime<Item extends { state: string; updated_at: string }>(
  { query }: EmulatedRequest,
  items: Item[],
  states: string[],
): Item[] | EmulatedReply {
  const state = query.get("state") ?? "all";
  if (state !== "all" && !states.includes(state)) return reply(400, { error: "state does not have a valid value" });
  const after = Date.parse(query.get("updated_after") ?? "") || 0;
  return items.filter((item) => (state === "all" || item.state === state) && Date.parse(item.updated_at) >= after);
}

/** The tip of each branch but the default one is a commit of its own. An unknown branch has no commits. */
function commits({ commits: all, branches }: Content, { query }: EmulatedRequest): object[] {
  const index = branches.findIndex(({ name }) => name === (query.get("ref_name") ?? "main"));
  if (index <= 0) return index === 0 ? all : [];
  return [branches[index]!.commit, ...all.slice(index)];
}

function issueNotes({ issues, notesOf }: Content, { params, query }: EmulatedRequest): object[] | EmulatedReply {
  const found = issues.find(({ iid }) => String(iid) === params.issue_iid);
  if (!found) return reply(404, { message: "404 Not found" });
  const all = notesOf(found);
  return query.get("sort") === "asc" ? all : all.toReversed();
}

function createIssue({ body, params }: EmulatedRequest, state: State): EmulatedReply {
  const project = findProject(state, params.id);
  const content = project && state.content.get(project.id);
  if (!project || !content) return reply(404, { message: "404 Project Not Found" });
  const { title, description = null, labels = "", assignee_ids = [] } = body ?? {};
  if (typeof title !== "string") return reply(400, { error: "title is missing" });
  const iid = 1 + Math.max(...content.issues.map((one) => one.iid));
  const at = new Date().toISOString();
  // Users that do not exist are ignored.
  const assignees = state.people.filter(({ id }) => assignee_ids.includes(id));
  const created = {
    ...issue(project, iid, state.me),
    title,
    description,
    state: "opened",
    closed_at: null,
    closed_by: null,
    confidential: false,
    created_at: at,
    updated_at: at,
    user_notes_count: 0,
    labels: labels === "" ? [] : labels.split(","),
    assignees,
    assignee: assignees[0] ?? null,
  };
  content.issues.unshift(created);
  return reply(201, created);
}

function createNote({ body, params }: EmulatedRequest, state: State): EmulatedReply {
  const project = findProject(state, params.id);
  const content = project && state.content.get(project.id);
  if (!project || !content) return reply(404, { message: "404 Project Not Found" });
  const found = content.issues.find(({ iid }) => String(iid) === params.issue_iid);
  if (!found) return reply(404, { message: "404 Not found" });
  if (typeof body?.body !== "string") return reply(400, { error: "body is missing" });
  const all = content.notesOf(found);
  const at = new Date().toISOString();
  const created = {
    ...note(found, state.me, all.length),
    body: body.body,
    system: false,
    created_at: at,
    updated_at: at,
  };
  all.push(created);
  found.user_notes_count = all.length;
  return reply(201, created);
}

export default emulate<State>({
  state: makeState,
  changes,
  mcp,
  failure,
  // https://docs.gitlab.com/api/rest/authentication/
  credential: ({ headers, query }) =>
    headers["private-token"] ?? query.get("private_token") ?? headers.authorization?.trim().split(/\s+/).at(-1),
  unauthorized(_, reason) {
    const descriptions = {
      expired: "Token is expired. You can either do re-authorization or token refresh.",
      revoked: "Token was revoked. You have to re-authorize from the user.",
    };
    if (reason !== "expired" && reason !== "revoked") return failure(401);
    return reply(401, { error: "invalid_token", error_description: descriptions[reason] });
  },
  headers: () => ({
    "ratelimit-limit": "2000",
    "ratelimit-name": "throttle_authenticated_api",
    "ratelimit-observed": "1",
    "ratelimit-remaining": "1999",
    "ratelimit-reset": String(Math.floor(Date.now() / 1000) + 60),
  }),
  routes: {
    "GET /api/v4/user": (_, { me }) =>
      reply(200, {
        ...me,
        created_at: time(0),
        bio: "",
        location: "",
        email: "sandbox@example.com",
        last_sign_in_at: time(1),
        confirmed_at: time(0),
        projects_limit: 100_000,
        two_factor_enabled: true,
        external: false,
        private_profile: false,
      }),
    "GET /api/v4/projects": listProjects,
    "GET /api/v4/projects/:id": ({ params }, data) => {
      const project = findProject(data, params.id);
      return project ? reply(200, project) : reply(404, { message: "404 Project Not Found" });
    },
    "GET /api/v4/projects/:id/merge_requests": projectRoute(({ mergeRequests }, request) =>
      byStateAndTime(request, mergeRequests, ["opened", "closed", "locked", "merged"]),
    ),
    "GET /api/v4/projects/:id/issues": projectRoute(({ issues }, request) =>
      byStateAndTime(request, issues, ["opened", "closed"]),
    ),
    "GET /api/v4/projects/:id/issues/:issue_iid/notes": projectRoute(issueNotes),
    "POST /api/v4/projects/:id/issues": createIssue,
    "POST /api/v4/projects/:id/issues/:issue_iid/notes": createNote,
    "GET /api/v4/users": (request, { people }) =>
      paginate(
        request,
        people.filter(({ username }) => username === (request.query.get("username") ?? username)),
      ),
    "GET /api/v4/projects/:id/repository/commits": projectRoute(commits),
    "GET /api/v4/projects/:id/repository/tags": projectRoute(({ tags }) => tags),
    "GET /api/v4/projects/:id/releases": projectRoute(({ releases }) => releases),
    "GET /api/v4/projects/:id/repository/branches": projectRoute(({ branches }) => branches),
  },
  tokenAnswer: (standard) =>
    reply(
      200,
      { ...standard, scope: standard.scope ?? "read_api", created_at: Math.floor(Date.now() / 1000) },
      { "cache-control": "no-store" },
    ),
});
