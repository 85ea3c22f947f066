import {
  bearerToken,
  collection,
  cutAfter,
  type EmulatedReply,
  type EmulatedRequest,
  emulate,
  refuse,
  reply,
  wholeNumber,
} from "../../../emulator-kit/index.ts";
import { attributesOf, listDataAttributes } from "./attributes.ts";
import { changes } from "./changes.ts";
import { makeState, me, type SandboxTicket, STATES, type State, TICKET_TYPE, TICKET_TYPES, WORKSPACE } from "./data.ts";
import { hooks } from "./hooks.ts";
import { mcp } from "./mcp.ts";
import { changedFields, errorReply, newTicket, replyToTicket } from "./writes.ts";

const MAX_PAGE_SIZE = 150;
const DAY = 86_400;

const FAILURES: Record<number, [code: string, message: string]> = {
  400: ["bad_request", "The request is not valid"],
  401: ["unauthorized", "Access Token Invalid"],
  403: ["forbidden", "The access token does not have the permission that is needed"],
  404: ["not_found", "The requested resource was not found"],
  429: ["rate_limit_exceeded", "Exceeded rate limit"],
};

/** https://developers.intercom.com/docs/references/rest-api/errors/error-codes */
function failure(status: number): EmulatedReply {
  const [code, message] = FAILURES[status] ?? [
    status < 500 ? "parameter_invalid" : "server_error",
    "The request failed",
  ];
  return errorReply(status, code, message);
}
const invalid = (message: string) => errorReply(400, "parameter_invalid", message);

interface Entity {
  id: string;
  created_at: number;
}
interface Pagination {
  per_page?: unknown;
  starting_after?: string | null;
}

/** A page of records, with what the response says about it. */
function pageOf<Item extends Entity>(all: Item[], { per_page, starting_after }: Pagination, fallback: number) {
  const size = wholeNumber(per_page, { fallback, max: MAX_PAGE_SIZE }, () =>
    invalid(`per_page must be a number from 1 to ${MAX_PAGE_SIZE}`),
  );
  const { items, start, next } = cutAfter(all, starting_after, size, () => invalid("starting_after is not valid"));
  const pages = {
    type: "pages",
    page: Math.floor(start / size) + 1,
    per_page: size,
    total_pages: Math.ceil(all.length / size),
    ...(next && { next: { per_page: size, starting_after: next } }),
  };
  return { items, about: { total_count: all.length, pages } };
}

const day = (time: unknown) => Math.floor(Number(time) / DAY);

/** Times are compared by their day, as documented for contacts: `>` begins with the next day. */
const COMPARISONS: Record<string, (field: unknown, value: unknown) => boolean> = {
  "=": (field, value) => String(field) === String(value),
  IN: (field, values) => [field].flat().some((one) => (values as unknown[]).includes(one)),
  "~": (field, value) => field !== null && String(field).toLowerCase().includes(String(value).toLowerCase()),
  ">": (field, value) => day(field) > day(value),
};

/** Searchable in this emulator. */
const FIELDS = [
  "created_at",
  "updated_at",
  "state",
  "email",
  "open",
  "admin_assignee_id",
  "contact_ids",
  "title",
  "description",
];

type Condition = { field?: string; operator?: string; value?: unknown };

/** The title and the description of a ticket are attributes of its type, and its contacts are objects. */
function fieldOf(item: Record<string, unknown>, field: string): unknown {
  if (field === "contact_ids") return (item as SandboxTicket).contacts.contacts.map(({ id }) => id);
  return field in item ? item[field] : (item.ticket_attributes as Record<string, unknown>)?.[`_default_${field}_`];
}

function matches(item: Entity, { field = "", operator = "", value }: Condition): boolean {
  if (operator === "AND") return (value as Condition[]).every((one) => matches(item, one));
  if (operator === "OR") return (value as Condition[]).some((one) => matches(item, one));
  const compare = COMPARISONS[operator];
  if (!compare || !FIELDS.includes(field)) return refuse(invalid("The query is not valid"));
  return compare(fieldOf({ ...item }, field) ?? null, value);
}

interface SearchOptions<Item> {
  items(state: State): Item[];
  notFound: EmulatedReply;
  /** The type of a list, and where it has its records. */
  list: [type: string, key: string];
}

const searchable = <Item extends Entity>({ items, notFound, list: [type, key] }: SearchOptions<Item>) => ({
  items,
  notFound: () => notFound,
  select(all: Item[], { body }: EmulatedRequest): Item[] {
    const found = all.filter((item) => matches(item, body?.query ?? {}));
    // Without `sort`, what was created last comes first.
    return body.sort?.field === "created_at" && body.sort.order === "ascending" ? found : found.reverse();
  },
  page(found: Item[], { body }: EmulatedRequest, show: (item: Item) => unknown): EmulatedReply {
    const { items, about } = pageOf(found, body.pagination ?? {}, 20);
    return reply(200, { type, [key]: items.map(show), ...about });
  },
});

const tickets = collection({
  ...searchable({
    items: ({ tickets }) => tickets,
    notFound: errorReply(404, "ticket_not_found", "Ticket not found"),
    list: ["ticket.list", "tickets"],
  }),
  show: ({ parts, ...ticket }: SandboxTicket) => ({
    ...ticket,
    ticket_parts: { type: "ticket_part.list", ticket_parts: [...parts], total_count: parts.length },
  }),
  create: newTicket,
  created: 200,
  update: changedFields,
});

const contacts = collection(
  searchable({
    items: ({ contacts }) => contacts,
    notFound: errorReply(404, "not_found", "User Not Found"),
    list: ["list", "data"],
  }),
);

const conversations = collection(
  searchable({
    items: ({ conversations }) => conversations,
    notFound: errorReply(404, "not_found", "Resource Not Found"),
    list: ["conversation.list", "conversations"],
  }),
);

function listContacts({ query }: EmulatedRequest, { contacts }: State): EmulatedReply {
  const { items, about } = pageOf(contacts.toReversed(), Object.fromEntries(query), 50);
  return reply(200, { type: "list", data: items, ...about });
}

const ofTypes = (...types: object[]) => ({ ticket_types: { type: "list", data: types } });

/** One that is no longer used, one of another type of tickets, and those of all tickets. */
const TICKET_STATES = [
  { ...STATES[0], id: "8500", internal_label: "Erfasst", archived: true, ...ofTypes(TICKET_TYPE) },
  { ...STATES[0], id: "8501", internal_label: "Intern", archived: false, ...ofTypes(TICKET_TYPES[1]!) },
  ...STATES.map((state) => ({ ...state, archived: false, ...ofTypes(TICKET_TYPE) })),
];

export default emulate<State>({
  state: makeState,
  changes,
  hooks,
  failure,
  headers: () => ({ "intercom-version": "2.14", "x-ratelimit-reset": String(Math.ceil(Date.now() / 10_000) * 10) }),
  settings: { workspace: WORKSPACE, region: "us" },
  mcp,
  routes: {
    "GET /me": () => reply(200, me),
    "POST /tickets/search": tickets.list,
    "GET /tickets/:id": tickets.get,
    "POST /tickets": tickets.create,
    "PUT /tickets/:id": tickets.update,
    "POST /tickets/:id/reply": tickets.below(replyToTicket),
    "GET /ticket_types": () =>
      reply(200, {
        type: "list",
        data: TICKET_TYPES.map((type) => ({ ...type, ticket_type_attributes: attributesOf(type.id) })),
      }),
    "GET /data_attributes": listDataAttributes,
    "GET /ticket_states": () => reply(200, { type: "list", data: TICKET_STATES }),
    "GET /contacts": listContacts,
    "POST /contacts/search": contacts.list,
    "GET /contacts/:id": contacts.get,
    "POST /conversations/search": conversations.list,
    "GET /conversations/:id": conversations.get,
    // Uninstalls the app, which revokes its token.
    "POST /auth/uninstall": (request, _, tokens) =>
      tokens.revoke(bearerToken(request) ?? "") ? reply(200, {}) : failure(401),
  },
  // The token has two names, and it neither expires nor can it be refreshed.
  tokenAnswer: ({ access_token }) => reply(200, { token_type: "Bearer", token: access_token, access_token }),
});
