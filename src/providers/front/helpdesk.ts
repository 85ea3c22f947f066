import {
  type Answer,
  type CategoryImplementation,
  get,
  helpdesk,
  implement,
  linkQuery,
  list,
  one,
  path,
} from "../../provider-kit/index.ts";
import { contactFields, conversationFields } from "./custom-fields.ts";
import {
  type FrontComment,
  type FrontContact,
  type FrontConversation,
  type FrontMessage,
  isSent,
  isTicket,
  messageToComment,
  toComment,
  toCustomer,
  toTicket,
} from "./records.ts";
import { writes } from "./writes.ts";

interface Page<Item> {
  _results: Item[];
  /** Lists that come in one response have none. */
  _pagination?: { next?: string | null } | null;
}

const MAX_PAGE_SIZE = 100;

/** Only the token of the link to the next page is kept. https://dev.frontapp.com/docs/pagination */
function nextOf({ body }: Answer<Page<unknown>>): string | null {
  const token = linkQuery(body._pagination?.next)?.page_token;
  return typeof token === "string" ? token : null;
}

const pageQuery = ({ limit, cursor }: { limit: number; cursor: string | undefined }) => ({ limit, page_token: cursor });

/** Without what makes a word a filter, or ends a quote. https://dev.frontapp.com/docs/search-1 */
export const textOnly = (text: string): string => text.replace(/[\s:"\\/]+/g, " ").trim();

/** What is said about a conversation is in two lists: to the customer, and among teammates. */
const MESSAGES = { id: "messages" };
const COMMENTS = { id: "comments" };

export const operations: CategoryImplementation<typeof helpdesk.operations> = {
  listTickets: list({
    maxPageSize: MAX_PAGE_SIZE,
    items: (body: Page<FrontConversation>) => body._results,
    next: nextOf,
    keep: isTicket,
    filters: ["query"],
    request: ({ input: { query }, ...page }) =>
      get(query === undefined ? "/conversations" : path`/conversations/search/${textOnly(query)}`, {}, pageQuery(page)),
    record: toTicket,
  }),

  getTicket: one({
    request: ({ input }) => get(path`/conversations/${input.ticket_id}`),
    record: toTicket,
  }),

  listComments: list({
    maxPageSize: MAX_PAGE_SIZE,
    places: async () => [MESSAGES, COMMENTS],
    items: (body: Page<FrontMessage | FrontComment>) => body._results,
    next: nextOf,
    keep: (item, { place }) => place.id !== MESSAGES.id || isSent(item as FrontMessage),
    request: ({ input, place, ...page }) =>
      place.id === MESSAGES.id
        ? get(
            path`/conversations/${input.ticket_id}/messages`,
            { sort_by: "created_at", sort_order: "asc" },
            pageQuery(page),
          )
        : get(path`/conversations/${input.ticket_id}/comments`),
    record: (item, { place }) =>
      place.id === MESSAGES.id ? messageToComment(item as FrontMessage) : toComment(item as FrontComment),
  }),

  listCustomers: list({
    maxPageSize: MAX_PAGE_SIZE,
    items: (body: Page<FrontContact>) => body._results,
    next: nextOf,
    // Oldest first: a new contact does not shift the pages of a walk.
    request: (page) => get("/contacts", { sort_by: "created_at", sort_order: "asc" }, pageQuery(page)),
    record: toCustomer,
  }),

  ...writes,
};

export default implement(helpdesk, operations, { ticket: conversationFields, customer: contactFields });
