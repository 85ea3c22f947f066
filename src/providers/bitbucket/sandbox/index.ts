import {
  bearerToken,
  cut,
  type EmulatedReply,
  type EmulatedRequest,
  type EmulatedRoute,
  emulate,
  linkTo,
  refuse,
  reply,
  wholeNumber,
} from "../../../emulator-kit/index.ts";
import { changes } from "./changes.ts";
import { type Content, makeState, type State, shownWorkspace, time } from "./data.ts";
import { hookRoutes, hooks } from "./hooks.ts";

const MESSAGES: Record<number, string> = {
  400: "Bad request",
  401: "Token is invalid, expired, or not supported for this endpoint.",
  403: "Forbidden",
  404: "Resource not found",
  429: "Rate limit for this resource has been exceeded",
};

const EXPIRED = "Access token expired. Use your refresh token to obtain a new access token.";

const failure = (status: number, message = MESSAGES[status] ?? "Something went wrong") =>
  reply(status, { type: "error", error: { message } });

/** One page of a list, with the link to the next page in the body. A page size that is too large is refused. */
function paginate(request: EmulatedRequest, all: unknown[], max = 100): EmulatedReply {
  const whole = (name: string, fallback: number, most?: number) =>
    wholeNumber(request.query.get(name), { fallback, ...(most && { max: most }) }, () =>
      failure(400, `Invalid ${name}`),
    );
  const pagelen = whole("pagelen", 10, max);
  const page = whole("page", 1);
  const { items: values, next } = cut(all, (page - 1) * pagelen, pagelen);
  return reply(200, {
    values,
    pagelen,
    size: all.length,
    page,
    ...(next !== undefined && { next: linkTo(request, { page: page + 1 }) }),
    ...(page > 1 && { previous: linkTo(request, { page: page - 1 }) }),
  });
}

function findRepository({ params }: EmulatedRequest, { repositories }: State) {
  const name = `${params.workspace}/${params.slug}`;
  const found = repositories.find(({ full_name }) => full_name === name);
  return found ?? refuse(failure(404, `Repository ${name} not found`));
}

/** A list below a repository, which is empty if the repository has no content. */
const list =
  (pick: (content: Content, request: EmulatedRequest) => unknown[], maxPageSize?: number) =>
  (request: EmulatedRequest, state: State): EmulatedReply => {
    const content = state.content.get(findRepository(request, state).full_name);
    return paginate(request, content ? pick(content, request) : [], maxPageSize);
  };

interface Filterable {
  updated_on: string;
  title?: string;
  summary?: { raw: string };
}

/** Understands the filters that Plugboard uses. https://developer.atlassian.com/cloud/bitbucket/rest/intro/#filtering */
function byQuery<Item extends Filterable>({ query }: EmulatedRequest, items: Item[]): Item[] {
  const tests = (query.get("q")?.split(" AND ") ?? []).map((term): ((item: Item) => boolean) => {
    const [, time] = /^updated_on >= (\S+)$/.exec(term) ?? [];
    if (time) return ({ updated_on }) => Date.parse(updated_on) >= Date.parse(time);
    const [, text] =
      /^\(title ~ "([^"\\]+)" OR description ~ "\1"\)$/.exec(term) ?? refuse(failure(400, "Invalid filter"));
    return ({ title, summary }) => `${title}\n${summary?.raw}`.toLowerCase().includes(text!.toLowerCase());
  });
  return items.filter((item) => tests.every((test) => test(item)));
}

/** The tip of each branch but the default one is a commit of its own. */
function commits({ commits: all, branches }: Content, { query }: EmulatedRequest): unknown[] {
  const included = query.get("include");
  if (included === null) return [...branches.slice(1).map(({ target }) => target), ...all];
  const index = branches.findIndex(({ name }) => name === included);
  if (index < 0) refuse(failure(404, "Commit not found"));
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
const removed = () => failure(410, "CHANGE-2770 - Functionality has been deprecated");

/** Workspace access tokens have no user: https://support.atlassian.com/bitbucket-cloud/kb/this-api-is-not-accessible-by-this-authentication-mechanism/ */
const ofUser =
  (route: EmulatedRoute<State>): EmulatedRoute<State> =>
  (request, state, tokens) =>
    tokens.inspect(bearerToken(request) ?? "")?.kind === "key"
      ? failure(403, "This API is not accessible by this authentication mechanism")
      : route(request, state, tokens);

function findWorkspace({ params }: EmulatedRequest, { workspaces }: State) {
  const found = workspaces.find(({ workspace }) => workspace.slug === params.workspace);
  return found?.workspace ?? refuse(failure(404, `No workspace with identifier '${params.workspace}'.`));
}

export default emulate<State>({
  state: makeState,
  changes,
  hooks,
  failure: (status) => failure(status),
  unauthorized: (_, reason) => failure(401, reason === "expired" ? EXPIRED : MESSAGES[401]),
  routes: {
    "GET /2.0/user": ofUser((_, { me }) => reply(200, { ...me, created_on: time(0), account_status: "active" })),
    "GET /2.0/user/workspaces": ofUser((request, { workspaces }) => paginate(request, workspaces)),
    "GET /2.0/workspaces": removed,
    "GET /2.0/workspaces/:workspace": (request, state) => reply(200, shownWorkspace(findWorkspace(request, state))),
    "GET /2.0/repositories": removed,
    "GET /2.0/repositories/:workspace": (request, state) => {
      const { slug } = findWorkspace(request, state);
      const own = state.repositories.filter(({ full_name }) => full_name.startsWith(`${slug}/`));
      return paginate(request, byQuery(request, own));
    },
    "GET /2.0/repositories/:workspace/:slug": (request, state) => reply(200, findRepository(request, state)),
    "GET /2.0/repositories/:workspace/:slug/commits": list(commits),
    "GET /2.0/repositories/:workspace/:slug/pullrequests": list(pullRequests, 50),
    "GET /2.0/repositories/:workspace/:slug/refs/tags": list(({ tags }) => tags),
    "GET /2.0/repositories/:workspace/:slug/refs/branches": list(({ branches }) => branches),
    ...hookRoutes(findRepository, failure),
  },
  tokenAnswer: (standard) =>
    reply(
      200,
      { ...standard, token_type: "bearer", scope: standard.scope ?? "account repository pullrequest" },
      { "cache-control": "no-store" },
    ),
});
