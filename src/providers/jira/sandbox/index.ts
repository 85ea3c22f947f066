import {
  collection,
  cut,
  type EmulatedReply,
  type EmulatedRequest,
  type EmulatedRoute,
  emulate,
  makeCursor,
  readCursor,
  refuse,
  reply,
  wholeNumber,
} from "../../../emulator-kit/index.ts";
import { changes } from "./changes.ts";
import {
  CLOUD_ID,
  ISSUE_TYPES,
  makeState,
  me,
  PRIORITIES,
  type SandboxIssue,
  SCOPES,
  SITE,
  SITE_URL,
  STATUSES,
  type State,
} from "./data.ts";
import { errorReply } from "./errors.ts";
import { listFields } from "./fields.ts";
import { adminHookRoutes, appHookRoutes, hooks } from "./hooks.ts";
import { search } from "./jql.ts";
import { createComment, createIssue, doTransition, editIssue, transitionsOf } from "./writes.ts";

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

/** Pages by `startAt`: a page is cut to the most that Jira returns. */
function pageOf<Item>({ query }: EmulatedRequest, all: Item[], maxSize: number) {
  const startAt = Number(query.get("startAt") ?? 0);
  const maxResults = Math.min(Number(query.get("maxResults") ?? 50), maxSize);
  const { items, next } = cut(all, startAt, maxResults);
  return { items, page: { startAt, maxResults, total: all.length }, isLast: next === undefined };
}

const requestedFields = (query: URLSearchParams) => query.getAll("fields").flatMap((names) => names.split(","));
const isExpanded = (query: URLSearchParams, name: string) => query.get("expand")?.split(",").includes(name);

const selectFields = (issue: SandboxIssue, names: string[]) => ({
  ...issue,
  fields: Object.fromEntries(Object.entries(issue.fields).filter(([name]) => names.includes(name))),
});

/** Only the ids of issues if no fields are requested. A token is valid only for the search that it came from. */
function searchIssues({ query }: EmulatedRequest, state: State): EmulatedReply {
  const jql = query.get("jql") ?? "";
  const found = search(jql, state);
  const fields = requestedFields(query);
  const size = wholeNumber(query.get("maxResults"), { fallback: 50 }, () =>
    errorReply(400, "The value of maxResults must be a positive number."),
  );
  const token = query.get("nextPageToken");
  const page = token === null ? { jql, start: 0 } : readCursor<{ jql: string; start: number }>(token);
  if (page?.jql !== jql) return refuse(errorReply(400, "The provided next page token is invalid or expired."));
  const maxSize = fields.includes("description") ? MAX_FULL_PAGE_SIZE : MAX_PAGE_SIZE;
  const { items, next } = cut(found, page.start, Math.min(size, maxSize));
  return reply(200, {
    issues: items.map((issue) => (fields.length > 0 ? selectFields(issue, fields) : { id: issue.id })),
    ...(next !== undefined && { nextPageToken: makeCursor({ jql, start: next }) }),
    isLast: next === undefined,
  });
}

const issues = collection({
  items: ({ issues }: State) => issues,
  parameter: "issue",
  names: ({ id, key }) => [id, key],
  notFound: () => errorReply(404, "Issue does not exist or you do not have permission to see it."),
  show: (issue, { query }) => ({
    ...selectFields(issue, query.has("fields") ? requestedFields(query) : Object.keys(issue.fields)),
    ...(isExpanded(query, "transitions") && { transitions: transitionsOf(issue) }),
  }),
});

const projects = collection({
  items: ({ projects }: State) => projects,
  parameter: "project",
  names: ({ id, key }) => [id, key],
  notFound: ({ params }) => errorReply(404, `No project could be found with key '${params.project}'.`),
  // Descriptions are left out unless they are requested.
  show: ({ description, ...project }, { query }) =>
    isExpanded(query, "description") ? { ...project, description } : project,
  page(found, request, show) {
    const { items, page, isLast } = pageOf(request, found, MAX_PROJECTS);
    return reply(200, { ...page, isLast, values: items.map(show) });
  },
});

const PRIORITY_META = {
  key: "priority",
  name: "Priority",
  required: false,
  schema: { type: "priority", system: "priority" },
  operations: ["set"],
  allowedValues: PRIORITIES,
};

const API: Record<string, EmulatedRoute<State>> = {
  "GET /field": listFields,
  "GET /search/jql": searchIssues,
  "GET /issue/:issue": issues.get,
  "GET /issue/:issue/comment": issues.below(({ id }, request, state) => {
    const { items, page } = pageOf(request, state.comments.get(id) ?? [], MAX_COMMENTS);
    return reply(200, { ...page, comments: items });
  }),
  "GET /project/search": projects.list,
  "GET /myself": () => reply(200, { ...me, emailAddress: "sandbox@example.com" }),
  "GET /issue/createmeta/:project/issuetypes": projects.below(() =>
    reply(200, { startAt: 0, maxResults: 200, total: ISSUE_TYPES.length, issueTypes: ISSUE_TYPES }),
  ),
  "GET /project/:project/statuses": projects.below(() =>
    reply(
      200,
      ISSUE_TYPES.map(({ self, id, name, subtask }) => ({ self, id, name, subtask, statuses: STATUSES })),
    ),
  ),
  "GET /issue/createmeta/:project/issuetypes/:type": projects.below(() =>
    reply(200, { startAt: 0, maxResults: 200, total: 1, fields: [{ fieldId: "priority", ...PRIORITY_META }] }),
  ),
  "GET /issue/:issue/editmeta": issues.below(() => reply(200, { fields: { priority: PRIORITY_META } })),
  "POST /issue": createIssue,
  "PUT /issue/:issue": issues.below(editIssue),
  "POST /issue/:issue/transitions": issues.below(doTransition),
  "POST /issue/:issue/comment": issues.below(createComment),
  ...appHookRoutes,
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
  hooks,
  failure,
  headers: () => ({
    "x-ratelimit-limit": "350",
    "x-ratelimit-remaining": "349",
  }),
  settings: { cloud_id: CLOUD_ID, site: SITE, site_url: SITE_URL },
  routes: {
    ...apiRoutes(GATEWAY),
    ...apiRoutes(SITE_API),
    ...adminHookRoutes,
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
