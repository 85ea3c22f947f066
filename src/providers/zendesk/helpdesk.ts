import { helpdesk } from "../../categories/helpdesk.ts";
import type { CategoryImplementation } from "../../contracts/provider.ts";
import type { Answer } from "../../contracts/upstream.ts";
import { implement, list, one } from "../../provider-kit/implement.ts";
import { get, path } from "../../provider-kit/request.ts";
import {
  fromOneTicket,
  type SideLoaded,
  ticketRequest,
  toComment,
  toCustomer,
  toTicket,
  usersOf,
  WITH_USERS,
  type ZendeskComment,
  type ZendeskTicket,
  type ZendeskUser,
} from "./records.ts";
import { writes } from "./writes.ts";

interface Page extends SideLoaded {
  meta: { has_more: boolean; after_cursor: string | null };
}
interface TicketPage extends Page {
  tickets: ZendeskTicket[];
}
interface CommentPage extends Page {
  comments: ZendeskComment[];
}
interface UserPage extends Page {
  users: ZendeskUser[];
}

/**
 * The last page has `links.next` and a cursor as well.
 * https://developer.zendesk.com/api-reference/introduction/pagination/#using-cursor-pagination
 */
const nextOf = ({ body: { meta } }: Answer<Page>) => (meta.has_more ? meta.after_cursor : null);

const pageQuery = ({ limit, cursor }: { limit: number; cursor: string | undefined }) => ({
  "page[size]": limit,
  "page[after]": cursor,
  "page[before]": undefined,
  // Offset pagination, which returns only the first 10,000 records.
  page: undefined,
  per_page: undefined,
});

export const operations: CategoryImplementation<typeof helpdesk.operations> = {
  listTickets: list({
    // Archived tickets are not included.
    // https://developer.zendesk.com/api-reference/ticketing/tickets/tickets/#list-tickets
    maxPageSize: 100,
    items(body: TicketPage) {
      const findUser = usersOf(body);
      return body.tickets.map((ticket) => ({ ticket, findUser }));
    },
    next: nextOf,
    request: (page) => get("/tickets", WITH_USERS, pageQuery(page)),
    record: ({ ticket, findUser }, context) => toTicket(ticket, findUser, context),
  }),

  getTicket: one({
    request: ({ input }) => ticketRequest(input.ticket_id),
    record: fromOneTicket,
  }),

  listComments: list({
    maxPageSize: 100,
    items(body: CommentPage) {
      const findUser = usersOf(body);
      return body.comments.map((comment) => ({ comment, findUser }));
    },
    next: nextOf,
    request: ({ input, ...page }) => get(path`/tickets/${input.ticket_id}/comments`, WITH_USERS, pageQuery(page)),
    record: ({ comment, findUser }) => toComment(comment, findUser),
  }),

  listCustomers: list({
    maxPageSize: 100,
    items: (body: UserPage) => body.users,
    next: nextOf,
    request: (page) => get("/users", {}, { ...pageQuery(page), role: "end-user", "role[]": undefined }),
    record: toCustomer,
  }),

  ...writes,
};

export default implement(helpdesk, operations);
