import type { EmulatedReply, EmulatedRequest, EmulatedTokens } from "../../../contracts/emulator.ts";
import { emulate, isReply, reply } from "../../../emulator-kit/emulator.ts";
import { changes } from "./changes.ts";
import { makeState, me, STATES, type State, TICKET_TYPE, TICKET_TYPES, WORKSPACE } from "./data.ts";
import { mcp } from "./mcp.ts";
import { changeTicket, createTicket, errorReply, replyToTicket } from "./writes.ts";

const MAX_PAGE_SIZE = 150;
const DAY = 86_400;

/** https://developers.intercom.com/docs/references/rest-api/errors/error-codes */
function failure(status: number): EmulatedReply {
  switch (status) {
    case 400:
      return errorReply(status, "bad_request", "The request is not valid");
    case 401:
      return errorReply(status, "unauthorized", "Access Token Invalid");
    case 403:
      return errorReply(status, "forbidden", "The access token does not have the permission that is needed");
    case 404:
      return errorReply(status, "not_found", "The requested resource was not found");
    case 429:
      return errorReply(status, "rate_limit_exceeded", "Exceeded rate limit", { "x-ratelimit-remaining": "0" });
    default:
      return errorReply(status, status < 500 ? "parameter_invalid" : "server_error", "The request failed");
  }
}

interface Entity {
  id: string;
  created_at: number;
}
interface Pagination {
  per_page?: unknown;
  starting_after?: unknown;
}

const makeCursor = (id: string) => Buffer.from(JSON.stringify([id])).toString("base64");

function readCursor(cursor: string): string | undefined {
  try {
    const [id] = JSON.parse(Buffer.from(cursor, "base64").toString());
    return typeof id === "string" ? id : undefined;
  } catch {
    return undefined;
  }
}

const invalid = (message: string) => errorReply(400, "parameter_invalid", message);

/** A page of entities, with what the response says about it. */
function pageOf<Item extends Entity>(
  all: Item[],
  { per_page = 20, starting_after }: Pagination,
): { items: Item[]; about: object } | EmulatedReply {
  const size = Number(per_page);
  if (!Number.isInteger(size) || size < 1 || size > MAX_PAGE_SIZE)
    return invalid(`per_page must be a number from 1 to ${MAX_PAGE_SIZE}`);
  const last = starting_after ? readCursor(String(starting_after)) : undefined;
  const start = last === undefined ? 0 : all.findIndex(({ id }) => id === last) + 1;
  if (starting_after && start === 0) return invalid("starting_after is not valid");
  const items = all.slice(start, start + size);
  const hasMore = start + size < all.length;
  return {
    items,
    about: {
      total_count: all.length,
      pages: {
        type: "pages",
        page: Math.floor(start / size) + 1,
        per_page: size,
        total_pages: Math.ceil(all.length / size),
        ...(hasMore && { next: { per_page: size, starting_after: makeCursor(items.at(-1)!.id) } }),
      },
    },
  };
}

interface Filter {
  field?: string;
  operator?: string;
  value?: unknown;
}

const day = (time: unknown) => Math.floor(Number(time) / DAY);
const contains = (value: unknown, part: unknown) => String(value).includes(String(part));

/** Times are compared by their day, as documented for contacts: `>` begins with the next day. */
const COMPARISONS: Record<string, (field: unknown, value: unknown) => boolean> = {
  "=": (field, value) => String(field) === String(value),
  "~": (field, value) => field !== null && contains(field, value),
  ">": (field, value) => day(field) > day(value),
  "<": (field, value) => day(field) < day(value),
};

/** Searchable in this emulator. */
const FIELDS = ["id", "created_at", "updated_at", "state", "email", "open"];

function matches(entity: Entity, { field, operator, value }: Filter): boolean | undefined {
  if (operator === "AND" || operator === "OR") {
    if (!Array.isArray(value)) return undefined;
    const results = value.map((filter: Filter) => matches(entity, filter));
    if (results.includes(undefined)) return undefined;
    return operator === "AND" ? !results.includes(false) : results.includes(true);
  }
  const compare = COMPARISONS[operator ?? ""];
  if (!compare || !field || !FIELDS.includes(field)) return undefined;
  return compare((entity as Entity & Record<string, unknown>)[field], value);
}

/** What is sent stays as it was at that time. */
const copy = <Item extends object>(item: Item): Item => ({ ...item });

/** A search over entities, whose `key` in the response has the page. */
function search<Item extends Entity>({ body }: EmulatedRequest, all: Item[], type: string, key: string): EmulatedReply {
  if (typeof body?.query !== "object" || body.query === null)
    return errorReply(400, "parameter_not_found", "query is required");
  const results = all.map((item) => matches(item, body.query));
  if (results.includes(undefined)) return invalid("The query is not valid");
  const found = all.filter((_, index) => results[index]);
  // Without `sort`, what was created last comes first.
  const sorted = body.sort?.field === "created_at" && body.sort.order === "ascending" ? found : found.toReversed();
  const page = pageOf(sorted, body.pagination ?? {});
  return isReply(page) ? page : reply(200, { type, [key]: page.items.map(copy), ...page.about });
}

const findIn = <Item extends Entity>(all: Item[], { params }: EmulatedRequest, notFound: EmulatedReply) => {
  const found = all.find(({ id }) => id === params.id);
  return found ? reply(200, copy(found)) : notFound;
};

function listContacts({ query }: EmulatedRequest, { contacts }: State): EmulatedReply {
  const page = pageOf(contacts.toReversed(), {
    per_page: query.get("per_page") ?? 50,
    starting_after: query.get("starting_after"),
  });
  return isReply(page) ? page : reply(200, { type: "list", data: page.items, ...page.about });
}

const ofTypes = (...types: object[]) => ({ ticket_types: { type: "list", data: types } });

/** One that is no longer used, one of another type of tickets, and those of all tickets. */
const TICKET_STATES = [
  { ...STATES[0], id: "8500", internal_label: "Erfasst", archived: true, ...ofTypes(TICKET_TYPE) },
  { ...STATES[0], id: "8501", internal_label: "Intern", archived: false, ...ofTypes(TICKET_TYPES[1]!) },
  ...STATES.map((state) => ({ ...state, archived: false, ...ofTypes(TICKET_TYPE) })),
];

/** Uninstalls the app, which revokes its token. */
function uninstall({ headers }: EmulatedRequest, _: State, tokens: EmulatedTokens): EmulatedReply {
  const token = headers.authorization?.replace(/^Bearer +/i, "");
  return token && tokens.revoke(token) ? reply(200, {}) : failure(401);
}

export default emulate<State>({
  state: makeState,
  changes,
  failure,
  headers: () => ({
    "intercom-version": "2.14",
    "x-ratelimit-limit": "1667",
    "x-ratelimit-remaining": "1666",
    "x-ratelimit-reset": String(Math.ceil(Date.now() / 10_000) * 10),
  }),
  settings: { workspace: WORKSPACE, region: "us" },
  mcp,
  routes: {
    "GET /me": () => reply(200, me),
    "POST /tickets/search": (request, { tickets }) => search(request, tickets, "ticket.list", "tickets"),
    "GET /tickets/:id": (request, { tickets }) =>
      findIn(tickets, request, errorReply(404, "ticket_not_found", "Ticket not found")),
    "POST /tickets": createTicket,
    "PUT /tickets/:id": changeTicket,
    "POST /tickets/:id/reply": replyToTicket,
    "GET /ticket_types": () => reply(200, { type: "list", data: TICKET_TYPES }),
    "GET /ticket_states": () => reply(200, { type: "list", data: TICKET_STATES }),
    "GET /contacts": listContacts,
    "POST /contacts/search": (request, { contacts }) => search(request, contacts, "list", "data"),
    "GET /contacts/:id": (request, { contacts }) =>
      findIn(contacts, request, errorReply(404, "not_found", "User Not Found")),
    "POST /conversations/search": (request, { conversations }) =>
      search(request, conversations, "conversation.list", "conversations"),
    "GET /conversations/:id": (request, { conversations }) =>
      findIn(conversations, request, errorReply(404, "not_found", "Resource Not Found")),
    "POST /auth/uninstall": uninstall,
  },
  // The token has two names, and it neither expires nor can it be refreshed.
  tokenAnswer: ({ access_token }) => reply(200, { token_type: "Bearer", token: access_token, access_token }),
});
