import {
  alike,
  bySince,
  byState,
  type EmulatedRequest,
  emulate,
  gitChanges,
  gitServer,
  hasWords,
  linkHeader,
  numberedPage,
  reply,
} from "../../../emulator-kit/index.ts";
import { appRoutes, installationParameters, isInstallation, openAppRoutes } from "./app.ts";
import { readAsset, uploadAsset } from "./assets.ts";
import { issue, label, time } from "./data.ts";
import { comment } from "./history.ts";
import { hookRoutes, hooks } from "./hooks.ts";
import { mcp } from "./mcp.ts";
import { makeState, type State } from "./state.ts";

const MESSAGES: Record<number, string> = {
  400: "Problems parsing JSON",
  401: "Bad credentials",
  403: "Resource not accessible by integration",
  404: "Not Found",
  422: "Validation Failed",
  429: "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
};

const documentation_url = "https://docs.github.com/rest";

const failure = (status: number, message = MESSAGES[status] ?? "Server Error") =>
  status === 422
    ? invalid("Search", "q", "invalid")
    : reply(status, { message, documentation_url, status: String(status) });

const invalid = (resource: string, field: string, code: string) =>
  reply(422, { message: MESSAGES[422], errors: [{ resource, field, code }], documentation_url });

/** One page of a list by `page` and `per_page`, with the next page in the Link header. */
function paginate(request: EmulatedRequest, all: unknown[]) {
  const { items, page, last } = numberedPage(request, all, { fallback: 30, max: 100 });
  return reply(200, items, linkHeader(request, page, last));
}

const server = gitServer<State>({
  notFound: () => failure(404),
  invalid,
  page: paginate,
  issue: (repository, number, { me }) => issue(repository, number, me, false),
  issueFields: ({ body = null, labels = [] }, assignees, repository) => ({
    body,
    // A label that does not exist yet is created.
    labels: labels.map((name: string, index: number) => ({ ...label(repository, index), name })),
    assignee: assignees[0] ?? null,
    assignees,
  }),
  comment: (repository, number, index, { me }) => comment(repository, number, me, index),
});

const MAX_FOUND = 1_000;

/** https://docs.github.com/en/rest/search/search#search-issues-and-pull-requests */
function searchIssues(request: EmulatedRequest, { content }: State) {
  const terms = request.query.get("q")?.match(/"[^"]*"|\S+/g) ?? [];
  const value = (name: string) => terms.find((term) => term.startsWith(`${name}:`))?.slice(name.length + 1);
  const issues = content.get(value("repo") ?? "")?.issues;
  if (!issues) return invalid("Search", "q", "invalid");
  const since = value("updated")?.replace(">=", "") ?? "";
  const words = terms.filter((term) => term.startsWith('"')).join(" ");
  const found = issues.filter(
    (one) =>
      (value("is") !== "issue" || !("pull_request" in one)) &&
      [undefined, one.state].includes(value("state")) &&
      Date.parse(one.updated_at) >= (Date.parse(since) || 0) &&
      hasWords(words, one.title, one.body),
  );
  const available = found.slice(0, MAX_FOUND).map((one) => ({ ...one, score: 1 }));
  const { items, page, last } = numberedPage(request, available, { fallback: 30, max: 100 });
  return reply(
    200,
    { total_count: found.length, incomplete_results: false, search_type: "lexical", items },
    linkHeader(request, page, last),
  );
}

export default emulate<State>({
  state: makeState,
  hooks,
  changes: gitChanges((head, sha) => ({ ...head, sha })),
  failure: (status) => failure(status),
  headers: () => ({
    "x-github-api-version-selected": "2022-11-28",
    "x-ratelimit-limit": "5000",
    "x-ratelimit-remaining": "4999",
    "x-ratelimit-reset": String(Math.floor(Date.now() / 1000) + 3600),
  }),
  uploads: ["POST /repos/:owner/:repo/releases/:release/assets"],
  open: ["DELETE /applications/:client_id/token", ...openAppRoutes],
  installationParameters,
  routes: {
    "GET /user": (request, { me, repositories }) => {
      if (isInstallation(request)) return failure(403);
      return reply(200, {
        ...me,
        name: "Octo Sandbox",
        email: "octo-sandbox@example.com",
        blog: "",
        ...alike("company location hireable bio", null),
        public_repos: repositories.length,
        ...alike("public_gists followers following private_gists total_private_repos owned_private_repos", 0),
        ...alike("disk_usage collaborators", 0),
        created_at: time(0),
        updated_at: time(1),
        two_factor_authentication: true,
      });
    },
    "GET /user/repos": (request, { repositories }) =>
      isInstallation(request) ? failure(403) : paginate(request, bySince(repositories, request)),
    ...appRoutes(failure, paginate),
    ...hookRoutes(failure),
    "GET /repos/:owner/:repo": (request, state) =>
      reply(200, { ...server.find(request, state), network_count: 0, subscribers_count: 0 }),
    "GET /repos/:owner/:repo/issues": server.list(({ issues }, request) => bySince(byState(issues, request), request)),
    "GET /search/issues": searchIssues,
    "POST /repos/:owner/:repo/issues": server.createIssue,
    "GET /repos/:owner/:repo/issues/:number/comments": server.list(server.comments),
    "POST /repos/:owner/:repo/issues/:number/comments": server.createComment,
    "GET /repos/:owner/:repo/commits": (request, state) =>
      server.find(request, state).size === 0
        ? failure(409, "Git Repository is empty.")
        : server.list(server.commits)(request, state),
    "GET /repos/:owner/:repo/pulls": server.list(({ pulls }, request) => byState(pulls, request)),
    "GET /repos/:owner/:repo/tags": server.list(({ tags }) => tags),
    "GET /repos/:owner/:repo/branches": server.list(({ branches }) => branches),
    "GET /repos/:owner/:repo/releases": server.list(({ releases }) => releases),
    "POST /repos/:owner/:repo/releases/:release/assets": (request, state) => {
      const repository = server.find(request, state);
      const releases = state.content.get(repository.full_name)?.releases;
      const found = releases?.find(({ id }) => String(id) === request.params.release);
      if (!request.query.get("name")) return invalid("ReleaseAsset", "name", "missing_field");
      return found ? uploadAsset(request, state, repository, found) : failure(404);
    },
    "GET /repos/:owner/:repo/releases/assets/:asset": (request, state) => readAsset(request, state) ?? failure(404),
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
