import type { EmulatedReply, EmulatedRequest } from "../../contracts/emulator.ts";
import { emulate, reply } from "../../provider-kit/emulator.ts";
import {
  CLOUD_ID,
  makeState,
  me,
  type SandboxIssue,
  SCOPES,
  SITE,
  SITE_URL,
  type State,
  selectFields,
} from "./sandbox-data.ts";

const GATEWAY = `/ex/jira/:cloud_id/rest/api/3`;
const SITE_API = "/rest/api/3";
const MAX_PAGE_SIZE = 5000;
/** The limit for pages that include descriptions. */
const MAX_FULL_PAGE_SIZE = 80;

const MESSAGES: Record<number, string> = {
  400: "The request is not valid.",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  429: "Rate limit exceeded.",
};

const errorReply = (status: number, message: string) => reply(status, { errorMessages: [message], errors: {} });

/** The gateway has its own error body for requests that it refuses itself; all other errors are Jira's. */
function failure(status: number, { path }: EmulatedRequest): EmulatedReply {
  const message = MESSAGES[status] ?? "Internal server error";
  if (path.startsWith("/ex/") && (status === 401 || status === 403 || status === 404))
    return reply(status, { code: status, message });
  return errorReply(status, message);
}

type Test = (issue: SandboxIssue) => boolean;

/** The few JQL clauses that the sandbox supports; undefined for any other. */
function readClause(clause: string): Test | undefined {
  const [, field = "", operator = "", quoted = ""] =
    /^(\w+)\s*(=|!=|>=|<=|is not|is)\s*(.+)$/i.exec(clause.trim()) ?? [];
  const value = quoted.replace(/^(["'])(.*)\1$/, "$2");
  const isNot = operator === "!=" || /^is not$/i.test(operator);
  switch (field.toLowerCase()) {
    case "project":
      if (/^is( not)?$/i.test(operator)) return /^empty$/i.test(value) ? () => isNot : undefined;
      return ({ fields }) => (fields.project.key === value) !== isNot;
    case "status":
      return ({ fields }) => (fields.status.name.toLowerCase() === value.toLowerCase()) !== isNot;
    case "created": {
      const at = Date.parse(value);
      if (Number.isNaN(at)) return undefined;
      return ({ fields }) => (operator === ">=" ? Date.parse(fields.created) >= at : Date.parse(fields.created) <= at);
    }
    default:
      return undefined;
  }
}

function search(jql: string, issues: SandboxIssue[]): SandboxIssue[] | EmulatedReply {
  const [, where = "", order = ""] = /^(.*?)(?:\border by\b(.*))?$/i.exec(jql.trim()) ?? [];
  // https://developer.atlassian.com/changelog/#CHANGE-2046
  if (where.trim() === "")
    return errorReply(
      400,
      "Unbounded JQL queries are not allowed here. Please add a search restriction to your query.",
    );
  const tests: Test[] = [];
  for (const clause of where.split(/\band\b/i)) {
    const test = readClause(clause);
    if (!test) return errorReply(400, `Error in the JQL Query: the sandbox does not support '${clause.trim()}'.`);
    tests.push(test);
  }
  const found = issues.filter((issue) => tests.every((test) => test(issue)));
  return /^\s*(created|updated|key)\s+asc/i.test(order) ? found : found.reverse();
}

function searchIssues({ query, params }: EmulatedRequest, { issues }: State): EmulatedReply {
  if (params.cloud_id !== undefined && params.cloud_id !== CLOUD_ID)
    return reply(404, { code: 404, message: "No message available" });
  const jql = query.get("jql") ?? "";
  const found = search(jql, issues);
  if (!Array.isArray(found)) return found;
  const requested = query.getAll("fields").flatMap((names) => names.split(","));
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

export default emulate<State>({
  state: makeState,
  failure,
  headers: () => ({
    "x-ratelimit-limit": "350",
    "x-ratelimit-remaining": "349",
    "x-ratelimit-nearlimit": "false",
    "atl-traceid": "6f1b2c3d4e5f60718293a4b5c6d7e8f9",
  }),
  settings: { cloud_id: CLOUD_ID, site: SITE, site_url: SITE_URL },
  routes: {
    [`GET ${GATEWAY}/search/jql`]: searchIssues,
    [`GET ${SITE_API}/search/jql`]: searchIssues,
    [`GET ${GATEWAY}/search`]: searchRemoved,
    [`GET ${SITE_API}/search`]: searchRemoved,
    [`GET ${GATEWAY}/myself`]: () => reply(200, me),
    [`GET ${SITE_API}/myself`]: () => reply(200, me),
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
