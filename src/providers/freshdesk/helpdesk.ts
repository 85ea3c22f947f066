import { type Customer, type HelpdeskComment, type HelpdeskTicket, helpdesk } from "../../categories/helpdesk.ts";
import type { CategoryImplementation, Context } from "../../contracts/provider.ts";
import type { Answer, Upstream } from "../../contracts/upstream.ts";
import { orNull } from "../../provider-kit/contact.ts";
import { implement, list, one } from "../../provider-kit/implement.ts";
import { linkHeader } from "../../provider-kit/paging.ts";
import { get, path, post, put } from "../../provider-kit/request.ts";
import { htmlToMarkdown } from "../../provider-kit/text/from-html.ts";
import { plainToMarkdown } from "../../provider-kit/text/plain.ts";
import { markdownToHtml } from "../../provider-kit/text/to-html.ts";
import { firstTime, isoTime, secondBefore } from "../../provider-kit/time.ts";
import { byName } from "../../provider-kit/write.ts";

// Only the fields that are read.
export interface FreshdeskTicket {
  id: number;
  subject?: string | null;
  /** HTML. */
  description?: string | null;
  description_text?: string | null;
  status: number;
  priority?: number | null;
  requester_id?: number | null;
  /** Because of `include=requester`. */
  requester?: FreshdeskContact | null;
  responder_id?: number | null;
  tags?: string[] | null;
  created_at: string;
  updated_at?: string | null;
}
export interface FreshdeskConversation {
  id: number;
  /** HTML. */
  body?: string | null;
  body_text?: string | null;
  private?: boolean | null;
  user_id?: number | null;
  created_at?: string | null;
}
export interface FreshdeskContact {
  id: number;
  name?: string | null;
  email?: string | null;
}

interface Choice {
  value: number;
  name: string;
}

/** An account may have others of its own. https://developers.freshdesk.com/api/#ticket-properties */
const STATUSES: (Choice & { category: HelpdeskTicket["status_category"] })[] = [
  { value: 2, name: "Open", category: "open" },
  { value: 3, name: "Pending", category: "pending" },
  { value: 4, name: "Resolved", category: "solved" },
  { value: 5, name: "Closed", category: "closed" },
];
const OPEN = 2;

const PRIORITIES: Choice[] = [
  { value: 1, name: "Low" },
  { value: 2, name: "Medium" },
  { value: 3, name: "High" },
  { value: 4, name: "Urgent" },
];
const LOW = 1;

const nameOf = ({ name }: Choice) => name;

/** The name of a value; for one of the account's own, its number. */
const nameIn = (choices: Choice[], number: number): string =>
  choices.find(({ value }) => value === number)?.name ?? String(number);

const NUMBER = /^\d+$/;

/** The value that a name stands for. A number stands for itself: an account's own status has no other name here. */
const valueIn = (field: string, choices: Choice[], name: string): number =>
  NUMBER.test(name) ? Number(name) : byName(field, name, choices, nameOf).value;

const toPerson = (id: number | null | undefined) =>
  id === null || id === undefined ? null : { id: String(id), name: null };

function requesterOf({ requester_id, requester }: FreshdeskTicket): HelpdeskTicket["requester"] {
  const id = requester?.id ?? requester_id;
  if (id === null || id === undefined) return null;
  return { id: String(id), name: orNull(requester?.name), email: orNull(requester?.email) };
}

const toText = (html: string | null | undefined, plain: string | null | undefined): string | null =>
  htmlToMarkdown(html) ?? plainToMarkdown(plain);

export function toTicket(ticket: FreshdeskTicket, { settings }: Pick<Context, "settings">): HelpdeskTicket {
  const { id, status, priority } = ticket;
  return {
    id: String(id),
    subject: orNull(ticket.subject),
    description: toText(ticket.description, ticket.description_text),
    status: nameIn(STATUSES, status),
    status_category: STATUSES.find(({ value }) => value === status)?.category ?? "open",
    priority: priority === null || priority === undefined ? null : nameIn(PRIORITIES, priority),
    requester: requesterOf(ticket),
    assignee: toPerson(ticket.responder_id),
    tags: ticket.tags ?? [],
    url: `https://${settings.subdomain}.freshdesk.com/a/tickets/${id}`,
    created_at: firstTime(ticket.created_at),
    updated_at: firstTime(ticket.updated_at, ticket.created_at),
  };
}

export const toComment = (conversation: FreshdeskConversation): HelpdeskComment => ({
  id: String(conversation.id),
  text: toText(conversation.body, conversation.body_text),
  is_public: !conversation.private,
  author: toPerson(conversation.user_id),
  created_at: isoTime(conversation.created_at),
});

export const toCustomer = ({ id, name, email }: FreshdeskContact): Customer => ({
  id: String(id),
  name: orNull(name),
  email: orNull(email),
});

/** The last page has no link. https://developers.freshdesk.com/api/#pagination */
function nextOf(answer: Answer): number | null {
  const page = Number(linkHeader(answer)?.page);
  return page > 1 ? page : null;
}

const pageQuery = ({ limit, cursor }: { limit: number; cursor: number | undefined }) => ({
  per_page: limit,
  page: cursor ?? 1,
});

const ticketRequest = (id: string | number) => get(path`/tickets/${id}`, { include: "requester" });

/** The response to a write has no requester, so the ticket is read again. */
const readTicket = async (upstream: Upstream, id: string | number) =>
  (await upstream<FreshdeskTicket>(ticketRequest(id))).body;

/** Before Freshdesk existed. */
const EVER = "2000-01-01T00:00:00Z";

export const operations: CategoryImplementation<typeof helpdesk.operations> = {
  listTickets: list({
    maxPageSize: 100,
    filtersUpdatedSince: true,
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

  createTicket: one({
    async load({ input: { subject, description, requester, priority, tags }, upstream }) {
      const request = post("/tickets", {
        subject,
        description: markdownToHtml(description),
        ...requester,
        // Both are required.
        status: OPEN,
        priority: priority === undefined ? LOW : valueIn("priority", PRIORITIES, priority),
        ...(tags && { tags }),
      });
      const { id } = (await upstream<FreshdeskTicket>(request)).body;
      return readTicket(upstream, id);
    },
    record: toTicket,
  }),

  updateTicket: one({
    async load({ input: { ticket_id, status, priority, assignee_id, tags }, upstream }) {
      await upstream(
        put(path`/tickets/${ticket_id}`, {
          ...(status !== undefined && { status: valueIn("status", STATUSES, status) }),
          ...(priority !== undefined && { priority: valueIn("priority", PRIORITIES, priority) }),
          // What is no number is sent as it is: Freshdesk says what is wrong with it.
          ...(assignee_id !== undefined && {
            responder_id: NUMBER.test(assignee_id) ? Number(assignee_id) : assignee_id,
          }),
          ...(tags && { tags }),
        }),
      );
      return readTicket(upstream, ticket_id);
    },
    record: toTicket,
  }),

  listComments: list({
    maxPageSize: 100,
    items: (conversations: FreshdeskConversation[]) => conversations,
    next: nextOf,
    request: ({ input, ...page }) => get(path`/tickets/${input.ticket_id}/conversations`, {}, pageQuery(page)),
    record: toComment,
  }),

  createComment: one({
    // A reply is sent to the requester by email; a note is not.
    request: ({ input: { ticket_id, text, is_public = true } }) => {
      const body = markdownToHtml(text);
      return is_public
        ? post(path`/tickets/${ticket_id}/reply`, { body })
        : post(path`/tickets/${ticket_id}/notes`, { body, private: true });
    },
    record: (conversation: FreshdeskConversation, { input: { is_public = true } }) =>
      toComment({ ...conversation, private: !is_public }),
  }),

  listCustomers: list({
    maxPageSize: 100,
    items: (contacts: FreshdeskContact[]) => contacts,
    next: nextOf,
    request: (page) => get("/contacts", {}, pageQuery(page)),
    record: toCustomer,
  }),
};

export default implement(helpdesk, operations);
