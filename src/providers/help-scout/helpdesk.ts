import {
  type Answer,
  type CategoryImplementation,
  defined,
  get,
  helpdesk,
  implement,
  list,
  one,
  path,
} from "../../provider-kit/index.ts";
import { conversationFields } from "./custom-fields.ts";
import {
  type HelpScoutConversation,
  type HelpScoutCustomer,
  type HelpScoutThread,
  isComment,
  toComment,
  toCustomer,
  toTicket,
} from "./records.ts";
import { writes } from "./writes.ts";

/** `_embedded` is missing if there are no records. */
interface Page<Embedded> {
  _embedded?: Partial<Embedded> | null;
  page: { totalPages: number };
}

/** https://developer.helpscout.com/mailbox-api/overview/pagination/ */
const CONVERSATIONS_PER_PAGE = 25;
const OTHERS_PER_PAGE = 50;

/** Counted here: a walk ends whatever page number a response has. */
const nextOf = ({ body: { page } }: Answer<Page<object>>, { cursor = 1 }: { cursor: number | undefined }) =>
  cursor < page.totalPages ? cursor + 1 : null;

/** What could end the quotes is left out. https://developer.helpscout.com/mailbox-api/endpoints/conversations/list/ */
export function searchFor(text: string): string {
  const words = text.replace(/["“”\\]+/g, " ").trim();
  return `(subject:"${words}" OR body:"${words}")`;
}

/** For the first message, which is the ticket's description. */
const WITH_THREADS = { embed: "threads" };

/** Neither a new nor a changed record shifts the pages of a walk. */
const OLDEST_FIRST = { sortField: "createdAt", sortOrder: "asc" };

export const operations: CategoryImplementation<typeof helpdesk.operations> = {
  listTickets: list({
    maxPageSize: CONVERSATIONS_PER_PAGE,
    ignoresPageSize: true,
    // By the time of any change, which is never earlier than that of the last message or line item.
    filters: ["updated_since", "assignee_id", "query"],
    items: (body: Page<{ conversations: HelpScoutConversation[] }>) => body._embedded?.conversations ?? [],
    next: nextOf,
    keep: ({ state }) => state !== "deleted",
    request: ({ input, cursor }) =>
      get(
        "/conversations",
        { status: "all", ...OLDEST_FIRST, ...WITH_THREADS },
        // Whole seconds are what is documented.
        {
          page: cursor ?? 1,
          modifiedSince: input.updated_since?.replace(/\.\d+Z$/, "Z"),
          ...defined({ assigned_to: input.assignee_id, query: input.query && searchFor(input.query) }),
        },
      ),
    record: toTicket,
  }),

  getTicket: one({
    request: ({ input }) => get(path`/conversations/${input.ticket_id}`, WITH_THREADS),
    record: toTicket,
  }),

  listComments: list({
    maxPageSize: OTHERS_PER_PAGE,
    ignoresPageSize: true,
    items: (body: Page<{ threads: HelpScoutThread[] }>) => body._embedded?.threads ?? [],
    next: nextOf,
    keep: isComment,
    request: ({ input, cursor }) => get(path`/conversations/${input.ticket_id}/threads`, {}, { page: cursor ?? 1 }),
    record: toComment,
  }),

  listCustomers: list({
    maxPageSize: OTHERS_PER_PAGE,
    ignoresPageSize: true,
    items: (body: Page<{ customers: HelpScoutCustomer[] }>) => body._embedded?.customers ?? [],
    next: nextOf,
    request: ({ cursor }) => get("/customers", OLDEST_FIRST, { page: cursor ?? 1 }),
    record: toCustomer,
  }),

  ...writes,
};

export default implement(helpdesk, operations, { ticket: conversationFields });
