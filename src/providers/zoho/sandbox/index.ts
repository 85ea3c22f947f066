import {
  collection,
  cut,
  type EmulatedReply,
  type EmulatedRequest,
  type EmulatedTokens,
  emulate,
  hasWords,
  makeCursor,
  readCursor,
  refuse,
  reply,
  wholeNumber,
} from "../../../emulator-kit/index.ts";
import manifest from "../manifest.ts";
import { changes } from "./changes.ts";
import { createContact, unknownId, updateContact } from "./contacts.ts";
import { API_DOMAIN, currentUser, DOMAIN, makeState, type State, type ZohoRecord } from "./data.ts";
import { listFields } from "./fields.ts";
import { hookRoutes, hooks } from "./hooks.ts";

const MAX_PAGE_SIZE = 200;
const MAX_FOUND = 2_000;

const FAILURES: Record<number, [code: string, message: string]> = {
  400: ["INVALID_DATA", "invalid data"],
  401: ["INVALID_TOKEN", "invalid oauth token"],
  403: ["NO_PERMISSION", "permission denied"],
  404: ["INVALID_URL_PATTERN", "Please check if the URL trying to access is a correct one"],
  429: ["TOO_MANY_REQUESTS", "You have exceeded the number of requests allowed"],
};

/** https://www.zoho.com/crm/developer/docs/api/v8/status-codes.html */
const errorReply = (status: number, code: string, message: string, details = {}): EmulatedReply =>
  reply(status, { code, details, message, status: "error" });

const failure = (status: number): EmulatedReply =>
  errorReply(status, ...(FAILURES[status] ?? ["INTERNAL_ERROR", "Internal Server Error"]));

const invalidParameter = (param_name: string) =>
  errorReply(400, "INVALID_DATA", "Please check whether the input values are correct", { param_name });

/** Lists by page tokens: those by page numbers, which end at the 2,000th record, are not emulated. */
function pageOf(found: ZohoRecord[], { query }: EmulatedRequest, show: (record: ZohoRecord) => unknown) {
  if (!query.get("fields"))
    refuse(
      errorReply(400, "REQUIRED_PARAM_MISSING", "One of the expected parameter is missing", { param_name: "fields" }),
    );
  if (query.has("page")) refuse(invalidParameter("page"));
  const per_page = wholeNumber(query.get("per_page"), { fallback: MAX_PAGE_SIZE, max: MAX_PAGE_SIZE }, () =>
    invalidParameter("per_page"),
  );
  const token = query.get("page_token");
  const start =
    token === null ? 0 : (readCursor<{ start: number }>(token)?.start ?? refuse(invalidParameter("page_token")));
  const { items, next } = cut(found, start, per_page);
  // Not an empty list, but no body at all.
  if (items.length === 0) return reply(204);
  const info = {
    per_page,
    next_page_token: next === undefined ? null : makeCursor({ start: next }),
    count: items.length,
    page: Math.floor(start / per_page) + 1,
    more_records: next !== undefined,
  };
  return reply(200, { data: items.map(show), info });
}

/** The requested fields and always the id; unknown names are ignored. */
function select(record: ZohoRecord, query: URLSearchParams) {
  const fields = query.get("fields")?.split(",") ?? Object.keys(record);
  return Object.fromEntries(Object.entries(record).filter(([name]) => name === "id" || fields.includes(name)));
}

const records = (module: keyof State) =>
  collection({
    items: (state: State) => state[module],
    notFound: (request) => (request.method === "GET" ? reply(204) : unknownId(request)),
    select(all, { headers }) {
      const since = headers["if-modified-since"];
      if (since === undefined) return all;
      if (Number.isNaN(Date.parse(since))) refuse(invalidParameter("If-Modified-Since"));
      const found = all.filter(({ Modified_Time }) => Date.parse(String(Modified_Time)) > Date.parse(since));
      return found.length > 0 ? found : refuse(reply(304));
    },
    page: pageOf,
    show: (record, { query }) => select(record, query),
    one: (record) => reply(200, { data: [record] }),
  });
const contacts = records("Contacts");

/** By pages with numbers. https://www.zoho.com/crm/developer/docs/api/v8/search-records.html */
function searchContacts({ query }: EmulatedRequest, { Contacts }: State): EmulatedReply {
  const word = query.get("word") ?? "";
  if (word.length < 2) refuse(invalidParameter("word"));
  const per_page = wholeNumber(query.get("per_page"), { fallback: MAX_PAGE_SIZE, max: MAX_PAGE_SIZE }, () =>
    invalidParameter("per_page"),
  );
  const page = wholeNumber(query.get("page"), { fallback: 1, max: Math.floor(MAX_FOUND / per_page) }, () =>
    invalidParameter("page"),
  );
  const found = Contacts.filter(({ Full_Name, Email, Phone }) => hasWords(word, [Full_Name, Email, Phone].join(" ")));
  const { items, next } = cut(found, (page - 1) * per_page, per_page);
  if (items.length === 0) return reply(204);
  const info = { per_page, count: items.length, page, more_records: next !== undefined };
  return reply(200, { data: items.map((contact) => select(contact, query)), info });
}

function listUsers({ query }: EmulatedRequest): EmulatedReply {
  if (query.get("type") !== "CurrentUser") return invalidParameter("type");
  return reply(200, { users: [currentUser], info: { per_page: 200, count: 1, page: 1, more_records: false } });
}

const revoke = ({ query }: EmulatedRequest, _: State, tokens: EmulatedTokens): EmulatedReply =>
  tokens.revoke(query.get("token") ?? "") ? reply(200, { status: "success" }) : reply(400, { error: "invalid_token" });

export default emulate<State>({
  state: makeState,
  changes,
  hooks,
  settings: { domain: DOMAIN, api_domain: API_DOMAIN },
  failure,
  // Zoho has its own authorization scheme: https://www.zoho.com/crm/developer/docs/api/v8/access-refresh.html
  credential: ({ headers }) => /^zoho-oauthtoken +(\S+)$/i.exec(headers.authorization ?? "")?.[1],
  unauthorized: (_, reason) =>
    reason === "missing" ? errorReply(401, "AUTHENTICATION_FAILURE", "Authentication failed") : failure(401),
  headers: () => ({ "x-api-credits-remaining": "99990" }),
  open: ["POST /oauth/v2/token/revoke"],
  routes: {
    "GET /crm/v8/Contacts": contacts.list,
    "GET /crm/v8/Accounts": records("Accounts").list,
    "GET /crm/v8/Deals": records("Deals").list,
    "POST /crm/v8/Contacts": createContact,
    "GET /crm/v8/Contacts/search": searchContacts,
    "GET /crm/v8/Contacts/:id": contacts.get,
    "PUT /crm/v8/Contacts/:id": contacts.below(updateContact),
    "GET /crm/v8/settings/fields": listFields,
    "GET /crm/v8/users": listUsers,
    ...hookRoutes,
    "POST /oauth/v2/token/revoke": revoke,
  },
  redirectParameters: { location: "eu", "accounts-server": `https://accounts.${DOMAIN}` },
  tokenAnswer: ({ access_token, refresh_token, expires_in, scope }) =>
    reply(200, {
      access_token,
      ...(refresh_token ? { refresh_token } : {}),
      scope: String(scope ?? manifest.auth.oauth2.scopes).replaceAll(",", " "),
      api_domain: `https://${API_DOMAIN}`,
      token_type: "Bearer",
      expires_in,
    }),
  // With status 200, and Zoho's own error for an invalid code or refresh token.
  // https://www.zoho.com/accounts/protocol/oauth/web-apps/access-token-expiry.html
  tokenFailure: (error) => reply(200, { error: error === "invalid_grant" ? "invalid_code" : error }),
});
