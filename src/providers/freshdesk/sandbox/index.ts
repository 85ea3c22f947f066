import type { EmulatedReply, EmulatedRequest } from "../../../contracts/emulator.ts";
import { emulate, isReply, reply } from "../../../emulator-kit/emulator.ts";
import { changes } from "./changes.ts";
import { makeState, me, type SandboxTicket, type State, SUBDOMAIN } from "./data.ts";
import { addConversation, changeTicket, createTicket, invalid } from "./writes.ts";

const MAX_PAGE_SIZE = 100;
const MAX_PAGE = 300;
const MONTH = 30 * 86_400_000;

/** https://developers.freshdesk.com/api/#error */
function failure(status: number): EmulatedReply {
  switch (status) {
    case 400:
      return invalid("page", "It should be a Positive Integer");
    case 401:
      return reply(status, {
        code: "invalid_credentials",
        message: "You have to be logged in to perform this action.",
      });
    case 403:
      return reply(status, { code: "access_denied", message: "You are not authorized to perform this action." });
    case 404:
      // An unknown ID is answered without a body.
      return reply(status, "", { "content-type": "application/json; charset=utf-8" });
    case 429:
      return reply(
        status,
        { message: "You have exceeded the limit of requests per minute" },
        { "retry-after": "30", "x-ratelimit-remaining": "0" },
      );
    default:
      return reply(status, { code: "internal_error", message: "The request could not be carried out." });
  }
}

/** The key is the user name; the password is ignored. */
function credential({ headers }: EmulatedRequest): string | undefined {
  const [, encoded = ""] = /^basic +(\S+)$/i.exec(headers.authorization ?? "") ?? [];
  return Buffer.from(encoded, "base64").toString().split(":")[0] || undefined;
}

/** https://developers.freshdesk.com/api/#pagination */
function pageOf({ query, origin, path }: EmulatedRequest, all: object[]): EmulatedReply {
  const size = Number(query.get("per_page") ?? 30);
  const page = Number(query.get("page") ?? 1);
  if (!Number.isInteger(size) || size < 1 || size > MAX_PAGE_SIZE)
    return invalid("per_page", `It should be a Positive Integer less than or equal to ${MAX_PAGE_SIZE}`);
  if (!Number.isInteger(page) || page < 1 || page > MAX_PAGE)
    return invalid("page", `It should be a Positive Integer less than or equal to ${MAX_PAGE}`);
  const next = new URLSearchParams(query);
  next.set("page", String(page + 1));
  const hasMore = page * size < all.length;
  return reply(
    200,
    all.slice((page - 1) * size, page * size),
    hasMore ? { link: `<${origin}${path.split("?")[0]}?${next}>; rel="next"` } : {},
  );
}

/** A ticket as a response has it: with its description and its requester only if they are asked for. */
function shown(ticket: SandboxTicket, { contacts }: State, included: string[]): object {
  const { description, description_text, deleted, ...rest } = ticket;
  const requester = contacts.find(({ id }) => id === ticket.requester_id);
  return {
    ...rest,
    ...(deleted && { deleted }),
    ...(included.includes("description") && { description, description_text }),
    ...(included.includes("requester") &&
      requester && {
        requester: {
          id: requester.id,
          name: requester.name,
          email: requester.email,
          mobile: null,
          phone: requester.phone,
        },
      }),
  };
}

const includedIn = ({ query }: EmulatedRequest) => query.get("include")?.split(",") ?? [];

const ORDERS: Record<string, (ticket: SandboxTicket) => string | number> = {
  created_at: ({ created_at }) => created_at,
  updated_at: ({ updated_at }) => updated_at,
  due_by: ({ due_by }) => due_by,
  status: ({ status }) => status,
};

function listTickets(request: EmulatedRequest, state: State): EmulatedReply {
  const { query } = request;
  const filter = query.get("filter");
  const since = query.get("updated_since");
  if (since !== null && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(since))
    return invalid("updated_since", "It should be in the 'combined date and time ISO8601' format", "invalid_format");
  const keyOf = ORDERS[query.get("order_by") ?? "created_at"];
  if (!keyOf) return invalid("order_by", `It should be one of these values: '${Object.keys(ORDERS).join(",")}'`);
  // The sandbox's present is the time of its newest ticket.
  const monthAgo = Date.parse(state.tickets.at(-1)!.created_at) - MONTH;
  const found = state.tickets
    .filter(({ spam, deleted }) => spam === (filter === "spam") && deleted === (filter === "deleted"))
    .filter(({ updated_at, created_at }) => (since === null ? Date.parse(created_at) >= monthAgo : updated_at > since))
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0));
  const ordered = query.get("order_type") === "asc" ? found : found.toReversed();
  const included = includedIn(request);
  return pageOf(
    request,
    ordered.map((ticket) => shown(ticket, state, included)),
  );
}

const ticketOf = ({ params }: EmulatedRequest, { tickets }: State) =>
  tickets.find(({ id }) => String(id) === params.ticket);

function readTicket(request: EmulatedRequest, state: State): EmulatedReply {
  const ticket = ticketOf(request, state);
  return ticket ? reply(200, shown(ticket, state, ["description", ...includedIn(request)])) : failure(404);
}

function listConversations(request: EmulatedRequest, state: State): EmulatedReply {
  const ticket = ticketOf(request, state);
  return ticket ? pageOf(request, state.conversations[ticket.id] ?? []) : failure(404);
}

function converse(request: EmulatedRequest, state: State, isPrivate: boolean): EmulatedReply {
  const ticket = ticketOf(request, state);
  return ticket ? addConversation(ticket, request.body, isPrivate, state) : failure(404);
}

/** The response to a write has the description, but not the requester. */
const written = (result: { ticket: SandboxTicket } | EmulatedReply, state: State, status: number): EmulatedReply =>
  isReply(result) ? result : reply(status, shown(result.ticket, state, ["description"]));

export default emulate<State>({
  state: makeState,
  changes,
  failure,
  credential,
  headers: () => ({
    "x-freshdesk-api-version": "latest=v2; requested=v2",
    "x-ratelimit-total": "400",
    "x-ratelimit-remaining": "399",
    "x-ratelimit-used-currentrequest": "1",
  }),
  settings: { subdomain: SUBDOMAIN },
  routes: {
    "GET /api/v2/agents/me": () => reply(200, me),
    "GET /api/v2/tickets": listTickets,
    "POST /api/v2/tickets": ({ body }, state) => written(createTicket(body, state), state, 201),
    "GET /api/v2/tickets/:ticket": readTicket,
    "PUT /api/v2/tickets/:ticket": (request, state) => {
      const ticket = ticketOf(request, state);
      return ticket ? written(changeTicket(ticket, request.body, state), state, 200) : failure(404);
    },
    "GET /api/v2/tickets/:ticket/conversations": listConversations,
    "POST /api/v2/tickets/:ticket/reply": (request, state) => converse(request, state, false),
    "POST /api/v2/tickets/:ticket/notes": (request, state) => converse(request, state, request.body?.private ?? true),
    "GET /api/v2/contacts": (request, { contacts }) => pageOf(request, contacts),
  },
});
