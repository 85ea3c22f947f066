import type { EmulatedReply, EmulatedRequest } from "../../contracts/emulator.ts";
import { emulate, reply } from "../../provider-kit/emulator.ts";
import { HOST, makeState, ORG, type State, USER } from "./sandbox-data.ts";
import { readSoql, runSoql, SoqlRefusal } from "./sandbox-soql.ts";

const MAX_BATCH = 2000;
const MIN_BATCH = 200;

const FAILURES: Record<number, [errorCode: string, message: string]> = {
  400: ["INVALID_REQUEST", "The request couldn't be understood"],
  401: ["INVALID_SESSION_ID", "Session expired or invalid"],
  403: ["REQUEST_LIMIT_EXCEEDED", "TotalRequests Limit exceeded."],
  404: ["NOT_FOUND", "The requested resource does not exist"],
  503: ["SERVER_UNAVAILABLE", "There are too many requests waiting to be processed. Please try again later."],
};

/** Errors are a list. https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/errorcodes.htm */
const failed = (status: number, errorCode: string, message: string) => reply(status, [{ message, errorCode }]);

const failure = (status: number) =>
  failed(status, ...(FAILURES[status] ?? ["UNKNOWN_EXCEPTION", "An unexpected error occurred"]));

/** How many records an answer holds at most. */
function batchSize({ headers }: EmulatedRequest): number {
  const asked = Number(/batchSize=(\d+)/.exec(headers["sforce-query-options"] ?? "")?.[1] ?? MAX_BATCH);
  return Math.min(Math.max(asked, MIN_BATCH), MAX_BATCH);
}

const root = ({ params }: EmulatedRequest) => `/services/data/${params.version}`;

function answer(request: EmulatedRequest, { contacts }: State, soql: string, start: number, all: boolean) {
  try {
    const query = readSoql(soql);
    if (query.object.toLowerCase() !== "contact")
      return failed(400, "INVALID_TYPE", `sObject type '${query.object}' is not supported.`);
    const found = runSoql(query, all ? contacts : contacts.filter(({ IsDeleted }) => !IsDeleted));
    const end = Math.min(start + batchSize(request), found.length);
    const records = found.slice(start, end).map(({ row, shown }) => ({
      attributes: { type: "Contact", url: `${root(request)}/sobjects/Contact/${row.Id}` },
      ...shown,
    }));
    const rest = end < found.length;
    return reply(200, {
      totalSize: found.length,
      done: !rest,
      ...(rest ? { nextRecordsUrl: `${root(request)}/query/${locator(soql, end)}` } : {}),
      records,
    });
  } catch (error) {
    if (error instanceof SoqlRefusal) return failed(400, error.code, error.message);
    throw error;
  }
}

/** Where a query goes on: opaque, with the count at its end, as the real one has it. */
const locator = (soql: string, start: number) => `0r8${Buffer.from(soql).toString("base64url")}-${start}`;

const query = (all: boolean) => (request: EmulatedRequest, state: State) => {
  const soql = request.query.get("q");
  return soql
    ? answer(request, state, soql, 0, all)
    : failed(400, "MALFORMED_QUERY", "A query string has to be specified");
};

function queryMore(request: EmulatedRequest, state: State): EmulatedReply {
  const [, soql, start] = /^0r8(.+)-(\d+)$/.exec(request.params.locator!) ?? [];
  if (!soql) return failed(400, "INVALID_QUERY_LOCATOR", "invalid query locator");
  return answer(request, state, Buffer.from(soql, "base64url").toString(), Number(start), false);
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
  // Without a word on how long the token lives; the refresh token comes with consent only.
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
