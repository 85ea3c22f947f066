import type { EmulatedReply, EmulatedRequest } from "../../contracts/emulator.ts";
import { emulate, reply } from "../../provider-kit/emulator.ts";
import { HOST, makeState, ORG, type State, USER } from "./sandbox-data.ts";
import { parseSoql, runSoql, SoqlError } from "./sandbox-soql.ts";

const MAX_BATCH_SIZE = 2000;
const MIN_BATCH_SIZE = 200;

const FAILURES: Record<number, [errorCode: string, message: string]> = {
  400: ["INVALID_REQUEST", "The request couldn't be understood"],
  401: ["INVALID_SESSION_ID", "Session expired or invalid"],
  403: ["REQUEST_LIMIT_EXCEEDED", "TotalRequests Limit exceeded."],
  404: ["NOT_FOUND", "The requested resource does not exist"],
  503: ["SERVER_UNAVAILABLE", "There are too many requests waiting to be processed. Please try again later."],
};

/** Errors are a list. https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/errorcodes.htm */
const errorReply = (status: number, errorCode: string, message: string) => reply(status, [{ message, errorCode }]);

const failure = (status: number) =>
  errorReply(status, ...(FAILURES[status] ?? ["UNKNOWN_EXCEPTION", "An unexpected error occurred"]));

/** The maximum number of records in an answer. */
function batchSize({ headers }: EmulatedRequest): number {
  const requested = Number(/batchSize=(\d+)/.exec(headers["sforce-query-options"] ?? "")?.[1] ?? MAX_BATCH_SIZE);
  return Math.min(Math.max(requested, MIN_BATCH_SIZE), MAX_BATCH_SIZE);
}

const root = ({ params }: EmulatedRequest) => `/services/data/${params.version}`;

function runQuery(request: EmulatedRequest, { contacts }: State, soql: string, start: number, all: boolean) {
  try {
    const query = parseSoql(soql);
    if (query.object.toLowerCase() !== "contact")
      return errorReply(400, "INVALID_TYPE", `sObject type '${query.object}' is not supported.`);
    const found = runSoql(query, all ? contacts : contacts.filter(({ IsDeleted }) => !IsDeleted));
    const end = Math.min(start + batchSize(request), found.length);
    const records = found.slice(start, end).map(({ row, selected }) => ({
      attributes: { type: "Contact", url: `${root(request)}/sobjects/Contact/${row.Id}` },
      ...selected,
    }));
    const hasMore = end < found.length;
    return reply(200, {
      totalSize: found.length,
      done: !hasMore,
      ...(hasMore ? { nextRecordsUrl: `${root(request)}/query/${locator(soql, end)}` } : {}),
      records,
    });
  } catch (error) {
    if (error instanceof SoqlError) return errorReply(400, error.code, error.message);
    throw error;
  }
}

/** Where a query continues: opaque, with the offset at its end, as Salesforce has it. */
const locator = (soql: string, start: number) => `0r8${Buffer.from(soql).toString("base64url")}-${start}`;

const query = (all: boolean) => (request: EmulatedRequest, state: State) => {
  const soql = request.query.get("q");
  return soql
    ? runQuery(request, state, soql, 0, all)
    : errorReply(400, "MALFORMED_QUERY", "A query string has to be specified");
};

function queryMore(request: EmulatedRequest, state: State): EmulatedReply {
  const [, soql, start] = /^0r8(.+)-(\d+)$/.exec(request.params.locator!) ?? [];
  if (!soql) return errorReply(400, "INVALID_QUERY_LOCATOR", "invalid query locator");
  return runQuery(request, state, Buffer.from(soql, "base64url").toString(), Number(start), false);
}

const VERSIONS = [
  { label: "Spring '26", url: "/services/data/v66.0", version: "66.0" },
  { label: "Summer '26", url: "/services/data/v67.0", version: "67.0" },
];

export default emulate<State>({
  state: makeState,
  settings: { host: HOST },
  failure,
  headers: () => ({ "sforce-limit-info": "api-usage=18/15000" }),
  open: ["GET /services/data/"],
  routes: {
    "GET /services/data/": () => reply(200, VERSIONS),
    "GET /services/data/:version/": (request) =>
      reply(200, { query: `${root(request)}/query`, queryAll: `${root(request)}/queryAll` }),
    "GET /services/data/:version/query": query(false),
    "GET /services/data/:version/queryAll": query(true),
    "GET /services/data/:version/query/:locator": queryMore,
    "GET /services/oauth2/userinfo": () =>
      reply(200, {
        sub: `https://login.salesforce.com/id/${ORG}/${USER}`,
        user_id: USER,
        organization_id: ORG,
        preferred_username: "sandbox@example.com",
        name: "Zoë Sandbox",
        email: "sandbox@example.com",
        email_verified: true,
        zoneinfo: "Europe/Berlin",
        active: true,
      }),
  },
  // Without the lifetime of the token. Only the answer after consent has a refresh token.
  tokenAnswer: ({ access_token, refresh_token, scope = "refresh_token api" }) =>
    reply(200, {
      access_token,
      ...(refresh_token ? { refresh_token } : {}),
      signature: "c2FuZGJveA==",
      scope,
      instance_url: `https://${HOST}`,
      id: `https://login.salesforce.com/id/${ORG}/${USER}`,
      token_type: "Bearer",
      issued_at: String(Date.now()),
    }),
  tokenFailure: (error, description) =>
    reply(400, {
      error,
      error_description: error === "invalid_grant" ? "expired access/refresh token" : description,
    }),
});
