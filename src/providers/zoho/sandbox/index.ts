import type { EmulatedReply, EmulatedRequest, EmulatedTokens } from "../../../contracts/emulator.ts";
import { emulate, reply } from "../../../emulator-kit/emulator.ts";
import { changes } from "./changes.ts";
import { createContact, updateContact } from "./contacts.ts";
import { API_DOMAIN, currentUser, DOMAIN, makeState, type State, type ZohoRecord } from "./data.ts";

const SCOPES =
  "ZohoCRM.modules.contacts.READ ZohoCRM.modules.contacts.CREATE ZohoCRM.modules.contacts.UPDATE ZohoCRM.modules.accounts.READ ZohoCRM.modules.deals.READ ZohoCRM.users.READ";
const MAX_PAGE_SIZE = 200;
const MAX_RECORDS_BY_PAGE = 2000;

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

const missingParameter = (param_name: string) =>
  errorReply(400, "REQUIRED_PARAM_MISSING", "One of the expected parameter is missing", { param_name });
const invalidParameter = (param_name: string) =>
  errorReply(400, "INVALID_DATA", "Please check whether the input values are correct", { param_name });

/** A record with the requested fields and always the id; unknown names are ignored. */
const selectFields = (record: ZohoRecord, fields: string[]) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name === "id" || fields.includes(name)));

const tokenOf = (start: number) => Buffer.from(JSON.stringify({ start })).toString("base64url");
function startOf(token: string): number {
  try {
    return Number(JSON.parse(Buffer.from(token, "base64url").toString()).start);
  } catch {
    return Number.NaN;
  }
}

const listRecords =
  (module: keyof State) =>
  (request: EmulatedRequest, state: State): EmulatedReply => {
    const { query } = request;
    const fields = query.get("fields")?.split(",").filter(Boolean) ?? [];
    if (fields.length === 0) return missingParameter("fields");
    const size = Number(query.get("per_page") ?? MAX_PAGE_SIZE);
    if (!Number.isInteger(size) || size < 1 || size > MAX_PAGE_SIZE) return invalidParameter("per_page");
    const number = Number(query.get("page") ?? 1);
    if (!Number.isInteger(number) || number < 1) return invalidParameter("page");
    const token = query.get("page_token");
    if (token !== null && query.has("page"))
      return errorReply(400, "AMBIGUITY_DURING_PROCESSING", "page and page_token cannot be used together");
    if (token === null && number * size > MAX_RECORDS_BY_PAGE)
      return errorReply(400, "DISCRETE_PAGINATION_LIMIT_EXCEEDED", "Only the first 2000 records can be had by page");
    const start = token === null ? (number - 1) * size : startOf(token);
    if (!Number.isInteger(start)) return invalidParameter("page_token");

    const since = request.headers["if-modified-since"];
    const modifiedAfter = since === undefined ? undefined : Date.parse(since);
    if (Number.isNaN(modifiedAfter)) return invalidParameter("If-Modified-Since");
    const ids = query.get("ids")?.split(",");
    const found = state[module].filter(
      ({ id, Modified_Time }) =>
        (!ids || ids.includes(id)) &&
        (modifiedAfter === undefined || Date.parse(String(Modified_Time)) > modifiedAfter),
    );
    if (found.length === 0 && since !== undefined) return reply(304);
    const page = found.slice(start, start + size);
    // Not an empty list, but no body at all.
    if (page.length === 0) return reply(204);
    const more = start + size < found.length;
    return reply(200, {
      data: page.map((record) => selectFields(record, fields)),
      info: {
        per_page: size,
        next_page_token: more ? tokenOf(start + size) : null,
        count: page.length,
        sort_by: "id",
        page: Math.floor(start / size) + 1,
        previous_page_token: start > 0 ? tokenOf(Math.max(0, start - size)) : null,
        page_token_expiry: more ? new Date(Date.now() + 86_400_000).toISOString().replace(/\.\d+Z/, "+00:00") : null,
        sort_order: "desc",
        more_records: more,
      },
    });
  };

/** A record that does not exist has no body, like an empty list. */
function readContact({ params, query }: EmulatedRequest, { Contacts }: State): EmulatedReply {
  const found = Contacts.find(({ id }) => id === params.id);
  if (!found) return reply(204);
  const fields = query.get("fields")?.split(",");
  return reply(200, { data: [fields ? selectFields(found, fields) : found] });
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
  settings: { domain: DOMAIN, api_domain: API_DOMAIN },
  failure,
  // Zoho has its own authorization scheme: https://www.zoho.com/crm/developer/docs/api/v8/access-refresh.html
  credential: ({ headers }) => /^zoho-oauthtoken +(\S+)$/i.exec(headers.authorization ?? "")?.[1],
  unauthorized: (_, reason) =>
    reason === "missing" ? errorReply(401, "AUTHENTICATION_FAILURE", "Authentication failed") : failure(401),
  headers: () => ({ "x-api-credits-remaining": "99990" }),
  open: ["POST /oauth/v2/token/revoke"],
  routes: {
    "GET /crm/v8/Contacts": listRecords("Contacts"),
    "GET /crm/v8/Accounts": listRecords("Accounts"),
    "GET /crm/v8/Deals": listRecords("Deals"),
    "POST /crm/v8/Contacts": createContact,
    "GET /crm/v8/Contacts/:id": readContact,
    "PUT /crm/v8/Contacts/:id": updateContact,
    "GET /crm/v8/users": listUsers,
    "POST /oauth/v2/token/revoke": revoke,
  },
  redirectParameters: { location: "eu", "accounts-server": `https://accounts.${DOMAIN}` },
  tokenAnswer: ({ access_token, refresh_token, expires_in, scope }) =>
    reply(200, {
      access_token,
      ...(refresh_token ? { refresh_token } : {}),
      scope: String(scope ?? SCOPES).replaceAll(",", " "),
      api_domain: `https://${API_DOMAIN}`,
      token_type: "Bearer",
      expires_in,
    }),
  // With status 200, and Zoho's own error for an invalid code or refresh token.
  // https://www.zoho.com/accounts/protocol/oauth/web-apps/access-token-expiry.html
  tokenFailure: (error) => reply(200, { error: error === "invalid_grant" ? "invalid_code" : error }),
});
