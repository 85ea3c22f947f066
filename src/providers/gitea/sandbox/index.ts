import {
  bySince,
  byState,
  type ContentOf,
  type EmulatedReply,
  type EmulatedRequest,
  emulate,
  gitChanges,
  gitServer,
  hasWords,
  linkHeader,
  numberedPage,
  reply,
} from "../../../emulator-kit/index.ts";
import { issue, labels, labelsOf } from "./data.ts";
import { comment } from "./history.ts";
import { hookRoutes, hooks } from "./hooks.ts";
import { makeState, type State } from "./state.ts";

const MESSAGES: Record<number, string> = {
  400: "bad request",
  401: "invalid username, password or token",
  403: "token does not have at least one of required scope(s)",
  404: "not found",
  422: "validation failed",
};

const failure = (status: number, message = MESSAGES[status] ?? "") =>
  reply(status, { message, url: "https://gitea.com/api/swagger" });

/** One page of at most 50 items, with the total in a header and, for most lists, the next page in the Link header. */
function paginate(request: EmulatedRequest, all: unknown[], isLinked = true): EmulatedReply {
  const { items, page, last } = numberedPage(request, all, { parameter: "limit", fallback: 30, max: 50 });
  const headers = { "x-total-count": String(all.length) };
  return reply(200, items, isLinked ? { ...headers, ...linkHeader(request, page, last, ",") } : headers);
}

const unlinked = (request: EmulatedRequest, all: unknown[]) => paginate(request, all, false);

/** A list that has no pages. */
const whole = (_: EmulatedRequest, all: unknown[]) => reply(200, all, { "x-total-count": String(all.length) });

const server = gitServer<State>({
  notFound: () => failure(404),
  invalid: (_, field, code) => failure(422, `[${field}]: ${code}`),
  page: (request, all) => paginate(request, all),
  issue: (repository, number, { me }) => issue(repository, number, me, false),
  issueFields: ({ body = "", labels: ids = [] }, assignees, repository) => ({
    body,
    labels: [...labels(repository), ...(labelsOf(repository.owner.login) ?? [])].filter(({ id }) => ids.includes(id)),
    assignees: assignees.length > 0 ? assignees : null,
  }),
  comment: (repository, number, index, { me }) => comment(repository, number, me, index),
});

function issues({ issues: all }: ContentOf<State>, request: EmulatedRequest) {
  const type = request.query.get("type");
  const text = request.query.get("q") ?? "";
  return bySince(byState(all, request), request).filter(
    ({ pull_request, title, body }) =>
      (!type || (pull_request !== null) === (type === "pulls")) && hasWords(text, title, body),
  );
}

export default emulate<State>({
  state: makeState,
  hooks,
  // Tags and branches name the commit differently.
  changes: gitChanges((head, sha) => ({ ...head, ...(head.id === undefined ? { sha } : { id: sha }) })),
  failure: (status) => failure(status),
  unauthorized: (_, reason) => failure(401, reason === "missing" ? "token is required" : MESSAGES[401]),
  routes: {
    "GET /api/v1/user": (_, { me }) => reply(200, me),
    "GET /api/v1/user/repos": (request, { repositories }) => paginate(request, repositories),
    "GET /api/v1/repos/:owner/:repo": (request, state) => reply(200, server.find(request, state)),
    "GET /api/v1/repos/:owner/:repo/pulls": server.list(({ pulls }, request) => byState(pulls, request)),
    "GET /api/v1/repos/:owner/:repo/issues": server.list(issues),
    "POST /api/v1/repos/:owner/:repo/issues": server.createIssue,
    "GET /api/v1/repos/:owner/:repo/issues/:number/comments": server.list(server.comments, whole),
    "POST /api/v1/repos/:owner/:repo/issues/:number/comments": server.createComment,
    "GET /api/v1/repos/:owner/:repo/tags": server.list(({ tags }) => tags, unlinked),
    "GET /api/v1/repos/:owner/:repo/releases": server.list(({ releases }, { query }) =>
      releases.filter(({ draft }) => [null, String(draft)].includes(query.get("draft"))),
    ),
    // Null in place of an empty list.
    "GET /api/v1/repos/:owner/:repo/branches": server.list(
      ({ branches }) => branches,
      (request, all) => (all.length > 0 ? paginate(request, all) : reply(200, null, { "x-total-count": "0" })),
    ),
    "GET /api/v1/repos/:owner/:repo/commits": (request, state) =>
      server.find(request, state).empty
        ? failure(409, "Git Repository is empty.")
        : server.list(server.commits)(request, state),
    "GET /api/v1/repos/:owner/:repo/labels": server.list((content) => content.labels, unlinked),
    "GET /api/v1/orgs/:org/labels": (request) => {
      const found = labelsOf(request.params.org!);
      return found ? unlinked(request, found) : failure(404);
    },
    ...hookRoutes(server.find, failure),
  },
  tokenAnswer: ({ scope: _, ...standard }) =>
    reply(200, { ...standard, token_type: "bearer" }, { "cache-control": "no-store" }),
  // Gitea reports an invalid grant as `unauthorized_client`.
  tokenFailure: (error, error_description) =>
    error === "invalid_grant"
      ? reply(400, { error: "unauthorized_client", error_description: "unable to parse refresh token" })
      : reply(400, { error, error_description }),
});
