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

export const operations: CategoryImplementation<typeof helpdesk.operations> = {
  listTickets: list({
    maxPageSize: 100,
    filters: ["updated_since"],
    items: (tickets: FreshdeskTicket[]) => tickets,
    next: nextOf,
    request: ({ input, ...page }) =>
      get(
        "/tickets",
        {
          // Without it, only the tickets of the last 30 days are returned.
          // https://developers.freshdesk.com/api/#list_all_tickets
          updated_since: secondBefore(input.updated_since) ?? EVER,
          // A ticket keeps its place, whatever happens to it during a walk.
          order_by: "created_at",
          order_type: "asc",
          include: "requester,description",
        },
        pageQuery(page),
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
