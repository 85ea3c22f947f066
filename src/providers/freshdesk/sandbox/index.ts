import {
  collection,
  cut,
  type EmulatedReply,
  type EmulatedRequest,
  emulate,
  linkTo,
  refuse,
  reply,
  wholeNumber,
} from "../../../emulator-kit/index.ts";
import { changes } from "./changes.ts";
import { makeState, me, type State, SUBDOMAIN } from "./data.ts";
import { listContactFields, listTicketFields } from "./fields.ts";
import { addConversation, changedFields, invalid, newTicket } from "./writes.ts";

const MAX_PAGE_SIZE = 100;
const MAX_PAGE = 300;
const MONTH = 30 * 86_400_000;

const FAILURES: Record<number, object> = {
  401: { code: "invalid_credentials", message: "You have to be logged in to perform this action." },
  403: { code: "access_denied", message: "You are not authorized to perform this action." },
  429: { message: "You have exceeded the limit of requests per minute" },
};

/** https://developers.freshdesk.com/api/#error */
function failure(status: number): EmulatedReply {
  if (status === 400) return invalid("page", "It should be a Positive Integer");
  // An unknown ID is answered without a body.
  if (status === 404) return reply(status, "", { "content-type": "application/json; charset=utf-8" });
  const other = { code: "internal_error", message: "The request could not be carried out." };
  return reply(status, FAILURES[status] ?? other, status === 429 ? { "retry-after": "30" } : {});
}

/** The key is the user name; the password is ignored. */
function credential({ headers }: EmulatedRequest): string | undefined {
  const [, encoded = ""] = /^basic +(\S+)$/i.exec(headers.authorization ?? "") ?? [];
  return Buffer.from(encoded, "base64").toString().split(":")[0] || undefined;
}

/** https://developers.freshdesk.com/api/#pagination */
function pageOf<Item>(all: Item[], request: EmulatedRequest, show: (item: Item) => unknown = (item) => item) {
  const whole = (name: string, fallback: number, max: number) =>
    wholeNumber(request.query.get(name), { fallback, max }, () =>
      invalid(name, `It should be a Positive Integer less than or equal to ${max}`),
    );
  const size = whole("per_page", 30, MAX_PAGE_SIZE);
  const page = whole("page", 1, MAX_PAGE);
  const { items, next } = cut(all, (page - 1) * size, size);
  const link = { link: `<${linkTo(request, { page: page + 1 })}>; rel="next"` };
  return reply(200, items.map(show), next === undefined ? {} : link);
}

const ORDERS = ["created_at", "updated_at"] as const;

const tickets = collection({
  items: ({ tickets }: State) => tickets,
  notFound: () => failure(404),
  select(all, { query }) {
    const filter = query.get("filter");
    const since = query.get("updated_since");
    if (since !== null && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(since))
      refuse(invalid("updated_since", "It should be in the 'combined date and time ISO8601' format", "invalid_format"));
    const order = ORDERS.find((name) => name === (query.get("order_by") ?? "created_at"));
    if (!order) return refuse(invalid("order_by", `It should be one of these values: '${ORDERS}'`));
    // The sandbox's present is the time of its newest ticket.
    const monthAgo = Date.parse(all.at(-1)!.created_at) - MONTH;
    const found = all
      .filter(({ spam, deleted }) => spam === (filter === "spam") && deleted === (filter === "deleted"))
      .filter(({ updated_at, created_at }) =>
        since === null ? Date.parse(created_at) >= monthAgo : updated_at > since,
      )
      .sort((a, b) => Date.parse(a[order]) - Date.parse(b[order]));
    return query.get("order_type") === "asc" ? found : found.reverse();
  },
  page: pageOf,
  /** A list has descriptions and requesters only if they are asked for, a single ticket always has its description. */
  show({ description, description_text, deleted, ...ticket }, { method, params, query }, { contacts }) {
    const included = query.get("include")?.split(",") ?? [];
    const isList = method === "GET" && params.id === undefined;
    const requester = contacts.find(({ id }) => included.includes("requester") && id === ticket.requester_id);
    const { id, name, email, mobile, phone } = requester ?? {};
    return {
      ...ticket,
      ...(deleted && { deleted }),
      ...((!isList || included.includes("description")) && { description, description_text }),
      ...(requester && { requester: { id, name, email, mobile, phone } }),
    };
  },
  create: newTicket,
  update: changedFields,
});

export default emulate<State>({
  state: makeState,
  changes,
  failure,
  credential,
  headers: () => ({
    "x-ratelimit-total": "400",
    "x-ratelimit-remaining": "399",
  }),
  settings: { subdomain: SUBDOMAIN },
  routes: {
    "GET /api/v2/agents/me": () => reply(200, me),
    "GET /api/v2/tickets": tickets.list,
    "POST /api/v2/tickets": tickets.create,
    "GET /api/v2/tickets/:id": tickets.get,
    "PUT /api/v2/tickets/:id": tickets.update,
    "GET /api/v2/tickets/:id/conversations": tickets.below(({ id }, request, { conversations }) =>
      pageOf(conversations.get(id)!, request),
    ),
    "POST /api/v2/tickets/:id/reply": tickets.below((ticket, { body }, state) =>
      addConversation(ticket, body, false, state),
    ),
    "POST /api/v2/tickets/:id/notes": tickets.below((ticket, { body }, state) =>
      addConversation(ticket, body, body?.private ?? true, state),
    ),
    "GET /api/v2/ticket_fields": listTicketFields,
    "GET /api/v2/contact_fields": listContactFields,
    "GET /api/v2/contacts": (request, { contacts }) => pageOf(contacts, request),
  },
});
