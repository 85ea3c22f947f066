import type { EmulatedReply, EmulatedRequest, EmulatedRoute, EmulatedTokens } from "../../../contracts/emulator.ts";
import { emulate, isReply, reply } from "../../../emulator-kit/emulator.ts";
import { changes } from "./changes.ts";
import { makeState, me, type SandboxTicket, type SandboxUser, type State, SUBDOMAIN } from "./data.ts";
import { changeTicket, createTicket } from "./writes.ts";

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

interface Entity {
  id: number;
}

/** The entities of a page, and what the response says about the page. */
type Page<Item> = { items: Item[]; about: object };

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
function pageByNumber<Item>({ query, origin, path }: EmulatedRequest, all: Item[]): Page<Item> | EmulatedReply {
  const page = Number(query.get("page") ?? 1);
  const size = Math.min(Number(query.get("per_page") ?? MAX_PAGE_SIZE), MAX_PAGE_SIZE);
  if (!(page >= 1 && size >= 1)) return errorReply(400, "InvalidValue", "Page must be greater than 0");
  const link = (to: number) => `${origin}${path}?page=${to}&per_page=${size}`;
  return {
    items: all.slice((page - 1) * size, page * size),
    about: {
      next_page: page * size < all.length ? link(page + 1) : null,
      previous_page: page > 1 ? link(page - 1) : null,
      count: all.length,
    },
  };
}

/**
 * The page that is asked for of entities in the order of their ids.
 * https://developer.zendesk.com/api-reference/introduction/pagination/#using-cursor-pagination
 */
function pageOf<Item extends Entity>(request: EmulatedRequest, all: Item[]): Page<Item> | EmulatedReply {
  const { query, origin, path } = request;
  if (!query.has("page[size]") && !query.has("page[after]")) return pageByNumber(request, all);
  const size = Number(query.get("page[size]") ?? MAX_PAGE_SIZE);
  if (!Number.isInteger(size) || size < 1 || size > MAX_PAGE_SIZE)
    return invalidPagination(`page[size] must be a number from 1 to ${MAX_PAGE_SIZE}`);
  const after = query.has("page[after]") ? readCursor(query.get("page[after]")!) : 0;
  if (after === undefined) return invalidPagination("page[after] is not valid");
  const remaining = all.filter(({ id }) => id > after).sort((one, other) => one.id - other.id);
  const items = remaining.slice(0, size);
  // On the last page as well: only `has_more` marks the end.
  const cursors = {
    after_cursor: items.length > 0 ? makeCursor(items.at(-1)!.id) : null,
    before_cursor: items.length > 0 ? makeCursor(items[0]!.id) : null,
  };
  const link = (name: "after" | "before") => {
    const cursor = cursors[`${name}_cursor`];
    const parameters = new URLSearchParams({ [`page[${name}]`]: cursor ?? "", "page[size]": String(size) });
    return cursor && `${origin}${path}?${parameters}`;
  };
  return {
    items,
    about: {
      meta: { has_more: remaining.length > size, ...cursors },
      links: { prev: link("before"), next: link("after") },
    },
  };
}

/** The users that records refer to, if they are asked for; each once, and none that was deleted for good. */
function sideLoad({ query }: EmulatedRequest, { users }: State, ids: (number | null)[]): { users?: SandboxUser[] } {
  if (!query.get("include")?.split(",").includes("users")) return {};
  const wanted = new Set(ids);
  return { users: users.filter(({ id }) => wanted.has(id)) };
}

const peopleOf = ({ requester_id, submitter_id, assignee_id }: SandboxTicket) => [
  requester_id,
  submitter_id,
  assignee_id,
];

function listTickets(request: EmulatedRequest, state: State): EmulatedReply {
  const page = pageOf(request, state.tickets);
  if (isReply(page)) return page;
  const { items, about } = page;
  return reply(200, { tickets: items, ...sideLoad(request, state, items.flatMap(peopleOf)), ...about });
}

const ticketOf = ({ params }: EmulatedRequest, { tickets }: State) =>
  tickets.find(({ id }) => String(id) === params.ticket?.replace(/\.json$/, ""));

const noSuchRecord = () => errorReply(404, "RecordNotFound", "Not found");

function readTicket(request: EmulatedRequest, state: State): EmulatedReply {
  const ticket = ticketOf(request, state);
  return ticket ? reply(200, { ticket, ...sideLoad(request, state, peopleOf(ticket)) }) : noSuchRecord();
}

/** https://developer.zendesk.com/api-reference/ticketing/introduction/#idempotency */
function createTicketOnce({ headers, body, bytes }: EmulatedRequest, state: State): EmulatedReply {
  const key = headers["idempotency-key"];
  if (key === undefined) return createTicket(body?.ticket, state);
  const earlier = state.created.get(key);
  if (earlier && !earlier.bytes.equals(bytes))
    return errorReply(400, "IdempotentRequestError", "Request parameters don't match the given idempotency key");
  if (earlier) return reply(201, earlier.body, { "x-idempotency-lookup": "hit" });
  const created = createTicket(body?.ticket, state);
  if (created.status === 201) state.created.set(key, { bytes, body: structuredClone(created.body as object) });
  return { ...created, headers: { ...created.headers, "x-idempotency-lookup": "miss" } };
}

function updateTicket(request: EmulatedRequest, state: State): EmulatedReply {
  const ticket = ticketOf(request, state);
  return ticket ? changeTicket(ticket, request.body?.ticket, state) : noSuchRecord();
}

function listComments(request: EmulatedRequest, state: State): EmulatedReply {
  const ticket = ticketOf(request, state);
  if (!ticket) return noSuchRecord();
  const page = pageOf(request, state.comments[ticket.id] ?? []);
  if (isReply(page)) return page;
  const { items, about } = page;
  const authors = items.map(({ author_id }) => author_id);
  return reply(200, { comments: items, ...sideLoad(request, state, authors), ...about });
}

function listUsers(request: EmulatedRequest, { users }: State): EmulatedReply {
  const roles = [...request.query.getAll("role"), ...request.query.getAll("role[]")];
  const page = pageOf(
    request,
    users.filter(({ role }) => roles.length === 0 || roles.includes(role)),
  );
  return isReply(page) ? page : reply(200, { users: page.items, ...page.about });
}

function revoke(request: EmulatedRequest, _: State, tokens: EmulatedTokens): EmulatedReply {
  const token = bearerOf(request);
  return token && tokens.revoke(token) ? reply(204) : noSuchRecord();
}

/** The real paths work with and without `.json`. */
const inBothForms = (path: string, route: EmulatedRoute<State>): Record<string, EmulatedRoute<State>> => ({
  [path]: route,
  [`${path}.json`]: route,
});

export default emulate<State>({
  state: makeState,
  changes,
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
  routes: {
    ...inBothForms("GET /api/v2/tickets", listTickets),
    ...inBothForms("GET /api/v2/tickets/:ticket/comments", listComments),
    ...inBothForms("GET /api/v2/tickets/:ticket", readTicket),
    ...inBothForms("POST /api/v2/tickets", createTicketOnce),
    ...inBothForms("PUT /api/v2/tickets/:ticket", updateTicket),
    ...inBothForms("GET /api/v2/users", listUsers),
    ...inBothForms("GET /api/v2/users/me", () => reply(200, { user: me })),
    ...inBothForms("DELETE /api/v2/oauth/tokens/current", revoke),
  },
  tokenAnswer: ({ access_token, refresh_token, expires_in }) =>
    reply(200, {
      access_token,
      refresh_token,
      token_type: "bearer",
      scope: "tickets:read tickets:write users:read",
      expires_in,
      refresh_token_expires_in: REFRESH_TOKEN_TTL,
    }),
});
