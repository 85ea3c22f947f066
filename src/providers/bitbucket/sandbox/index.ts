import type { EmulatedReply, EmulatedRequest } from "../../../contracts/emulator.ts";
import { emulate, isReply, reply } from "../../../emulator-kit/emulator.ts";
import { changes } from "./changes.ts";
import { type Content, makeState, type State, time } from "./data.ts";

const MESSAGES: Record<number, string> = {
  400: "Bad request",
  401: "Token is invalid, expired, or not supported for this endpoint.",
  403: "Forbidden",
  404: "Resource not found",
  429: "Rate limit for this resource has been exceeded",
};

const failure = (status: number, message = MESSAGES[status] ?? "Something went wrong") =>
  reply(status, { type: "error", error: { message } });

/** One page of a list, with the link to the next page in the body. A page size that is too large is refused. */
function paginate(request: EmulatedRequest, items: unknown[], maxPageSize = 100): EmulatedReply {
  const { query } = request;
  const size = Number(query.get("pagelen") ?? 10);
  if (!Number.isInteger(size) || size < 1 || size > maxPageSize) return failure(400, "Invalid pagelen");
  const page = Number(query.get("page") ?? 1);
  if (!Number.isInteger(page) || page < 1) return failure(400, "Invalid page");
  const linkTo = (number: number) => {
    const next = new URLSearchParams(query);
    next.set("page", String(number));
    return `${request.origin}${request.path}?${next}`;
  };
  return reply(200, {
    values: items.slice((page - 1) * size, page * size),
    pagelen: size,
    size: items.length,
    page,
    ...(page * size < items.length ? { next: linkTo(page + 1) } : {}),
    ...(page > 1 ? { previous: linkTo(page - 1) } : {}),
  });
}

function findRepository({ params }: EmulatedRequest, { repositories }: State) {
  const fullName = `${params.workspace}/${params.slug}`;
  return (
    repositories.find(({ full_name }) => full_name === fullName) ?? failure(404, `Repository ${fullName} not found`)
  );
}

/** A route below a repository: 404 if the repository does not exist, an empty list if it has no content. */
const repositoryRoute =
  (pick: (content: Content, request: EmulatedRequest) => unknown[] | EmulatedReply, maxPageSize?: number) =>
  (request: EmulatedRequest, state: State): EmulatedReply => {
    const repository = findRepository(request, state);
    if (isReply(repository)) return repository;
    const content = state.content.get(repository.full_name);
    const items = content ? pick(content, request) : [];
    return Array.isArray(items) ? paginate(request, items, maxPageSize) : items;
  };

/** Understands the one filter that Plugboard uses. https://developer.atlassian.com/cloud/bitbucket/rest/intro/#filtering */
function byQuery<Item extends { updated_on: string }>({ query }: EmulatedRequest, items: Item[]): Item[] {
  const time = query.get("q")?.match(/^updated_on >= (\S+)$/)?.[1];
  return time ? items.filter(({ updated_on }) => Date.parse(updated_on) >= Date.parse(time)) : items;
}

/** The tip of each branch but the default one is a commit of its own. */
function commits({ commits: all, branches }: Content, { query }: EmulatedRequest): unknown[] | EmulatedReply {
  const included = query.get("include");
  if (included === null) return [...branches.slice(1).map(({ target }) => target), ...all];
  const index = branches.findIndex(({ name }) => name === included);
  if (index < 0) return failure(404, "Commit not found");
  return index === 0 ? all : [branches[index]!.target, ...all.slice(index)];
}

function pullRequests({ pullRequests: all }: Content, request: EmulatedRequest): unknown[] {
  const { query } = request;
  const states = query.has("state") ? query.getAll("state") : ["OPEN"];
  const wanted = byQuery(request, all).filter(({ state }) => states.includes(state));
  // https://developer.atlassian.com/cloud/bitbucket/rest/intro/#partial-response
  if (query.get("fields")?.split(",").includes("+values.closed_on")) return wanted;
  return wanted.map(({ closed_on: _, ...rest }) => rest);
}

/** Lists across workspaces, which were removed: https://developer.atlassian.com/cloud/bitbucket/changelog/#CHANGE-2770 */
function removed(): EmulatedReply {
  const data = { announcement_url: "https://developer.atlassian.com/cloud/bitbucket/changelog#CHANGE-2770" };
  const detail = "Please read the changelog entry for more details.";
  return reply(410, {
    type: "error",
    error: { message: "CHANGE-2770 - Functionality has been deprecated", detail, data },
    data,
  });
}

export default emulate<State>({
  state: makeState,
  changes,
  failure: (status) => failure(status),
  unauthorized: (_, reason) =>
    failure(
      401,
      reason === "expired"
        ? "Access token expired. Use your refresh token to obtain a new access token."
        : MESSAGES[401],
    ),
  routes: {
    "GET /2.0/user": (_, { me }) => reply(200, { ...me, created_on: time(0), account_status: "active" }),
    "GET /2.0/user/workspaces": (request, { workspaces }) => paginate(request, workspaces),
    "GET /2.0/workspaces": removed,
    "GET /2.0/repositories": removed,
    "GET /2.0/repositories/:workspace": (request, { workspaces, repositories }) => {
      const slug = request.params.workspace!;
      if (!workspaces.some(({ workspace }) => workspace.slug === slug))
        return failure(404, `No workspace with identifier '${slug}'.`);
      return paginate(
        request,
        byQuery(request, repositories).filter(({ full_name }) => full_name.startsWith(`${slug}/`)),
      );
    },
    "GET /2.0/repositories/:workspace/:slug": (request, state) => {
      const repository = findRepository(request, state);
      return isReply(repository) ? repository : reply(200, repository);
    },
    "GET /2.0/repositories/:workspace/:slug/commits": repositoryRoute(commits),
    "GET /2.0/repositories/:workspace/:slug/pullrequests": repositoryRoute(pullRequests, 50),
    "GET /2.0/repositories/:workspace/:slug/refs/tags": repositoryRoute(({ tags }) => tags),
    "GET /2.0/repositories/:workspace/:slug/refs/branches": repositoryRoute(({ branches }) => branches),
  },
  tokenAnswer: (standard) =>
    reply(
      200,
      { ...standard, token_type: "bearer", scope: standard.scope ?? "account repository pullrequest" },
      { "cache-control": "no-store" },
    ),
});
