import type { EmulatedReply, EmulatedRequest } from "../../contracts/emulator.ts";
import { emulate, reply } from "../../provider-kit/emulator.ts";
import { type Content, makeState, type State } from "./sandbox-data.ts";

const MAX_PAGE_SIZE = 50;

const MESSAGES: Record<number, string> = {
  400: "bad request",
  401: "invalid username, password or token",
  403: "token does not have at least one of required scope(s)",
  404: "not found",
  422: "validation failed",
};

const failure = (status: number, message = MESSAGES[status] ?? "") =>
  reply(status, { message, url: "https://gitea.com/api/swagger" });

const toCount = (value: string | null) => Math.max(Number(value) || 0, 0);

interface PaginateOptions {
  /** Sent instead of an empty list. */
  empty?: null;
  /** Whether responses have a Link header. */
  linked?: boolean;
}

/** One page of at most 50 items, with the total in a header and, for most lists, the next page in the Link header. */
function paginate(
  request: EmulatedRequest,
  items: unknown[],
  { empty, linked = true }: PaginateOptions = {},
): EmulatedReply {
  const { query } = request;
  const size = Math.min(toCount(query.get("limit")) || 30, MAX_PAGE_SIZE);
  const page = toCount(query.get("page")) || 1;
  const last = Math.max(1, Math.ceil(items.length / size));
  const link = (number: number, rel: string) => {
    const next = new URLSearchParams(query);
    next.set("page", String(number));
    return `<${request.origin}${request.path}?${next}>; rel="${rel}"`;
  };
  const links = [
    ...(page < last ? [link(page + 1, "next"), link(last, "last")] : []),
    ...(page > 1 ? [link(1, "first"), link(page - 1, "prev")] : []),
  ];
  return reply(200, items.length === 0 && empty === null ? null : items.slice((page - 1) * size, page * size), {
    "x-total-count": String(items.length),
    ...(linked && links.length > 0 ? { link: links.join(",") } : {}),
  });
}

const byState = <Item extends { state: string }>({ query }: EmulatedRequest, items: Item[]) => {
  const state = query.get("state") || "open";
  return state === "all" ? items : items.filter((item) => item.state === state);
};

/** A route below a repository: 404 if the repository does not exist, an empty list if it has no content. */
const repositoryRoute =
  (pick: (content: Content, request: EmulatedRequest) => unknown[], options?: PaginateOptions) =>
  (request: EmulatedRequest, state: State): EmulatedReply => {
    const fullName = `${request.params.owner}/${request.params.repo}`;
    const repository = state.repositories.find(({ full_name }) => full_name === fullName);
    if (!repository) return failure(404);
    const content = state.content.get(fullName);
    return paginate(request, content ? pick(content, request) : [], options);
  };

function issues({ issues: all }: Content, request: EmulatedRequest): unknown[] {
  const type = request.query.get("type");
  const wanted = byState(request, all);
  return type === "issues" || type === "pulls"
    ? wanted.filter(({ pull_request }) => (pull_request !== null) === (type === "pulls"))
    : wanted;
}

function releases({ releases: all }: Content, { query }: EmulatedRequest): unknown[] {
  const draft = query.get("draft");
  return draft ? all.filter((release) => String(release.draft) === draft) : all;
}

export default emulate<State>({
  state: makeState,
  failure: (status) => failure(status),
  unauthorized: (_, reason) => failure(401, reason === "missing" ? "token is required" : MESSAGES[401]),
  routes: {
    "GET /api/v1/user": (_, { me }) => reply(200, me),
    "GET /api/v1/user/repos": (request, { repositories }) => paginate(request, repositories),
    "GET /api/v1/repos/:owner/:repo": ({ params }, { repositories }) => {
      const found = repositories.find(({ full_name }) => full_name === `${params.owner}/${params.repo}`);
      return found ? reply(200, found) : failure(404);
    },
    "GET /api/v1/repos/:owner/:repo/pulls": repositoryRoute(({ pulls }, request) => byState(request, pulls)),
    "GET /api/v1/repos/:owner/:repo/issues": repositoryRoute(issues),
    "GET /api/v1/repos/:owner/:repo/tags": repositoryRoute(({ tags }) => tags, { linked: false }),
    "GET /api/v1/repos/:owner/:repo/releases": repositoryRoute(releases),
    "GET /api/v1/repos/:owner/:repo/branches": repositoryRoute(({ branches }) => branches, { empty: null }),
  },
  tokenAnswer: ({ scope: _, ...standard }) =>
    reply(200, { ...standard, token_type: "bearer" }, { "cache-control": "no-store" }),
  // Gitea reports an invalid grant as `unauthorized_client`.
  tokenFailure(error, description) {
    const status = 400;
    if (error !== "invalid_grant") return reply(status, { error, error_description: description });
    return reply(status, { error: "unauthorized_client", error_description: "unable to parse refresh token" });
  },
});
