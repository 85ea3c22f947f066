import type { EmulatedReply, EmulatedRequest, EmulatedRoute } from "../../../contracts/emulator.ts";
import { emulate, reply } from "../../../emulator-kit/emulator.ts";
import { changes } from "./changes.ts";
import { CLOUD_ID, makeState, me, SCOPES, SITE, SITE_URL, type State, selectFields } from "./data.ts";
import { errorReply, issueOf, noSuchIssue } from "./errors.ts";
import { search } from "./jql.ts";
import {
  createComment,
  createIssue,
  doTransition,
  editIssue,
  listIssueTypes,
  listPriorities,
  listStatuses,
  transitionsOf,
} from "./writes.ts";

const GATEWAY = `/ex/jira/:cloud_id/rest/api/3`;
const SITE_API = "/rest/api/3";
const MAX_PAGE_SIZE = 5000;
/** The limit for pages that include descriptions. */
const MAX_FULL_PAGE_SIZE = 80;
const MAX_COMMENTS = 100;
const MAX_PROJECTS = 50;

const MESSAGES: Record<number, string> = {
  400: "The request is not valid.",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  429: "Rate limit exceeded.",
};

/** The gateway has its own error body for requests that it refuses itself; all other errors are Jira's. */
function failure(status: number, { path }: EmulatedRequest): EmulatedReply {
  const message = MESSAGES[status] ?? "Internal server error";
  if (path.startsWith("/ex/") && (status === 401 || status === 403 || status === 404))
    return reply(status, { code: status, message });
  return errorReply(status, message);
}

/** Pages by `startAt`: a page is cut to the most that Jira returns at once. */
function pageOf<Item>({ query }: EmulatedRequest, all: Item[], maxSize: number) {
  const startAt = Number(query.get("startAt") ?? 0);
  const maxResults = Math.min(Number(query.get("maxResults") ?? 50), maxSize);
  const items = all.slice(startAt, startAt + maxResults);
  return { items, page: { startAt, maxResults, total: all.length } };
}

function searchIssues({ query }: EmulatedRequest, { issues, projects }: State): EmulatedReply {
  const jql = query.get("jql") ?? "";
  const found = search(jql, issues, projects);
  if (!Array.isArray(found)) return errorReply(400, found);
  const requested = requestedFields(query);
  const maxSize = requested.some((name) => ["description", "*all", "*navigable"].includes(name))
    ? MAX_FULL_PAGE_SIZE
    : MAX_PAGE_SIZE;
  const size = Number(query.get("maxResults") ?? 50);
  if (!Number.isInteger(size) || size < 1) return errorReply(400, "The value of maxResults must be a positive number.");
  const token = query.get("nextPageToken");
  const start = token === null ? 0 : readToken(token, jql);
  if (start === undefined) return errorReply(400, "The provided next page token is invalid or expired.");
  const end = start + Math.min(size, maxSize);
  return reply(200, {
    issues: found.slice(start, end).map((issue) => selectFields(issue, requested)),
    ...(end < found.length ? { nextPageToken: makeToken(end, jql), isLast: false } : { isLast: true }),
  });
}

const requestedFields = (query: URLSearchParams) => query.getAll("fields").flatMap((names) => names.split(","));

function readIssue(request: EmulatedRequest, state: State): EmulatedReply {
  const issue = issueOf(request, state);
  const requested = requestedFields(request.query);
  if (!issue) return noSuchIssue();
  const isExpanded = request.query.get("expand")?.split(",").includes("transitions");
  return reply(200, {
    ...selectFields(issue, requested.length > 0 ? requested : ["*all"]),
    ...(isExpanded ? { transitions: transitionsOf(issue) } : {}),
  });
}

function listComments(request: EmulatedRequest, state: State): EmulatedReply {
  const issue = issueOf(request, state);
  if (!issue) return noSuchIssue();
  const { items, page } = pageOf(request, state.comments[issue.id] ?? [], MAX_COMMENTS);
  return reply(200, { ...page, comments: items });
}

/** Projects in the order of their keys. Descriptions are left out unless they are requested. */
function listProjects(request: EmulatedRequest, { projects }: State): EmulatedReply {
  const { items, page } = pageOf(request, projects, MAX_PROJECTS);
  const isExpanded = request.query.get("expand")?.split(",").includes("description");
  return reply(200, {
    ...page,
    self: `${SITE_URL}/rest/api/3/project/search?startAt=${page.startAt}&maxResults=${page.maxResults}`,
    isLast: page.startAt + items.length >= page.total,
    values: items.map(({ description, ...project }) => (isExpanded ? { ...project, description } : project)),
  });
}

const makeToken = (offset: number, jql: string) => Buffer.from(JSON.stringify({ offset, jql })).toString("base64");

/** A token is valid only for the search that it came from. */
function readToken(token: string, jql: string): number | undefined {
  try {
    const read = JSON.parse(Buffer.from(token, "base64").toString());
    return read.jql === jql && Number.isInteger(read.offset) ? read.offset : undefined;
  } catch {
    return undefined;
  }
}

const searchRemoved = () =>
  errorReply(
    410,
    "The requested API has been removed. Please migrate to the /rest/api/3/search/jql API. A full migration guideline is available at https://developer.atlassian.com/changelog/#CHANGE-2046",
  );

const API: Record<string, EmulatedRoute<State>> = {
  "GET /search/jql": searchIssues,
  "GET /search": searchRemoved,
  "GET /issue/:issue": readIssue,
  "GET /issue/:issue/comment": listComments,
  "GET /project/search": listProjects,
  "GET /myself": () => reply(200, me),
  "GET /issue/createmeta/:project/issuetypes": listIssueTypes,
  "GET /project/:project/statuses": listStatuses,
  "GET /priority/search": listPriorities,
  "POST /issue": createIssue,
  "PUT /issue/:issue": editIssue,
  "POST /issue/:issue/transitions": doTransition,
  "POST /issue/:issue/comment": createComment,
};

/** The API, at one of its two addresses. The gateway refuses sites that the user did not grant access to. */
const apiRoutes = (address: string): Record<string, EmulatedRoute<State>> =>
  Object.fromEntries(
    Object.entries(API).map(([key, route]): [string, EmulatedRoute<State>] => [
      key.replace(" ", ` ${address}`),
      (request, state, tokens) =>
        [undefined, CLOUD_ID].includes(request.params.cloud_id)
          ? route(request, state, tokens)
          : reply(404, { code: 404, message: "No message available" }),
    ]),
  );

export default emulate<State>({
  state: makeState,
  changes,
  failure,
  headers: () => ({
    "x-ratelimit-limit": "350",
    "x-ratelimit-remaining": "349",
    "x-ratelimit-nearlimit": "false",
    "atl-traceid": "6f1b2c3d4e5f60718293a4b5c6d7e8f9",
  }),
  settings: { cloud_id: CLOUD_ID, site: SITE, site_url: SITE_URL },
  routes: {
    ...apiRoutes(GATEWAY),
    ...apiRoutes(SITE_API),
    "GET /oauth/token/accessible-resources": () =>
      reply(200, [
        {
          id: CLOUD_ID,
          name: SITE,
          url: SITE_URL,
          scopes: SCOPES,
          avatarUrl: "https://site-admin-avatar-cdn.prod.public.atl-paas.net/avatars/240/flag.png",
        },
      ]),
  },
  tokenAnswer: ({ access_token, expires_in, refresh_token }) =>
    reply(200, { access_token, refresh_token, expires_in, scope: SCOPES.join(" "), token_type: "Bearer" }),
  tokenFailure(error, description, { body }) {
    if (error === "invalid_grant" && body?.grant_type === "refresh_token")
      return reply(403, { error, error_description: "Unknown or invalid refresh token." });
    if (error === "invalid_client") return reply(401, { error: "access_denied", error_description: "Unauthorized" });
    return reply(error === "invalid_grant" ? 403 : 400, { error, error_description: description });
  },
});
