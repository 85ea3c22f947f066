import type { EmulatedRequest } from "../../../contracts/emulator.ts";
import { toSecond } from "../../../emulator-kit/data.ts";
import { emulate, reply } from "../../../emulator-kit/emulator.ts";
import { gitChanges } from "../../../emulator-kit/git-changes.ts";
import { readAsset, uploadAsset } from "./assets.ts";
import { issue, label, time } from "./data.ts";
import { comment } from "./history.ts";
import { mcp } from "./mcp.ts";
import { type Content, makeState, type State } from "./state.ts";

const MESSAGES: Record<number, string> = {
  400: "Problems parsing JSON",
  401: "Bad credentials",
  403: "Resource not accessible by integration",
  404: "Not Found",
  422: "Validation Failed",
  429: "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
};

const failure = (status: number, message = MESSAGES[status] ?? "Server Error") =>
  reply(status, {
    message,
    documentation_url: "https://docs.github.com/rest",
    ...(status === 422
      ? { errors: [{ resource: "Search", field: "q", code: "invalid" }] }
      : { status: String(status) }),
  });

/** One page of a list by `page` and `per_page`, with the next page in the Link header. */
function paginate(request: EmulatedRequest, items: unknown[]) {
  const size = Math.min(Math.max(Number(request.query.get("per_page") ?? 30) || 30, 1), 100);
  const page = Math.max(Number(request.query.get("page") ?? 1) || 1, 1);
  const last = Math.max(1, Math.ceil(items.length / size));
  const link = (number: number, rel: string) => {
    const query = new URLSearchParams(request.query);
    query.set("page", String(number));
    return `<${request.origin}${request.path}?${query}>; rel="${rel}"`;
  };
  const links = [
    ...(page > 1 ? [link(page - 1, "prev"), link(1, "first")] : []),
    ...(page < last ? [link(page + 1, "next"), link(last, "last")] : []),
  ];
  return reply(200, items.slice((page - 1) * size, page * size), links.length ? { link: links.join(", ") } : {});
}

const byState = <Item extends { state: string }>(request: EmulatedRequest, items: Item[]) => {
  const state = request.query.get("state") ?? "open";
  return state === "all" ? items : items.filter((item) => item.state === state);
};

/** Only what was updated after `since`. */
const bySince = <Item extends { updated_at: string }>(request: EmulatedRequest, items: Item[]) => {
  const since = Date.parse(request.query.get("since") ?? "");
  return Number.isNaN(since) ? items : items.filter(({ updated_at }) => Date.parse(updated_at) > since);
};

const now = () => toSecond(new Date());

const findRepository = ({ params }: EmulatedRequest, { repositories }: State) =>
  repositories.find(({ full_name }) => full_name === `${params.owner}/${params.repo}`);

/** A route below a repository: 404 if that or what is picked does not exist, an empty list if it has no content. */
const repositoryRoute =
  (pick: (content: Content, request: EmulatedRequest) => unknown[] | undefined) =>
  (request: EmulatedRequest, state: State) => {
    const repository = findRepository(request, state);
    if (!repository) return failure(404);
    const content = state.content.get(repository.full_name);
    const items = content ? pick(content, request) : [];
    return items ? paginate(request, items) : failure(404);
  };

/** Commits from a branch or a SHA on. The tip of each branch but the default one is a commit of its own. */
function commits({ commits: all, branches }: Content, { query }: EmulatedRequest) {
  const start = query.get("sha") ?? "main";
  const branchIndex = branches.findIndex(({ name }) => name === start);
  if (branchIndex === 0) return all;
  if (branchIndex > 0) return [{ ...all[0]!, sha: branches[branchIndex]!.commit.sha }, ...all.slice(branchIndex)];
  const at = all.findIndex(({ sha }) => sha === start);
  return at < 0 ? undefined : all.slice(at);
}

function comments({ issues, commentsOf }: Content, { params }: EmulatedRequest) {
  const found = issues.find(({ number }) => String(number) === params.number);
  return found && commentsOf(found.number);
}

const invalid = (resource: string, field: string, code: string) =>
  reply(422, {
    message: "Validation Failed",
    errors: [{ resource, field, code }],
    documentation_url: "https://docs.github.com/rest",
  });

function createIssue(request: EmulatedRequest, state: State) {
  const { title, body, labels = [], assignees = [] } = request.body ?? {};
  const repository = findRepository(request, state);
  const content = repository && state.content.get(repository.full_name);
  if (!repository || !content) return failure(404);
  if (typeof title !== "string") return invalid("Issue", "title", "missing_field");
  const unknown = assignees.some((login: string) => !state.people.some((person) => person.login === login));
  if (unknown) return invalid("Issue", "assignees", "invalid");
  const number = 1 + Math.max(...content.issues.map((one) => one.number));
  const assigned = state.people.filter(({ login }) => assignees.includes(login));
  const created = {
    ...issue(repository, number, state.me, false),
    title,
    body: body ?? null,
    state: "open",
    closed_at: null,
    created_at: now(),
    updated_at: now(),
    comments: 0,
    // A label that does not exist yet is created.
    labels: labels.map((name: string, index: number) => ({ ...label(repository, index), name })),
    assignee: assigned[0] ?? null,
    assignees: assigned,
  };
  content.comments.set(number, []);
  content.issues.unshift(created);
  return reply(201, created);
}

function createComment(request: EmulatedRequest, state: State) {
  const repository = findRepository(request, state);
  const content = repository && state.content.get(repository.full_name);
  const found = content?.issues.find(({ number }) => String(number) === request.params.number);
  if (!content || !found) return failure(404);
  if (typeof request.body?.body !== "string") return invalid("IssueComment", "body", "missing_field");
  const comments = content.commentsOf(found.number);
  const created = {
    ...comment(repository, found.number, state.me, comments.length),
    body: request.body.body,
    created_at: now(),
    updated_at: now(),
  };
  comments.push(created);
  found.comments = comments.length;
  return reply(201, created);
}

export default emulate<State>({
  state: makeState,
  changes: gitChanges((head, sha) => ({ ...head, sha })),
  failure: (status) => failure(status),
  headers: () => ({
    "x-github-media-type": "github.v3; format=json",
    "x-github-api-version-selected": "2022-11-28",
    "x-ratelimit-limit": "5000",
    "x-ratelimit-remaining": "4999",
    "x-ratelimit-used": "1",
    "x-ratelimit-reset": String(Math.floor(Date.now() / 1000) + 3600),
    "x-ratelimit-resource": "core",
  }),
  uploads: ["POST /repos/:owner/:repo/releases/:release/assets"],
  open: ["DELETE /applications/:client_id/token"],
  routes: {
    "GET /user": (_, state) =>
      reply(200, {
        ...state.me,
        user_view_type: "private",
        name: "Octo Sandbox",
        company: null,
        blog: "",
        location: null,
        email: "octo-sandbox@example.com",
        hireable: null,
        bio: null,
        public_repos: state.repositories.length,
        public_gists: 0,
        followers: 0,
        following: 0,
        created_at: time(0),
        updated_at: time(1),
        private_gists: 0,
        total_private_repos: 0,
        owned_private_repos: 0,
        disk_usage: 0,
        collaborators: 0,
        two_factor_authentication: true,
      }),
    "GET /user/repos": (request, state) => paginate(request, bySince(request, state.repositories)),
    "GET /repos/:owner/:repo": (request, state) => {
      const found = findRepository(request, state);
      return found ? reply(200, { ...found, network_count: 0, subscribers_count: 0 }) : failure(404);
    },
    "GET /repos/:owner/:repo/issues": repositoryRoute((content, request) =>
      bySince(request, byState(request, content.issues)),
    ),
    "GET /repos/:owner/:repo/issues/:number/comments": repositoryRoute(comments),
    "POST /repos/:owner/:repo/issues": createIssue,
    "POST /repos/:owner/:repo/issues/:number/comments": createComment,
    "GET /repos/:owner/:repo/commits": (request, state) =>
      findRepository(request, state)?.size === 0
        ? failure(409, "Git Repository is empty.")
        : repositoryRoute(commits)(request, state),
    "GET /repos/:owner/:repo/pulls": repositoryRoute((content, request) => byState(request, content.pulls)),
    "GET /repos/:owner/:repo/tags": repositoryRoute((content) => content.tags),
    "GET /repos/:owner/:repo/releases": repositoryRoute((content) => content.releases),
    "POST /repos/:owner/:repo/releases/:release/assets": (request, state) => {
      const repository = findRepository(request, state);
      const releases = repository && state.content.get(repository.full_name)?.releases;
      const found = releases?.find(({ id }) => String(id) === request.params.release);
      if (!repository || !found) return failure(404);
      if (!request.query.get("name")) return invalid("ReleaseAsset", "name", "missing_field");
      return uploadAsset(request, state, repository, found);
    },
    "GET /repos/:owner/:repo/releases/assets/:asset": (request, state) => readAsset(request, state) ?? failure(404),
    "GET /repos/:owner/:repo/branches": repositoryRoute((content) => content.branches),
    "DELETE /applications/:client_id/token": ({ headers, body }, _, tokens) =>
      headers.authorization?.startsWith("Basic ") && tokens.revoke(String(body?.access_token))
        ? reply(204)
        : failure(404),
  },
  mcp,
  // The token endpoint refuses a request with status 200.
  // https://docs.github.com/en/apps/oauth-apps/maintaining-oauth-apps/troubleshooting-oauth-app-access-token-request-errors
  tokenFailure: (error, description) =>
    reply(200, {
      error: error === "invalid_grant" ? "bad_refresh_token" : error,
      error_description: description,
      error_uri: "https://docs.github.com/apps",
    }),
});
