import {
  bearerToken,
  collection,
  type EmulatedReply,
  type EmulatedRequest,
  type EmulatedTokens,
  emulate,
  refuse,
  reply,
  wholeNumber,
} from "../../../emulator-kit/index.ts";
import { listAttributes } from "./attributes.ts";
import { changes } from "./changes.ts";
import { identity, makeState, type State } from "./data.ts";
import { failure, invalid } from "./errors.ts";
import { hookRoutes, hooks } from "./hooks.ts";
import { createPerson, updatePerson } from "./people.ts";

const MAX_PAGE_SIZE = 500;

interface Filter {
  $and?: Filter[];
  $or?: Filter[];
  name?: { full_name?: { $contains?: string } };
  email_addresses?: { email_address?: { $contains?: string } };
}

/** Of the filters, only those by a part of a name or of an email address are emulated. */
function matches(person: State["people"][number], filter: Filter): boolean {
  if (filter.$and) return filter.$and.every((one) => matches(person, one));
  if (filter.$or) return filter.$or.some((one) => matches(person, one));
  const { values } = person;
  const [texts, wanted] = filter.name
    ? [values.name.map(({ full_name }) => full_name), filter.name.full_name?.$contains]
    : [
        values.email_addresses.map(({ email_address }) => email_address),
        filter.email_addresses?.email_address?.$contains,
      ];
  const part = wanted?.toLowerCase() ?? refuse(failure(400));
  return texts.some((text) => text.toLowerCase().includes(part));
}

const records = collection({
  items(state: State, { params: { object = "people" } }) {
    if (!Object.hasOwn(state, object)) refuse(failure(404));
    return state[object as keyof State] as State["people"];
  },
  parameter: "record",
  names: ({ id }) => [id.record_id],
  notFound: () => failure(404),
  select(all, { body }) {
    const [sort] = body?.sorts ?? [];
    const found = body?.filter ? all.filter((person) => matches(person, body.filter)) : all;
    if (!sort) return found;
    const sign = { asc: 1, desc: -1 }[String(sort.direction)];
    if (sort.attribute !== "created_at" || !sign) return refuse(invalid("unknown sort"));
    // Those of the same moment stay in the order in which they were written.
    return found.toSorted((one, other) => one.created_at.localeCompare(other.created_at) * sign);
  },
  page(found, { body }) {
    const limit = wholeNumber(body?.limit, { fallback: MAX_PAGE_SIZE, max: MAX_PAGE_SIZE }, () =>
      invalid(`limit must be a number from 1 to ${MAX_PAGE_SIZE}`),
    );
    const offset = wholeNumber(body?.offset, { fallback: 0, min: 0 }, () => invalid("offset must be a number from 0"));
    return reply(200, { data: found.slice(offset, offset + limit) });
  },
  one: (data) => reply(200, { data }),
  create: createPerson,
  update: updatePerson,
});

/** Needs no valid token. For an invalid one the response says only that it is inactive. */
const identify = (request: EmulatedRequest, _: State, tokens: EmulatedTokens) =>
  reply(200, tokens.inspect(bearerToken(request) ?? "") ? identity : { active: false });

/** https://docs.attio.com/docs/oauth/revoke */
function revoke(request: EmulatedRequest, _: State, tokens: EmulatedTokens): EmulatedReply {
  tokens.revoke(request.body?.token ?? bearerToken(request) ?? refuse(invalid("no token was found")));
  return reply(204);
}

export default emulate<State>({
  state: makeState,
  changes,
  hooks,
  failure,
  open: ["GET /v2/self", "POST /oauth/revoke"],
  routes: {
    "POST /v2/objects/:object/records/query": records.list,
    "POST /v2/objects/people/records": records.create,
    "GET /v2/objects/people/records/:record": records.get,
    "PUT /v2/objects/people/records/:record": records.update,
    "GET /v2/objects/:object/attributes": listAttributes,
    ...hookRoutes,
    "GET /v2/self": identify,
    "POST /oauth/revoke": revoke,
  },
  // Tokens do not expire and come without a refresh token.
  tokenAnswer: ({ access_token }) => reply(200, { access_token, token_type: "Bearer" }),
});
