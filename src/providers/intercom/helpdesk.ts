import {
  type Answer,
  type CategoryImplementation,
  type Context,
  get,
  helpdesk,
  type InputOf,
  implement,
  list,
  one,
  type Place,
  path,
  search,
} from "../../provider-kit/index.ts";
import { contactAttributes, ticketAttributes } from "./custom-fields.ts";
import {
  type IntercomContact,
  type IntercomTicket,
  partsOf,
  type TicketPart,
  toComment,
  toCustomer,
  toTicket,
} from "./records.ts";
import { writes } from "./writes.ts";

interface Page {
  pages?: { next?: { starting_after?: string | null } | null } | null;
}
interface TicketPage extends Page {
  tickets: IntercomTicket[];
}
interface ContactPage extends Page {
  data: IntercomContact[];
}

const COMMENT_TYPES = new Set(["comment", "note", "quick_reply"]);

/**
 * Whether somebody wrote a part. The others are changes of the ticket, such as of its state or its assignee; one that
 * was made together with a reply has the text of the reply.
 */
const isWritten = ({ part_type, body }: TicketPart) => COMMENT_TYPES.has(part_type) || Boolean(body);

/** The last page has no `next`. */
const nextOf = ({ body }: Answer<Page>) => body.pages?.next?.starting_after;

type Input = InputOf<typeof helpdesk.operations.listTickets>;

/** The contacts whose tickets are listed; undefined for all. */
interface TicketPlace extends Place {
  contacts?: IntercomContact[];
}

/** Most tickets have only the ID of their requester, so that an address is looked up first. */
async function requesters({ input: { requester }, upstream }: Context<Input>): Promise<TicketPlace[]> {
  if (requester === undefined) return [{ id: "" }];
  const query = { field: "email", operator: "IN", value: [requester, requester.toLowerCase()] };
  const { data } = (await upstream<ContactPage>(search("/contacts/search", { query }))).body;
  return data.length > 0 ? [{ id: "", contacts: data }] : [];
}

const DAY = 86_400;

/**
 * Tickets can only be searched, so a list is a search that all of them match. A search for a time may be one for the
 * days after the day of that time, as documented for contacts, so it starts one day earlier.
 */
const matchAll = (updatedSince: string | undefined) =>
  updatedSince
    ? { field: "updated_at", operator: ">", value: Math.floor(Date.parse(updatedSince) / 1000) - DAY }
    : { field: "created_at", operator: ">", value: 0 };

/**
 * The conditions of a group are single ones or groups, not both.
 * https://developers.intercom.com/docs/references/rest-api/api.intercom.io/tickets/searchtickets
 */
function searchFor({ updated_since, assignee_id, query }: Input, contacts: IntercomContact[] | undefined) {
  const base = matchAll(updated_since);
  const people = [
    ...(assignee_id === undefined ? [] : [{ field: "admin_assignee_id", operator: "=", value: assignee_id }]),
    ...(contacts ? [{ field: "contact_ids", operator: "IN", value: contacts.map(({ id }) => String(id)) }] : []),
  ];
  const all = { operator: "AND", value: [base, ...people] };
  if (query === undefined) return people.length === 0 ? base : all;
  const texts = ["title", "description"].map((field) => ({ field, operator: "~", value: query }));
  return { operator: "AND", value: [all, { operator: "OR", value: texts }] };
}

export const operations: CategoryImplementation<typeof helpdesk.operations> = {
  listTickets: list({
    maxPageSize: 150,
    filters: ["updated_since", "assignee_id", "requester", "query"],
    places: requesters,
    items: (body: TicketPage) => body.tickets,
    next: nextOf,
    request({ input, limit, cursor, place }) {
      const query = searchFor(input, place?.contacts);
      // A client's own search replaces ours, except if there is a filter.
      const isFiltered = [input.assignee_id, input.requester, input.query].some((value) => value !== undefined);
      const locked = isFiltered ? { query } : {};
      return search(
        "/tickets/search",
        { query, sort: { field: "created_at", order: "ascending" } },
        { pagination: { per_page: limit, starting_after: cursor }, ...locked },
      );
    },
    record: (ticket, context) => toTicket(ticket, context, context.place?.contacts),
  }),

  getTicket: one({
    request: ({ input }) => get(path`/tickets/${input.ticket_id}`),
    record: toTicket,
  }),

  listComments: list({
    // There is no list of a ticket's parts: the ticket has them all, or the 500 newest.
    maxPageSize: 500,
    ignoresPageSize: true,
    items: partsOf,
    next: () => null,
    keep: isWritten,
    request: ({ input }) => get(path`/tickets/${input.ticket_id}`),
    record: toComment,
  }),

  listCustomers: list({
    maxPageSize: 150,
    items: (body: ContactPage) => body.data,
    next: nextOf,
    request: ({ limit, cursor }) => get("/contacts", {}, { per_page: limit, starting_after: cursor }),
    record: toCustomer,
  }),

  ...writes,
};

export default implement(helpdesk, operations, { ticket: ticketAttributes, customer: contactAttributes });
