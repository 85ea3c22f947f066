import {
  collection,
  cut,
  type EmulatedRequest,
  emulate,
  hasWords,
  linkTo,
  reply,
  wholeNumber,
} from "../../../emulator-kit/index.ts";
import manifest from "../manifest.ts";
import { changes } from "./changes.ts";
import { createContact, updateContact } from "./contacts.ts";
import {
  accountDetails,
  type Kind,
  makeState,
  PORTAL,
  type SandboxObject,
  type State,
  selectProperties,
  USER,
} from "./data.ts";
import { errorReply, failure, invalid } from "./errors.ts";
import { hooks } from "./hooks.ts";
import { mcp } from "./mcp.ts";
import { listProperties } from "./properties.ts";

const MAX_PAGE_SIZE = 100;

/** Names may be separated by commas, given in repeated parameters, or both. */
const namesIn = (query: URLSearchParams, parameter: string) =>
  query
    .getAll(parameter)
    .flatMap((names) => names.split(","))
    .filter(Boolean);

/** The companies of a deal, if they were requested. An object without any has no key for them. */
function associationsOf(query: URLSearchParams, state: State, id: string) {
  const companies = namesIn(query, "associations").includes("companies") ? state.companiesOfDeals.get(id) : undefined;
  return companies?.length ? { associations: { companies: { results: companies } } } : {};
}

const objects = (kind: Kind) => ({
  items: (state: State) => state[kind],
  names: ({ id, archived }: SandboxObject) => (archived ? [] : [id]),
  notFound: () => failure(404),
  select: (all: SandboxObject[]) =>
    all.filter(({ archived }) => !archived).sort((one, other) => Number(one.id) - Number(other.id)),
  page(found: SandboxObject[], request: EmulatedRequest, show: (object: SandboxObject) => unknown) {
    const limit = wholeNumber(request.query.get("limit"), { fallback: 10, max: MAX_PAGE_SIZE }, () =>
      invalid(`Invalid limit: it must be a number from 1 to ${MAX_PAGE_SIZE}`),
    );
    const start = wholeNumber(request.query.get("after"), { fallback: 0, min: 0 }, () =>
      invalid("Invalid after: it is not a paging cursor"),
    );
    const remaining = found.filter(({ id }) => Number(id) > start);
    const page = remaining.slice(0, limit);
    const after = page.at(-1)?.id;
    const next = remaining.length > limit && after && { after, link: linkTo(request, { after }) };
    return reply(200, { results: page.map(show), ...(next && { paging: { next } }) });
  },
  // The response to a write has only the properties that were sent, besides those that every response has.
  show: (object: SandboxObject, { query, body }: EmulatedRequest, state: State) => ({
    ...selectProperties(kind, object, body ? Object.keys(body.properties) : namesIn(query, "properties")),
    ...associationsOf(query, state, object.id),
  }),
});
const contacts = collection({ ...objects("contacts"), create: createContact, update: updateContact });
const companies = collection(objects("companies"));
const deals = collection(objects("deals"));

/** https://developers.hubspot.com/docs/api-reference/search/guide */
function searchContacts({ body = {} }: EmulatedRequest, state: State) {
  const { query = "", limit = 10, after = "0", properties = [] } = body;
  const size = wholeNumber(limit, { fallback: 10, max: 200 }, () => invalid("Invalid limit"));
  const start = wholeNumber(after, { fallback: 0, min: 0, max: 10_000 - size }, () => invalid("Invalid after"));
  const found = objects("contacts")
    .select([...state.contacts])
    .filter(({ properties: all }) => hasWords(query, ...Object.values(all)));
  const { items, next } = cut(found, start, size);
  return reply(200, {
    total: found.length,
    results: items.map((one) => selectProperties("contacts", one, properties)),
    ...(next !== undefined && { paging: { next: { after: String(next) } } }),
  });
}

export default emulate<State>({
  state: makeState,
  changes,
  hooks,
  mcp,
  failure,
  unauthorized: (_, reason) =>
    reason === "expired"
      ? errorReply(401, "The OAuth token used to make this call expired 0 second(s) ago.", {
          category: "EXPIRED_AUTHENTICATION",
          context: { "expire time": [new Date().toISOString()] },
        })
      : failure(401),
  headers: () => ({
    "x-hubspot-ratelimit-interval-milliseconds": "10000",
    "x-hubspot-ratelimit-max": "100",
    "x-hubspot-ratelimit-remaining": "99",
  }),
  // Knowing the token in the path is enough; no authorization is needed.
  open: ["DELETE /oauth/v1/refresh-tokens/:token"],
  routes: {
    "GET /crm/v3/objects/contacts": contacts.list,
    "POST /crm/v3/objects/contacts/search": searchContacts,
    "GET /crm/v3/objects/companies": companies.list,
    "GET /crm/v3/objects/deals": deals.list,
    "GET /crm/v3/objects/contacts/:id": contacts.get,
    "POST /crm/v3/objects/contacts": contacts.create,
    "PATCH /crm/v3/objects/contacts/:id": contacts.update,
    "GET /crm/v3/properties/:kind": listProperties,
    "GET /account-info/v3/details": () => reply(200, accountDetails),
    "DELETE /oauth/v1/refresh-tokens/:token": ({ params }, _, tokens) =>
      tokens.revoke(params.token!) ? reply(204) : failure(404),
  },
  // Every response has the refresh token: after a refresh, the one that was sent.
  tokenAnswer: ({ access_token, expires_in, refresh_token }, { body }) =>
    reply(200, {
      token_type: "bearer",
      refresh_token: refresh_token ?? body.refresh_token,
      access_token,
      hub_id: PORTAL,
      scopes: manifest.auth.oauth2.scopes,
      expires_in,
      user_id: USER,
      token_use: "access_token",
    }),
  // The standard fields, together with HubSpot's older ones.
  // https://developers.hubspot.com/changelog/new-oauth-v3-api-endpoints-and-standardized-error-responses
  tokenFailure(error, description, { body }) {
    const refresh = body?.grant_type === "refresh_token";
    const status = error === "invalid_grant" ? (refresh ? "BAD_REFRESH_TOKEN" : "BAD_AUTH_CODE") : error.toUpperCase();
    return reply(400, { error, error_description: description, status, message: description });
  },
});
