import type { EmulatedReply, EmulatedRequest, EmulatedTokens } from "../../contracts/emulator.ts";
import { emulate, reply } from "../../provider-kit/emulator.ts";
import { makeState, me, type State, SUBDOMAIN } from "./sandbox-data.ts";

const MAX_PAGE_SIZE = 100;
/** Seconds; https://developer.zendesk.com/api-reference/ticketing/oauth/grant_type_tokens/ */
const REFRESH_TOKEN_TTL = 7_776_000;

const errorReply = (status: number, error: string, description: string, headers?: Record<string, string>) =>
  reply(status, { error, description }, headers);

function failure(status: number): EmulatedReply {
  switch (status) {
    case 401:
      return reply(status, { error: "Couldn't authenticate you" });
    case 403:
      return reply(status, { error: { title: "Forbidden", message: "You do not have access to this page." } });
    case 404:
      return errorReply(status, "InvalidEndpoint", "Not found");
    case 422:
      return reply(status, { error: "RecordInvalid", description: "Record validation errors", details: {} });
    case 429:
      return errorReply(status, "APIRateLimitExceeded", "Number of allowed API requests per minute exceeded", {
        "retry-after": "30",
      });
    default:
      return errorReply(
        status,
        status < 500 ? "InvalidValue" : "InternalError",
        "The request could not be carried out",
      );
  }
}

const bearerOf = ({ headers }: EmulatedRequest) => /^bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];

/** An API token is accepted only if the username is marked with /token; passwords are no longer accepted. */
function credential(request: EmulatedRequest): string | undefined {
  const [, encoded] = /^basic +(\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
  if (!encoded) return bearerOf(request);
  return /^[^:]+\/token:(.*)$/.exec(Buffer.from(encoded, "base64").toString())?.[1];
}

const invalidPagination = (title: string) =>
  reply(400, { errors: [{ code: "InvalidPaginationParameter", title, source: { parameter: "page" } }] });

const makeCursor = (id: number) => Buffer.from(JSON.stringify({ o: "nice_id", v: id })).toString("base64");

function readCursor(cursor: string): number | undefined {
  try {
    const { v } = JSON.parse(Buffer.from(cursor, "base64").toString());
    return Number.isInteger(v) ? v : undefined;
  } catch {
    return undefined;
  }
}

/** Offset pagination, which is used unless a cursor parameter is sent. */
function listByNumber({ query, origin, path }: EmulatedRequest, { tickets }: State): EmulatedReply {
  const page = Number(query.get("page") ?? 1);
  const size = Math.min(Number(query.get("per_page") ?? MAX_PAGE_SIZE), MAX_PAGE_SIZE);
  if (!(page >= 1 && size >= 1)) return errorReply(400, "InvalidValue", "Page must be greater than 0");
  const link = (to: number) => `${origin}${path}?page=${to}&per_page=${size}`;
  return reply(200, {
    tickets: tickets.slice((page - 1) * size, page * size),
    next_page: page * size < tickets.length ? link(page + 1) : null,
    previous_page: page > 1 ? link(page - 1) : null,
    count: tickets.length,
  });
}

/** https://developer.zendesk.com/api-reference/introduction/pagination/#using-cursor-pagination */
function listTickets(request: EmulatedRequest, state: State): EmulatedReply {
  const { query, origin, path } = request;
  if (!query.has("page[size]") && !query.has("page[after]")) return listByNumber(request, state);
  const size = Number(query.get("page[size]") ?? MAX_PAGE_SIZE);
  if (!Number.isInteger(size) || size < 1 || size > MAX_PAGE_SIZE)
    return invalidPagination(`page[size] must be a number from 1 to ${MAX_PAGE_SIZE}`);
  const after = query.has("page[after]") ? readCursor(query.get("page[after]")!) : 0;
  if (after === undefined) return invalidPagination("page[after] is not valid");
  const remaining = state.tickets.filter(({ id }) => id > after);
  const tickets = remaining.slice(0, size);
  // On the last page as well: only `has_more` marks the end.
  const cursors = {
    after_cursor: tickets.length > 0 ? makeCursor(tickets.at(-1)!.id) : null,
    before_cursor: tickets.length > 0 ? makeCursor(tickets[0]!.id) : null,
  };
  const link = (name: "after" | "before") =>
    `${origin}${path}?${new URLSearchParams({ [`page[${name}]`]: cursors[`${name}_cursor`] ?? "", "page[size]": String(size) })}`;
  return reply(200, {
    tickets,
    meta: { has_more: remaining.length > size, ...cursors },
    links: { prev: link("before"), next: link("after") },
  });
}

function revoke(request: EmulatedRequest, _: State, tokens: EmulatedTokens): EmulatedReply {
  const token = bearerOf(request);
  return token && tokens.revoke(token) ? reply(204) : errorReply(404, "RecordNotFound", "Not found");
}

const readMe = () => reply(200, { user: me });

export default emulate<State>({
  state: makeState,
  failure,
  credential,
  unauthorized: (request) =>
    bearerOf(request)
      ? reply(401, {
          error: "invalid_token",
          error_description: "The access token provided is expired, revoked, malformed or invalid for other reasons.",
        })
      : failure(401),
  headers: () => ({
    "x-rate-limit": "700",
    "x-rate-limit-remaining": "699",
    "ratelimit-limit": "700",
    "ratelimit-remaining": "699",
    "ratelimit-reset": "41",
    "zendesk-ratelimit-tickets-index": "total=100; remaining=99; resets=41",
  }),
  settings: { subdomain: SUBDOMAIN },
  // The real paths work with and without .json.
  routes: {
    "GET /api/v2/tickets": listTickets,
    "GET /api/v2/tickets.json": listTickets,
    "GET /api/v2/users/me": readMe,
    "GET /api/v2/users/me.json": readMe,
    "DELETE /api/v2/oauth/tokens/current": revoke,
    "DELETE /api/v2/oauth/tokens/current.json": revoke,
  },
  tokenAnswer: ({ access_token, refresh_token, expires_in }) =>
    reply(200, {
      access_token,
      refresh_token,
      token_type: "bearer",
      scope: "tickets:read users:read",
      expires_in,
      refresh_token_expires_in: REFRESH_TOKEN_TTL,
    }),
});
