import type { EmulatedReply, EmulatedRequest, EmulatedTokens } from "../../contracts/emulator.ts";
import { emulate, reply } from "../../provider-kit/emulator.ts";
import { identity, makeState, type State } from "./sandbox-data.ts";

const MAX_PAGE_SIZE = 500;

const FAILURES: Record<number, [type: string, code: string, message: string]> = {
  400: ["invalid_request_error", "filter_error", "Error in filter."],
  401: ["auth_error", "unauthorized", "The access token is missing, invalid or was revoked."],
  403: ["auth_error", "insufficient_scopes", "The access token lacks a scope that this needs."],
  404: ["invalid_request_error", "not_found", "The referenced object was not found."],
  429: ["rate_limit_error", "rate_limit_exceeded", "Rate limit exceeded, please try again later"],
};

const errorReply = (status: number, [type, code, message]: [string, string, string], headers = {}): EmulatedReply =>
  reply(status, { status_code: status, type, code, message }, headers);

function failure(status: number): EmulatedReply {
  const known = FAILURES[status] ?? ["api_error", "internal_error", "Something went wrong."];
  // The date at which the limit ends: the next second.
  // https://docs.attio.com/rest-api/guides/rate-limiting
  const wait = status === 429 ? { "retry-after": new Date(Date.now() + 1000).toUTCString() } : {};
  return errorReply(status, known, wait);
}

const invalid = (message: string) => errorReply(400, ["invalid_request_error", "validation_type", message]);

/** Whether a person matches the filter. Only name and email address are emulated. */
function matches({ values }: State["people"][number], filter: Record<string, string>): boolean {
  const { name, email_addresses } = filter;
  return (
    (name === undefined || values.name.some(({ full_name }) => full_name === name)) &&
    (email_addresses === undefined || values.email_addresses.some((value) => value.email_address === email_addresses))
  );
}

function listPeople({ body, params }: EmulatedRequest, { people }: State): EmulatedReply {
  if (params.object !== "people") return failure(404);
  const { limit = MAX_PAGE_SIZE, offset = 0, filter = {}, sorts = [] } = body ?? {};
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE_SIZE)
    return invalid(`limit must be a number from 1 to ${MAX_PAGE_SIZE}`);
  if (!Number.isInteger(offset) || offset < 0) return invalid("offset must be a number from 0");
  if (Object.keys(filter).some((name) => !["name", "email_addresses"].includes(name))) return failure(400);
  const [sort] = sorts;
  if (sort && (sort.attribute !== "created_at" || !["asc", "desc"].includes(sort.direction)))
    return invalid("unknown sort");
  const found = people.filter((person) => matches(person, filter));
  if (sort)
    found.sort((one, other) => (one.created_at < other.created_at ? -1 : 1) * (sort.direction === "asc" ? 1 : -1));
  return reply(200, { data: found.slice(offset, offset + limit) });
}

const bearer = ({ headers }: EmulatedRequest) => /^bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];

/** Needs no valid token. For an invalid one the response says only that it is inactive. */
function identify(request: EmulatedRequest, _: State, tokens: EmulatedTokens): EmulatedReply {
  const known = tokens.inspect(bearer(request) ?? "");
  return reply(200, known && known.kind !== "refresh" ? identity : { active: false });
}

/** https://docs.attio.com/docs/oauth/revoke */
function revoke(request: EmulatedRequest, _: State, tokens: EmulatedTokens): EmulatedReply {
  const token = request.body?.token ?? bearer(request);
  if (!token) return invalid("no token was found");
  tokens.revoke(token);
  return reply(204);
}

export default emulate<State>({
  state: makeState,
  failure,
  open: ["GET /v2/self", "POST /oauth/revoke"],
  routes: {
    "POST /v2/objects/:object/records/query": listPeople,
    "GET /v2/self": identify,
    "POST /oauth/revoke": revoke,
  },
  // Tokens do not expire and come without a refresh token.
  tokenAnswer: ({ access_token }) => reply(200, { access_token, token_type: "Bearer" }),
});
