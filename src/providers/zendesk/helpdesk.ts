import {
  type Answer,
  type CategoryImplementation,
  get,
  helpdesk,
  implement,
  list,
  one,
  type PageContext,
  pageWithin,
  path,
  quotedWords,
} from "../../provider-kit/index.ts";
import { ticketFields, userFields } from "./custom-fields.ts";
import {
  fromOneTicket,
  type SideLoaded,
  ticketOf,
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
interface FoundPage extends SideLoaded {
  results: ZendeskTicket[];
  next_page?: string | null;
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

/** https://developer.zendesk.com/api-reference/ticketing/ticket-management/search/#results-limit */
const MAX_FOUND = 1_000;

const nextFound = ({ next_page }: FoundPage, page: number, limit: number) =>
  next_page ? pageWithin(MAX_FOUND, page, limit) : null;

type TicketPaging = Pick<PageContext<{ query?: string | undefined }, string>, "input" | "limit" | "cursor">;

/** Pages of a search are numbered. Its export has cursors instead, but not the people. */
const foundTickets = ({ input: { query = "" }, limit, cursor }: TicketPaging) =>
  get(
    "/search",
    { sort_by: "created_at", sort_order: "desc" },
    {
      query: `type:ticket ${quotedWords(query)}`,
      include: "tickets(users)",
      page: cursor,
      per_page: limit,
    },
  );

export const operations: CategoryImplementation<typeof helpdesk.operations> = {
  listTickets: list({
    // Archived tickets are not included.
    // https://developer.zendesk.com/api-reference/ticketing/tickets/tickets/#list-tickets
    maxPageSize: 100,
    filters: ["query"],
    items(body: TicketPage | FoundPage) {
      const findUser = usersOf(body);
      return ("results" in body ? body.results : body.tickets).map((ticket) => ({ ticket, findUser }));
    },
    next: (answer: Answer<TicketPage | FoundPage>, { limit, cursor }: TicketPaging) =>
      "results" in answer.body
        ? nextFound(answer.body, Number(cursor ?? 1), limit)
        : nextOf(answer as Answer<TicketPage>),
    request: (page) =>
      page.input.query === undefined ? get("/tickets", WITH_USERS, pageQuery(page)) : foundTickets(page),
    record: ({ ticket, findUser }, context) => toTicket(ticket, findUser, context),
    original: ({ ticket }) => ticket,
  }),

  getTicket: one({
    request: ({ input }) => ticketRequest(input.ticket_id),
    record: fromOneTicket,
    original: ticketOf,
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

export default implement(helpdesk, operations, { ticket: ticketFields, customer: userFields });
