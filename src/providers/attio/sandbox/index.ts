import type { EmulatedReply, EmulatedRequest, EmulatedTokens } from "../../../contracts/emulator.ts";
import { emulate, reply } from "../../../emulator-kit/emulator.ts";
import { changes } from "./changes.ts";
import { identity, makeState, type State } from "./data.ts";
import { failure, invalid } from "./errors.ts";
import { createPerson, readPerson, updatePerson } from "./people.ts";

const MAX_PAGE_SIZE = 500;

/** Whether a record matches the filter. Only names of people and email addresses are emulated. */
function matches({ values }: State["people"][number], filter: Record<string, string>): boolean {
  const { name, email_addresses } = filter;
  return (
    (name === undefined || values.name.some(({ full_name }) => full_name === name)) &&
    (email_addresses === undefined || values.email_addresses.some((value) => value.email_address === email_addresses))
  );
}

const FILTERS: Record<string, string[]> = { people: ["name", "email_addresses"] };

function listRecords({ body, params }: EmulatedRequest, state: State): EmulatedReply {
  const object = params.object as keyof State;
  if (!Object.hasOwn(state, object)) return failure(404);
  const { limit = MAX_PAGE_SIZE, offset = 0, filter = {}, sorts = [] } = body ?? {};
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE_SIZE)
    return invalid(`limit must be a number from 1 to ${MAX_PAGE_SIZE}`);
  if (!Number.isInteger(offset) || offset < 0) return invalid("offset must be a number from 0");
  if (Object.keys(filter).some((name) => !FILTERS[object]?.includes(name))) return failure(400);
  const [sort] = sorts;
  if (sort && (sort.attribute !== "created_at" || !["asc", "desc"].includes(sort.direction)))
    return invalid("unknown sort");
  const found = (state[object] as State["people"]).filter((record) => matches(record, filter));
  if (sort)
    // Those of the same moment stay in the order in which they were written.
    found.sort((one, other) => one.created_at.localeCompare(other.created_at) * (sort.direction === "asc" ? 1 : -1));
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
  changes,
  failure,
  open: ["GET /v2/self", "POST /oauth/revoke"],
  routes: {
    "POST /v2/objects/:object/records/query": listRecords,
    "POST /v2/objects/people/records": createPerson,
    "GET /v2/objects/people/records/:record": readPerson,
    "PUT /v2/objects/people/records/:record": updatePerson,
    "GET /v2/self": identify,
    "POST /oauth/revoke": revoke,
  },
  // Tokens do not expire and come without a refresh token.
  tokenAnswer: ({ access_token }) => reply(200, { access_token, token_type: "Bearer" }),
});
