import { type Ticket, ticketing } from "../../categories/ticketing.ts";
import type { Context } from "../../contracts/provider.ts";
import type { Answer } from "../../contracts/upstream.ts";
import { implement, list } from "../../provider-kit/implement.ts";
import { get } from "../../provider-kit/request.ts";
import { firstTime } from "../../provider-kit/time.ts";

// Only the fields that are read.
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
  // The ticket's own `url` is its API address; this is the page for agents.
  url: `https://${settings.subdomain}.zendesk.com/agent/tickets/${ticket.id}`,
  description: ticket.description || null,
  created_at: firstTime(ticket.created_at),
  updated_at: firstTime(ticket.updated_at, ticket.created_at),
});

export default implement(ticketing, {
  listTickets: list({
    // Archived tickets are not included.
    // https://developer.zendesk.com/api-reference/ticketing/tickets/tickets/#list-tickets
    maxPageSize: 100,
    items: (body: ZendeskPage) => body.tickets,
    // The last page has `links.next` and a cursor as well.
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
          // Offset pagination, which returns only the first 10,000 tickets.
          page: undefined,
          per_page: undefined,
        },
      ),
    record: toTicket,
  }),
});
