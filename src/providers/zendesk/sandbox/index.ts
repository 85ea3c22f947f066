import {
  bearerToken,
  collection,
  cut,
  type EmulatedReply,
  type EmulatedRequest,
  type EmulatedRoute,
  emulate,
  hasWords,
  linkTo,
  makeCursor,
  readCursor,
  refuse,
  reply,
  wholeNumber,
} from "../../../emulator-kit/index.ts";
import { changes } from "./changes.ts";
import { makeState, me, type SandboxTicket, type State, SUBDOMAIN } from "./data.ts";
import { listTicketFields, listUserFields } from "./fields.ts";
import { hookRoutes, hooks } from "./hooks.ts";
import { changeTicket, createTicket } from "./writes.ts";

const MAX_PAGE_SIZE = 100;
/** https://developer.zendesk.com/api-reference/ticketing/ticket-management/search/#results-limit */
const MAX_FOUND = 1_000;
/** Seconds; https://developer.zendesk.com/api-reference/ticketing/oauth/grant_type_tokens/ */
const REFRESH_TOKEN_TTL = 7_776_000;

const FAILURES: Record<number, object> = {
  401: { error: "Couldn't authenticate you" },
  403: { error: { title: "Forbidden", message: "You do not have access to this page." } },
  404: { error: "InvalidEndpoint", description: "Not found" },
  422: { error: "RecordInvalid", description: "Record validation errors", details: {} },
  429: { error: "APIRateLimitExceeded", description: "Number of allowed API requests per minute exceeded" },
};

function failure(status: number): EmulatedReply {
  const error = status < 500 ? "InvalidValue" : "InternalError";
  const body = FAILURES[status] ?? { error, description: "The request could not be carried out" };
  return reply(status, body, status === 429 ? { "retry-after": "30" } : {});
}
const noSuchRecord = () => reply(404, { error: "RecordNotFound", description: "Not found" });

/** An API token is accepted only if the username is marked with /token; passwords are no longer accepted. */
function credential(request: EmulatedRequest): string | undefined {
  const [, encoded] = /^basic +(\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
  if (!encoded) return bearerToken(request);
  return /^[^:]+\/token:(.*)$/.exec(Buffer.from(encoded, "base64").toString())?.[1];
}

interface Page<Item> {
  items: Item[];
  /** What the response says about the page. */
  about: object;
}

/** Offset pagination, which is used unless a cursor parameter is sent. */
function pageByNumber<Item>(all: Item[], request: EmulatedRequest): Page<Item> {
  const { query } = request;
  const page = wholeNumber(query.get("page"), { fallback: 1 }, () => failure(400));
  const size = Math.min(
    wholeNumber(query.get("per_page"), { fallback: MAX_PAGE_SIZE }, () => failure(400)),
    MAX_PAGE_SIZE,
  );
  const { items, next } = cut(all, (page - 1) * size, size);
  const next_page = next === undefined ? null : linkTo(request, { page: page + 1 });
  return { items, about: { next_page, count: all.length } };
}

/**
 * The page that is asked for of records in the order of their ids.
 * https://developer.zendesk.com/api-reference/introduction/pagination/#using-cursor-pagination
 */
function pageOf<Item extends { id: number }>(all: Item[], request: EmulatedRequest): Page<Item> {
  const { query } = request;
  if (!query.has("page[size]") && !query.has("page[after]")) return pageByNumber(all, request);
  const invalid = (title: string) =>
    reply(400, { errors: [{ code: "InvalidPaginationParameter", title, source: { parameter: "page" } }] });
  const size = wholeNumber(query.get("page[size]"), { fallback: MAX_PAGE_SIZE, max: MAX_PAGE_SIZE }, () =>
    invalid(`page[size] must be a number from 1 to ${MAX_PAGE_SIZE}`),
  );
  const after =
    readCursor<number>(query.get("page[after]") ?? makeCursor(0)) ?? refuse(invalid("page[after] is not valid"));
  const remaining = all.filter(({ id }) => id > after).sort((one, other) => one.id - other.id);
  const { items, next } = cut(remaining, 0, size);
  // On the last page as well: only `has_more` marks the end.
  const [after_cursor, before_cursor] = [items.at(-1), items[0]].map((item) => (item ? makeCursor(item.id) : null));
  return {
    items,
    about: {
      meta: { has_more: next !== undefined, after_cursor, before_cursor },
      links: { prev: null, next: after_cursor && linkTo(request, { "page[after]": after_cursor }) },
    },
  };
}

/** The users that records refer to, if they are asked for; each once, and none that was deleted for good. */
function sideLoad({ query }: EmulatedRequest, { users }: State, ids: (number | null)[]): object {
  if (!query.get("include")?.split(",").includes("users")) return {};
  const wanted = new Set(ids);
  return { users: users.filter(({ id }) => wanted.has(id)) };
}

const peopleOf = ({ requester_id, submitter_id, assignee_id }: SandboxTicket) => [
  requester_id,
  submitter_id,
  assignee_id,
];

const tickets = collection({
  items: ({ tickets }: State) => tickets,
  names: ({ id }) => [id, `${id}.json`],
  notFound: noSuchRecord,
});

function listTickets(request: EmulatedRequest, state: State): EmulatedReply {
  const { items, about } = pageOf(state.tickets, request);
  return reply(200, { tickets: items, ...sideLoad(request, state, items.flatMap(peopleOf)), ...about });
}

/** Searches for words in quotes only. https://developer.zendesk.com/api-reference/ticketing/ticket-management/search/ */
function searchTickets(request: EmulatedRequest, state: State): EmulatedReply {
  const { query } = request;
  const [, text] = /^type:ticket((?: "[^"]+")+)$/.exec(query.get("query") ?? "") ?? refuse(failure(422));
  if (query.has("page[size]") || query.has("page[after]")) refuse(failure(400));
  const found = state.tickets.filter((ticket) => hasWords(text!, ticket.subject, ticket.description));
  if (query.get("sort_order") !== "asc") found.reverse();
  const { items, about } = pageByNumber(found, request);
  if (Number(query.get("page") ?? 1) * Number(query.get("per_page") ?? MAX_PAGE_SIZE) > MAX_FOUND) refuse(failure(422));
  const isSideLoaded = query.get("include") === "tickets(users)";
  const ids = new Set(items.flatMap(peopleOf));
  return reply(200, {
    results: items.map((ticket) => ({ ...ticket, result_type: "ticket" })),
    ...(isSideLoaded && { users: state.users.filter(({ id }) => ids.has(id)) }),
    facets: null,
    ...about,
    previous_page: null,
  });
}

const listComments = tickets.below(({ id }, request, state) => {
  const { items, about } = pageOf(state.comments.get(id)!, request);
  const authors = items.map(({ author_id }) => author_id);
  return reply(200, { comments: items, ...sideLoad(request, state, authors), ...about });
});

/** https://developer.zendesk.com/api-reference/ticketing/introduction/#idempotency */
function createTicketOnce({ headers, body, bytes }: EmulatedRequest, state: State): EmulatedReply {
  const key = headers["idempotency-key"];
  const earlier = key && state.created.get(key);
  if (earlier && !earlier.bytes.equals(bytes)) return reply(400, { error: "IdempotentRequestError" });
  if (earlier) return reply(201, earlier.body, { "x-idempotency-lookup": "hit" });
  const created = createTicket(body?.ticket, state);
  if (key) state.created.set(key, { bytes, body: created });
  return reply(201, created, key ? { "x-idempotency-lookup": "miss" } : {});
}

function listUsers(request: EmulatedRequest, { users }: State): EmulatedReply {
  const roles = [...request.query.getAll("role"), ...request.query.getAll("role[]")];
  const found = users.filter(({ role }) => roles.length === 0 || roles.includes(role));
  const { items, about } = pageOf(found, request);
  return reply(200, { users: items, ...about });
}

const routes: Record<string, EmulatedRoute<State>> = {
  "GET /api/v2/tickets": listTickets,
  "POST /api/v2/tickets": createTicketOnce,
  "GET /api/v2/search": searchTickets,
  "GET /api/v2/tickets/:id": tickets.below((ticket, request, state) =>
    reply(200, { ticket, ...sideLoad(request, state, peopleOf(ticket)) }),
  ),
  "PUT /api/v2/tickets/:id": tickets.below((ticket, { body }, state) =>
    reply(200, changeTicket(ticket, body?.ticket, state)),
  ),
  "GET /api/v2/tickets/:id/comments": listComments,
  "GET /api/v2/ticket_fields": listTicketFields,
  "GET /api/v2/user_fields": listUserFields,
  "GET /api/v2/users": listUsers,
  "GET /api/v2/users/me": () => reply(200, { user: me }),
  ...hookRoutes(failure),
  "DELETE /api/v2/oauth/tokens/current": (request, _, tokens) =>
    tokens.revoke(bearerToken(request) ?? "") ? reply(204) : noSuchRecord(),
};

export default emulate<State>({
  state: makeState,
  changes,
  hooks,
  failure,
  credential,
  unauthorized: (request) =>
    bearerToken(request)
      ? reply(401, {
          error: "invalid_token",
          error_description: "The access token provided is expired, revoked, malformed or invalid for other reasons.",
        })
      : failure(401),
  headers: () => ({
    "ratelimit-limit": "700",
    "ratelimit-remaining": "699",
    "ratelimit-reset": "41",
  }),
  settings: { subdomain: SUBDOMAIN },
  // The real paths work with and without `.json`.
  routes: Object.fromEntries(
    Object.entries(routes).flatMap(([path, route]) => [
      [path, route],
      [`${path}.json`, route],
    ]),
  ),
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
