import type { EmulatedReply, EmulatedRequest, EmulatedTokens } from "../../../contracts/emulator.ts";
import { emulate, reply } from "../../../emulator-kit/emulator.ts";
import { changes } from "./changes.ts";
import { createContact, updateContact } from "./contacts.ts";
import { accountDetails, type Kind, makeState, PORTAL, type State, selectProperties, USER } from "./data.ts";
import { errorReply, failure, invalid } from "./errors.ts";
import { mcp } from "./mcp.ts";

const SCOPES = [
  "oauth",
  "crm.objects.contacts.read",
  "crm.objects.contacts.write",
  "crm.objects.companies.read",
  "crm.objects.deals.read",
];
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

const listObjects = (kind: Kind) => (request: EmulatedRequest, state: State) => {
  const { query, origin, path } = request;
  const limit = Number(query.get("limit") ?? 10);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE_SIZE)
    return invalid(`Invalid limit: it must be a number from 1 to ${MAX_PAGE_SIZE}`);
  const after = Number(query.get("after") ?? 0);
  if (!Number.isInteger(after)) return invalid("Invalid after: it is not a paging cursor");
  const archived = query.get("archived") === "true";
  const remaining = state[kind]
    .filter((object) => object.archived === archived && Number(object.id) > after)
    .sort((one, other) => Number(one.id) - Number(other.id));
  const page = remaining.slice(0, limit);
  const last = page.at(-1);
  const results = page.map((object) => ({
    ...selectProperties(kind, object, namesIn(query, "properties")),
    ...associationsOf(query, state, object.id),
  }));
  if (remaining.length <= limit || !last) return reply(200, { results });
  const link = new URLSearchParams(query);
  link.set("after", last.id);
  return reply(200, { results, paging: { next: { after: last.id, link: `${origin}${path}?${link}` } } });
};

function readContact({ params, query }: EmulatedRequest, { contacts }: State): EmulatedReply {
  const archived = query.get("archived") === "true";
  const byEmail = query.get("idProperty") === "email";
  const found = contacts.find(
    (contact) =>
      contact.archived === archived &&
      (byEmail ? contact.properties.email === params.contactId : contact.id === params.contactId),
  );
  return found ? reply(200, selectProperties("contacts", found, namesIn(query, "properties"))) : failure(404);
}

/** Describes a token to anyone who has it, as HubSpot does. */
const tokenInfo = (kind: "access" | "refresh") => (request: EmulatedRequest, _: State, tokens: EmulatedTokens) => {
  const token = request.params.token!;
  const known = tokens.inspect(token);
  if (known?.kind !== kind) return failure(404);
  return reply(200, {
    token,
    user: "sandbox@example.com",
    hub_domain: "sandbox.example.com",
    scopes: SCOPES,
    hub_id: PORTAL,
    user_id: USER,
    token_type: kind,
    ...(kind === "access" ? { app_id: 4242, expires_in: known.expires_in ?? 0 } : { client_id: "sandbox" }),
  });
};

export default emulate<State>({
  state: makeState,
  changes,
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
  open: [
    "GET /oauth/v1/access-tokens/:token",
    "GET /oauth/v1/refresh-tokens/:token",
    "DELETE /oauth/v1/refresh-tokens/:token",
  ],
  routes: {
    "GET /crm/v3/objects/contacts": listObjects("contacts"),
    "GET /crm/v3/objects/companies": listObjects("companies"),
    "GET /crm/v3/objects/deals": listObjects("deals"),
    "GET /crm/v3/objects/contacts/:contactId": readContact,
    "POST /crm/v3/objects/contacts": createContact,
    "PATCH /crm/v3/objects/contacts/:contactId": updateContact,
    "GET /account-info/v3/details": () => reply(200, accountDetails),
    "GET /oauth/v1/access-tokens/:token": tokenInfo("access"),
    "GET /oauth/v1/refresh-tokens/:token": tokenInfo("refresh"),
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
      scopes: SCOPES,
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
