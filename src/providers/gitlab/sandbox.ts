import type { EmulatedReply, EmulatedRequest } from "../../contracts/emulator.ts";
import { emulate, reply } from "../../provider-kit/emulator.ts";
import { type Content, makeState, type Project, type State, time } from "./sandbox-data.ts";

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
  // Too many requests are turned away before GitLab itself sees them.
  if (status === 429) return reply(429, "Retry later\n");
  return reply(status, { message: MESSAGES[status] ?? `${status} Error` });
}

type Fields = Record<string, string>;

/** A link as GitLab writes it: with the defaults of the parameters, and with what stands in the path as `id`. */
function link(request: EmulatedRequest, rel: string, changes: Fields, defaults: Fields = {}): string {
  const { params, query: given } = request;
  const query = new URLSearchParams({ ...defaults, ...params, ...Object.fromEntries(given), ...changes });
  query.sort();
  return `<${request.origin}${request.path}?${query}>; rel="${rel}"`;
}

const sizeOf = ({ query }: EmulatedRequest) => Math.min(Math.max(Number(query.get("per_page") ?? 20) || 20, 1), 100);

/** Cuts a page by its number. https://docs.gitlab.com/api/rest/#offset-based-pagination */
function paged(request: EmulatedRequest, items: unknown[], defaults?: Fields): EmulatedReply {
  const size = sizeOf(request);
  const page = Math.max(Number(request.query.get("page") ?? 1) || 1, 1);
  const last = Math.max(1, Math.ceil(items.length / size));
  const to = (number: number, rel: string) =>
    link(request, rel, { page: String(number), per_page: String(size) }, defaults);
  const links = [
    ...(page > 1 ? [to(page - 1, "prev")] : []),
    ...(page < last ? [to(page + 1, "next")] : []),
    to(1, "first"),
    to(last, "last"),
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

/** Goes on after a key; only an empty page is the last. https://docs.gitlab.com/api/rest/#keyset-based-pagination */
function byKey(request: EmulatedRequest, projects: Project[]): EmulatedReply {
  const { query } = request;
  if (query.get("order_by") !== "id")
    return reply(405, { error: "Keyset pagination is not yet available for this type of request" });
  const ascending = query.get("sort") === "asc";
  const after = Number(query.get("id_after") ?? 0);
  const before = Number(query.get("id_before") ?? Number.POSITIVE_INFINITY);
  const page = projects
    .filter(({ id }) => id > after && id < before)
    .sort((one, other) => (ascending ? one.id - other.id : other.id - one.id))
    .slice(0, sizeOf(request));
  const last = page.at(-1);
  if (!last) return reply(200, []);
  return reply(200, page, {
    link: link(request, "next", { [ascending ? "id_after" : "id_before"]: String(last.id) }),
  });
}

function listProjects(request: EmulatedRequest, { projects }: State): EmulatedReply {
  // Without it the list is that of all public projects: none of the sandbox's user.
  const own = request.query.get("membership") === "true" ? projects : [];
  if (request.query.get("pagination") === "keyset") return byKey(request, own);
  return paged(request, own, {
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

/** By its number, or by its path in any case. */
const findProject = ({ projects }: State, id = "") =>
  projects.find((one) => String(one.id) === id || one.path_with_namespace.toLowerCase() === id.toLowerCase());

/** A route below a project: 404 where that does not exist, empty where it has nothing. */
const below =
  (pick: (content: Content) => object[], states?: string[]) =>
  (request: EmulatedRequest, data: State): EmulatedReply => {
    const project = findProject(data, request.params.id);
    if (!project) return reply(404, { message: "404 Project Not Found" });
    const state = request.query.get("state") ?? "all";
    if (states && state !== "all" && !states.includes(state))
      return reply(400, { error: "state does not have a valid value" });
    const content = data.content.get(project.id);
    const items: { state?: string }[] = content ? pick(content) : [];
    return paged(request, states && state !== "all" ? items.filter((item) => item.state === state) : items);
  };

export default emulate<State>({
  state: makeState,
  failure,
  // https://docs.gitlab.com/api/rest/authentication/
  credential: ({ headers, query }) =>
    headers["private-token"] ?? query.get("private_token") ?? headers.authorization?.trim().split(/\s+/).at(-1),
  unauthorized(_, reason) {
    const texts = {
      expired: "Token is expired. You can either do re-authorization or token refresh.",
      revoked: "Token was revoked. You have to re-authorize from the user.",
    };
    if (reason !== "expired" && reason !== "revoked") return failure(401);
    return reply(401, { error: "invalid_token", error_description: texts[reason] });
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
    "GET /api/v4/projects/:id/merge_requests": below(
      ({ mergeRequests }) => mergeRequests,
      ["opened", "closed", "locked", "merged"],
    ),
    "GET /api/v4/projects/:id/issues": below(({ issues }) => issues, ["opened", "closed"]),
    "GET /api/v4/projects/:id/repository/tags": below(({ tags }) => tags),
    "GET /api/v4/projects/:id/releases": below(({ releases }) => releases),
    "GET /api/v4/projects/:id/repository/branches": below(({ branches }) => branches),
  },
  tokenAnswer: (standard) =>
    reply(
      200,
      { ...standard, scope: standard.scope ?? "read_api", created_at: Math.floor(Date.now() / 1000) },
      { "cache-control": "no-store" },
    ),
});
