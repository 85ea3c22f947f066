import type { EmulatedReply, EmulatedRequest } from "../../../contracts/emulator.ts";
import { emulate, reply } from "../../../emulator-kit/emulator.ts";
import { changes } from "./changes.ts";
import { createContact, readContact, updateContact } from "./contacts.ts";
import { HOST, makeState, ORG, type State, USER } from "./data.ts";
import { errorReply, failure } from "./errors.ts";
import { parseSoql, runSoql, SoqlError } from "./soql.ts";

const MAX_BATCH_SIZE = 2000;
const MIN_BATCH_SIZE = 200;

/** The maximum number of records in an answer. */
function batchSize({ headers }: EmulatedRequest): number {
  const requested = Number(/batchSize=(\d+)/.exec(headers["sforce-query-options"] ?? "")?.[1] ?? MAX_BATCH_SIZE);
  return Math.min(Math.max(requested, MIN_BATCH_SIZE), MAX_BATCH_SIZE);
}

const root = ({ params }: EmulatedRequest) => `/services/data/${params.version}`;

function runQuery(request: EmulatedRequest, state: State, soql: string, start: number, all: boolean) {
  try {
    const query = parseSoql(soql);
    const type = Object.keys(state).find((name) => name.toLowerCase() === query.object.toLowerCase());
    if (!type) return errorReply(400, "INVALID_TYPE", `sObject type '${query.object}' is not supported.`);
    const rows = state[type]!;
    const found = runSoql(query, rows, all ? rows : rows.filter(({ IsDeleted }) => !IsDeleted));
    const end = Math.min(start + batchSize(request), found.length);
    const records = found.slice(start, end).map(({ row, selected }) => ({
      attributes: { type, url: `${root(request)}/sobjects/${type}/${row.Id}` },
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

const USER_INFO = "/services/oauth2/userinfo";

const VERSIONS = [
  { label: "Spring '26", url: "/services/data/v66.0", version: "66.0" },
  { label: "Summer '26", url: "/services/data/v67.0", version: "67.0" },
];

export default emulate<State>({
  state: makeState,
  changes,
  settings: { host: HOST },
  failure,
  // The user information endpoint is not part of the API and has errors of its own.
  unauthorized: ({ path }) =>
    path === USER_INFO ? reply(403, "Bad_OAuth_Token", { "content-type": "text/html;charset=UTF-8" }) : failure(401),
  headers: () => ({ "sforce-limit-info": "api-usage=18/15000" }),
  open: ["GET /services/data/"],
  routes: {
    "GET /services/data/": () => reply(200, VERSIONS),
    "GET /services/data/:version/": (request) =>
      reply(200, { query: `${root(request)}/query`, queryAll: `${root(request)}/queryAll` }),
    "GET /services/data/:version/query": query(false),
    "GET /services/data/:version/queryAll": query(true),
    "GET /services/data/:version/query/:locator": queryMore,
    "POST /services/data/:version/sobjects/Contact": createContact,
    "GET /services/data/:version/sobjects/Contact/:id": readContact,
    "PATCH /services/data/:version/sobjects/Contact/:id": updateContact,
    [`GET ${USER_INFO}`]: () =>
      reply(200, {
        sub: `https://login.salesforce.com/id/${ORG}/${USER}`,
        user_id: USER,
        organization_id: ORG,
        preferred_username: "sandbox@example.com",
        name: "Zoë Sandbox",
        email: "sandbox@example.com",
        email_verified: true,
        picture: `https://${HOST}/profilephoto/005/F`,
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
