import { helpdesk } from "../../categories/helpdesk.ts";
import type { CategoryImplementation } from "../../contracts/provider.ts";
import type { Answer } from "../../contracts/upstream.ts";
import { implement, list, one } from "../../provider-kit/implement.ts";
import { get, path, search } from "../../provider-kit/request.ts";
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

const DAY = 86_400;

/**
 * Tickets can only be searched, so a list is a search that all of them match. A search for a time may be one for the
 * days after the day of that time, as documented for contacts, so it starts one day earlier.
 */
const matchAll = (updatedSince: string | undefined) =>
  updatedSince
    ? { field: "updated_at", operator: ">", value: Math.floor(Date.parse(updatedSince) / 1000) - DAY }
    : { field: "created_at", operator: ">", value: 0 };

export const operations: CategoryImplementation<typeof helpdesk.operations> = {
  listTickets: list({
    maxPageSize: 150,
    filters: ["updated_since"],
    items: (body: TicketPage) => body.tickets,
    next: nextOf,
    request: ({ input, limit, cursor }) =>
      search(
        "/tickets/search",
        { query: matchAll(input.updated_since), sort: { field: "created_at", order: "ascending" } },
        { pagination: { per_page: limit, starting_after: cursor } },
      ),
    record: toTicket,
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

export default implement(helpdesk, operations);
