import {
  type Answer,
  type CategoryImplementation,
  get,
  helpdesk,
  implement,
  linkHeader,
  list,
  one,
  path,
  secondBefore,
} from "../../provider-kit/index.ts";
import { contactFields, ticketFields } from "./custom-fields.ts";
import {
  type FreshdeskContact,
  type FreshdeskConversation,
  type FreshdeskTicket,
  ticketRequest,
  toComment,
  toCustomer,
  toTicket,
} from "./records.ts";
import { writes } from "./writes.ts";

/** The last page has no link. https://developers.freshdesk.com/api/#pagination */
function nextOf(answer: Answer): number | null {
  const page = Number(linkHeader(answer)?.page);
  return page > 1 ? page : null;
}

const pageQuery = ({ limit, cursor }: { limit: number; cursor: number | undefined }) => ({
  per_page: limit,
  page: cursor ?? 1,
});

/** Before Freshdesk existed. */
const EVER = "2000-01-01T00:00:00Z";

/** Where a walk over tickets is: on a page of those that were updated after a time, or were also created from then on. */
type TicketPosition = { page?: number; from?: string };
type TicketContext = { cursor: TicketPosition | undefined };

/** Freshdesk returns 300 pages. On one of the last, a walk continues with a list of its own, where a second begins. */
const MANY_PAGES = 290;

/** The time from which on tickets come with the next list: what was created since has also been updated since. */
function endOf(tickets: FreshdeskTicket[], { page = 1, from = EVER }: TicketPosition): string | undefined {
  const [first, last] = [tickets[0]?.created_at, tickets.at(-1)?.created_at];
  return page >= MANY_PAGES && first && last && last > first && last > from ? last : undefined;
}

export const operations: CategoryImplementation<typeof helpdesk.operations> = {
  listTickets: list({
    maxPageSize: 100,
    filters: ["updated_since"],
    items: (tickets: FreshdeskTicket[], { cursor = {} }: TicketContext) => {
      const { from = EVER } = cursor;
      const end = endOf(tickets, cursor);
      return tickets.filter((ticket) => !(ticket?.created_at < from) && (!end || ticket?.created_at !== end));
    },
    next(answer: Answer<FreshdeskTicket[]>, { cursor = {} }: TicketContext): TicketPosition | null {
      const from = endOf(answer.body, cursor);
      if (from) return { from };
      const page = nextOf(answer);
      return page === null ? null : { ...cursor, page };
    },
    request: ({ input, limit, cursor }) =>
      get(
        "/tickets",
        {
          // Without it, only the tickets of the last 30 days are returned.
          // https://developers.freshdesk.com/api/#list_all_tickets
          updated_since: [input.updated_since, cursor?.from].map((time) => secondBefore(time) ?? EVER).sort()[1],
          // A ticket keeps its place, whatever happens to it during a walk.
          order_by: "created_at",
          order_type: "asc",
          include: "requester,description",
        },
        pageQuery({ limit, cursor: cursor?.page }),
      ),
    record: toTicket,
  }),

  getTicket: one({
    request: ({ input }) => ticketRequest(input.ticket_id),
    record: toTicket,
  }),

  listComments: list({
    maxPageSize: 100,
    items: (conversations: FreshdeskConversation[]) => conversations,
    next: nextOf,
    request: ({ input, ...page }) => get(path`/tickets/${input.ticket_id}/conversations`, {}, pageQuery(page)),
    record: toComment,
  }),

  listCustomers: list({
    maxPageSize: 100,
    items: (contacts: FreshdeskContact[]) => contacts,
    next: nextOf,
    request: (page) => get("/contacts", {}, pageQuery(page)),
    record: toCustomer,
  }),

  ...writes,
};

export default implement(helpdesk, operations, { ticket: ticketFields, customer: contactFields });
