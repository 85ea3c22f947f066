import { cut, type EmulatedReply, type EmulatedRequest, emulate, reply } from "../../../emulator-kit/index.ts";
import { changes } from "./changes.ts";
import { createContact, readContact, updateContact } from "./contacts.ts";
import { HOST, makeState, ORG, type State, USER } from "./data.ts";
import { errorReply, failure } from "./errors.ts";
import { describeObject } from "./fields.ts";
import { runSoql, runSosl } from "./soql.ts";

const MAX_BATCH_SIZE = 2000;
const MIN_BATCH_SIZE = 200;

/** The maximum number of records in an answer. */
function batchSize({ headers }: EmulatedRequest): number {
  const requested = Number(/batchSize=(\d+)/.exec(headers["sforce-query-options"] ?? "")?.[1] ?? MAX_BATCH_SIZE);
  return Math.min(Math.max(requested, MIN_BATCH_SIZE), MAX_BATCH_SIZE);
}

const root = ({ params }: EmulatedRequest) => `/services/data/${params.version}`;

const represent =
  (request: EmulatedRequest, type: string) =>
  ({ id, fields }: ReturnType<typeof runSoql>["selected"][number]) => ({
    attributes: { type, url: `${root(request)}/sobjects/${type}/${id}` },
    ...fields,
  });

function runQuery(request: EmulatedRequest, state: State, soql: string, start = 0): EmulatedReply {
  const { object: type, selected } = runSoql(soql, state);
  const { items, next } = cut(selected, start, batchSize(request));
  return reply(200, {
    totalSize: selected.length,
    done: next === undefined,
    ...(next !== undefined && { nextRecordsUrl: `${root(request)}/query/${locator(soql, next)}` }),
    records: items.map(represent(request, type)),
  });
}

/** Where a query continues: opaque, with the offset at its end, as Salesforce has it. */
const locator = (soql: string, start: number) => `0r8${Buffer.from(soql).toString("base64url")}-${start}`;

function queryMore(request: EmulatedRequest, state: State): EmulatedReply {
  const [, soql, start] = /^0r8(.+)-(\d+)$/.exec(request.params.locator!) ?? [];
  if (!soql) return errorReply(400, "INVALID_QUERY_LOCATOR", "invalid query locator");
  return runQuery(request, state, Buffer.from(soql, "base64url").toString(), Number(start));
}

const USER_INFO = "/services/oauth2/userinfo";

export default emulate<State>({
  state: makeState,
  changes,
  settings: { host: HOST },
  failure,
  // The user information endpoint is not part of the API and has errors of its own.
  unauthorized: ({ path }) =>
    path === USER_INFO ? reply(403, "Bad_OAuth_Token", { "content-type": "text/html;charset=UTF-8" }) : failure(401),
  headers: () => ({ "sforce-limit-info": "api-usage=18/15000" }),
  routes: {
    "GET /services/data/:version/": (request) => reply(200, { query: `${root(request)}/query` }),
    "GET /services/data/:version/query": (request, state) => runQuery(request, state, request.query.get("q") ?? ""),
    "GET /services/data/:version/query/:locator": queryMore,
    "GET /services/data/:version/search": (request, state) => {
      const { object, selected } = runSosl(request.query.get("q") ?? "", state);
      return reply(200, { searchRecords: selected.map(represent(request, object)) });
    },
    "GET /services/data/:version/sobjects/:object/describe": describeObject,
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
        picture: `https://${HOST}/profilephoto/005/F`,
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
