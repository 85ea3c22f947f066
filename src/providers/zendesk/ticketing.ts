import { type Ticket, ticketing } from "../../categories/ticketing.ts";
import type { Context } from "../../contracts/provider.ts";
import type { Answer } from "../../contracts/upstream.ts";
import { implement, list } from "../../provider-kit/implement.ts";
import { get } from "../../provider-kit/request.ts";
import { firstTime } from "../../provider-kit/time.ts";

// Only what is read here.
export interface ZendeskTicket {
  id: number;
  subject?: string | null;
  status: string;
  description?: string | null;
  created_at: string;
  updated_at: string;
}
export interface ZendeskPage {
  tickets: ZendeskTicket[];
  meta: { has_more: boolean; after_cursor: string | null };
}

export const toTicket = (ticket: ZendeskTicket, { settings }: Pick<Context, "settings">): Ticket => ({
  id: String(ticket.id),
  title: ticket.subject || `#${ticket.id}`,
  status: ticket.status,
  // The ticket's own `url` leads into the API; this is the page on which agents work.
  url: `https://${settings.subdomain}.zendesk.com/agent/tickets/${ticket.id}`,
  description: ticket.description || null,
  created_at: firstTime(ticket.created_at),
  updated_at: firstTime(ticket.updated_at, ticket.created_at),
});

export default implement(ticketing, {
  listTickets: list({
    // Archived tickets are not among them.
    // https://developer.zendesk.com/api-reference/ticketing/tickets/tickets/#list-tickets
    maxPageSize: 100,
    items: (body: ZendeskPage) => body.tickets,
    // `links.next` and the cursor are there on the last page, too.
    // https://developer.zendesk.com/api-reference/introduction/pagination/#using-cursor-pagination
    next: ({ body }: Answer<ZendeskPage>) => (body.meta.has_more ? body.meta.after_cursor : null),
    request: ({ limit, cursor }) =>
      get(
        "/tickets",
        {},
        {
          "page[size]": limit,
          "page[after]": cursor,
          "page[before]": undefined,
          // Another way to page, which gives no more than the first 10,000.
          page: undefined,
          per_page: undefined,
        },
      ),
    record: toTicket,
  }),
});
