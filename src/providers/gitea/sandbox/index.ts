import type { EmulatedReply, EmulatedRequest } from "../../../contracts/emulator.ts";
import { toSecond } from "../../../emulator-kit/data.ts";
import { emulate, reply } from "../../../emulator-kit/emulator.ts";
import { gitChanges } from "../../../emulator-kit/git-changes.ts";
import { issue } from "./data.ts";
import { comment } from "./history.ts";
import { type Content, makeState, type State } from "./state.ts";

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

const findRepository = ({ params }: EmulatedRequest, { repositories }: State) =>
  repositories.find(({ full_name }) => full_name === `${params.owner}/${params.repo}`);

type Pick = (content: Content, request: EmulatedRequest) => unknown[] | undefined;

/** A route below a repository: 404 if that or what is picked does not exist, an empty list if it has no content. */
const repositoryRoute =
  (pick: Pick, answer = paginate, options?: PaginateOptions) =>
  (request: EmulatedRequest, state: State): EmulatedReply => {
    const repository = findRepository(request, state);
    if (!repository) return failure(404);
    const content = state.content.get(repository.full_name);
    const items = content ? pick(content, request) : [];
    return items ? answer(request, items, options) : failure(404);
  };

/** A list that has no pages. */
const whole = (_: EmulatedRequest, items: unknown[]): EmulatedReply =>
  reply(200, items, { "x-total-count": String(items.length) });

/** Commits from a branch or a SHA on. The tip of each branch but the default one is a commit of its own. */
function commits({ commits: all, branches }: Content, { query }: EmulatedRequest) {
  const start = query.get("sha") || "main";
  const branchIndex = branches.findIndex(({ name }) => name === start);
  if (branchIndex === 0) return all;
  if (branchIndex > 0) return [{ ...all[0]!, sha: branches[branchIndex]!.commit.id }, ...all.slice(branchIndex)];
  const at = all.findIndex(({ sha }) => sha === start);
  return at < 0 ? undefined : all.slice(at);
}

function comments({ issues: all, commentsOf }: Content, { params }: EmulatedRequest) {
  const found = all.find(({ number }) => String(number) === params.index);
  return found && commentsOf(found.number);
}

function issues({ issues: all }: Content, request: EmulatedRequest): unknown[] {
  const type = request.query.get("type");
  const since = Date.parse(request.query.get("since") ?? "");
  const wanted = byState(request, all).filter(
    ({ updated_at }) => Number.isNaN(since) || Date.parse(updated_at) > since,
  );
  return type === "issues" || type === "pulls"
    ? wanted.filter(({ pull_request }) => (pull_request !== null) === (type === "pulls"))
    : wanted;
}

function releases({ releases: all }: Content, { query }: EmulatedRequest): unknown[] {
  const draft = query.get("draft");
  return draft ? all.filter((release) => String(release.draft) === draft) : all;
}

const now = () => toSecond(new Date());

function createIssue(request: EmulatedRequest, state: State): EmulatedReply {
  const { title, body = "", labels = [], assignees = [] } = request.body ?? {};
  const repository = findRepository(request, state);
  const content = repository && state.content.get(repository.full_name);
  if (!repository || !content) return failure(404);
  if (typeof title !== "string") return failure(422, "[Title]: Required");
  const unknown = assignees.find((name: string) => !state.people.some(({ login }) => login === name));
  if (unknown !== undefined) return failure(422, `Assignee does not exist: [name: ${unknown}]`);
  const number = 1 + Math.max(...content.issues.map((one) => one.number));
  const assigned = state.people.filter(({ login }) => assignees.includes(login));
  const created = {
    ...issue(repository, number, state.me, false),
    title,
    body,
    state: "open",
    closed_at: null,
    created_at: now(),
    updated_at: now(),
    comments: 0,
    labels: content.labels.filter(({ id }) => labels.includes(id)),
    assignees: assigned.length > 0 ? assigned : null,
  };
  content.comments.set(number, []);
  content.issues.unshift(created);
  return reply(201, created);
}

function createComment(request: EmulatedRequest, state: State): EmulatedReply {
  const repository = findRepository(request, state);
  const content = repository && state.content.get(repository.full_name);
  const found = content?.issues.find(({ number }) => String(number) === request.params.index);
  if (!content || !found) return failure(404);
  if (typeof request.body?.body !== "string") return failure(422, "[Body]: Required");
  const all = content.commentsOf(found.number);
  const created = {
    ...comment(repository, found.number, state.me, all.length),
    body: request.body.body,
    created_at: now(),
    updated_at: now(),
  };
  all.push(created);
  found.comments = all.length;
  return reply(201, created);
}

export default emulate<State>({
  state: makeState,
  // Tags and branches name the commit differently.
  changes: gitChanges((head, sha) => ({ ...head, ...(head.id === undefined ? { sha } : { id: sha }) })),
  failure: (status) => failure(status),
  unauthorized: (_, reason) => failure(401, reason === "missing" ? "token is required" : MESSAGES[401]),
  routes: {
    "GET /api/v1/user": (_, { me }) => reply(200, me),
    "GET /api/v1/user/repos": (request, { repositories }) => paginate(request, repositories),
    "GET /api/v1/repos/:owner/:repo": (request, state) => {
      const found = findRepository(request, state);
      return found ? reply(200, found) : failure(404);
    },
    "GET /api/v1/repos/:owner/:repo/pulls": repositoryRoute(({ pulls }, request) => byState(request, pulls)),
    "GET /api/v1/repos/:owner/:repo/issues": repositoryRoute(issues),
    "GET /api/v1/repos/:owner/:repo/tags": repositoryRoute(({ tags }) => tags, paginate, { linked: false }),
    "GET /api/v1/repos/:owner/:repo/releases": repositoryRoute(releases),
    "GET /api/v1/repos/:owner/:repo/branches": repositoryRoute(({ branches }) => branches, paginate, { empty: null }),
    "GET /api/v1/repos/:owner/:repo/commits": (request, state) =>
      findRepository(request, state)?.empty
        ? failure(409, "Git Repository is empty.")
        : repositoryRoute(commits)(request, state),
    "GET /api/v1/repos/:owner/:repo/issues/:index/comments": repositoryRoute(comments, whole),
    "GET /api/v1/repos/:owner/:repo/labels": repositoryRoute(({ labels }) => labels),
    "POST /api/v1/repos/:owner/:repo/issues": createIssue,
    "POST /api/v1/repos/:owner/:repo/issues/:index/comments": createComment,
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
