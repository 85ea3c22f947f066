import { randomUUID } from "node:crypto";
import type { EmulatedReply, EmulatedRequest, EmulatedTokens } from "../../contracts/emulator.ts";
import { emulate, reply } from "../../provider-kit/emulator.ts";
import { accountDetails, makeState, PORTAL, type State, selectProperties, USER } from "./sandbox-data.ts";

const SCOPES = ["oauth", "crm.objects.contacts.read"];
const MAX_PAGE_SIZE = 100;

const FAILURES: Record<number, { message: string; category: string }> = {
  400: { message: "Invalid input JSON", category: "VALIDATION_ERROR" },
  401: {
    message:
      "Authentication credentials not found. This API supports OAuth 2.0 authentication and you can find more details at https://developers.hubspot.com/docs/methods/auth/oauth-overview",
    category: "INVALID_AUTHENTICATION",
  },
  403: {
    message: "This app hasn't been granted all required scopes to make this call.",
    category: "MISSING_SCOPES",
  },
  404: { message: "resource not found", category: "OBJECT_NOT_FOUND" },
};

const errorReply = (status: number, message: string, rest: Record<string, unknown>): EmulatedReply =>
  reply(status, { status: "error", message, correlationId: randomUUID(), ...rest });

/** https://developers.hubspot.com/docs/api-reference/error-handling */
function failure(status: number): EmulatedReply {
  if (status === 429)
    return errorReply(status, "You have reached your secondly limit.", {
      errorType: "RATE_LIMIT",
      policyName: "SECONDLY",
    });
  const { message, category } = FAILURES[status] ?? { message: "internal error", category: "INTERNAL_ERROR" };
  return errorReply(status, message, { category });
}

const invalid = (message: string) => errorReply(400, message, { category: "VALIDATION_ERROR" });

/** Property names may be separated by commas, given in repeated parameters, or both. */
const requestedProperties = (query: URLSearchParams) =>
  query
    .getAll("properties")
    .flatMap((names) => names.split(","))
    .filter(Boolean);

function listContacts({ query, origin, path }: EmulatedRequest, { contacts }: State): EmulatedReply {
  const limit = Number(query.get("limit") ?? 10);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE_SIZE)
    return invalid(`Invalid limit: it must be a number from 1 to ${MAX_PAGE_SIZE}`);
  const after = Number(query.get("after") ?? 0);
  if (!Number.isInteger(after)) return invalid("Invalid after: it is not a paging cursor");
  const archived = query.get("archived") === "true";
  const remaining = contacts.filter((contact) => contact.archived === archived && Number(contact.id) > after);
  const page = remaining.slice(0, limit);
  const last = page.at(-1);
  const results = page.map((contact) => selectProperties(contact, requestedProperties(query)));
  if (remaining.length <= limit || !last) return reply(200, { results });
  const link = new URLSearchParams(query);
  link.set("after", last.id);
  return reply(200, { results, paging: { next: { after: last.id, link: `${origin}${path}?${link}` } } });
}

function readContact({ params, query }: EmulatedRequest, { contacts }: State): EmulatedReply {
  const archived = query.get("archived") === "true";
  const byEmail = query.get("idProperty") === "email";
  const found = contacts.find(
    (contact) =>
      contact.archived === archived &&
      (byEmail ? contact.properties.email === params.contactId : contact.id === params.contactId),
  );
  return found ? reply(200, selectProperties(found, requestedProperties(query))) : failure(404);
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
    "GET /crm/v3/objects/contacts": listContacts,
    "GET /crm/v3/objects/contacts/:contactId": readContact,
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
