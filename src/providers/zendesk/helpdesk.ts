import { type Customer, type HelpdeskComment, type HelpdeskTicket, helpdesk } from "../../categories/helpdesk.ts";
import type { CategoryImplementation, Context } from "../../contracts/provider.ts";
import type { Answer, Upstream } from "../../contracts/upstream.ts";
import { orNull } from "../../provider-kit/contact.ts";
import { implement, list, one } from "../../provider-kit/implement.ts";
import { get, path, post, put } from "../../provider-kit/request.ts";
import { htmlToMarkdown } from "../../provider-kit/text/from-html.ts";
import { toText } from "../../provider-kit/text/plain.ts";
import { markdownToHtml } from "../../provider-kit/text/to-html.ts";
import { firstTime, isoTime } from "../../provider-kit/time.ts";
import { byName } from "../../provider-kit/write.ts";

// Only the fields that are read.
export interface ZendeskUser {
  id: number;
  name?: string | null;
  email?: string | null;
}
export interface ZendeskTicket {
  id: number;
  subject?: string | null;
  status: string;
  priority?: string | null;
  /** The first comment, which Zendesk turns from rich text into Markdown. */
  description?: string | null;
  requester_id?: number | null;
  assignee_id?: number | null;
  tags?: string[] | null;
  created_at: string;
  updated_at: string;
}
export interface ZendeskComment {
  id: number;
  body?: string | null;
  html_body?: string | null;
  public: boolean;
  author_id?: number | null;
  created_at?: string | null;
}
/** What a response has beside its records: the people in them, because of `include=users`. */
interface SideLoaded {
  users?: ZendeskUser[] | null;
}
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
interface OneTicket extends SideLoaded {
  ticket: ZendeskTicket;
}
/** What an update changed: one event for each field, and one for a comment. */
interface ZendeskAudit {
  author_id: number;
  created_at: string;
  events: (Partial<ZendeskComment> & { id: number; type: string })[];
}

/** Finds the side-loaded users of one response. */
type FindUser = (id: number | null | undefined) => ZendeskUser | undefined;
function usersOf({ users }: SideLoaded): FindUser {
  const byId = new Map(users?.map((user) => [user.id, user]));
  return (id) => (id === null || id === undefined ? undefined : (byId.get(id) ?? { id }));
}

const toPerson = (user: ZendeskUser | undefined) => (user ? { id: String(user.id), name: orNull(user.name) } : null);

/** https://developer.zendesk.com/api-reference/ticketing/tickets/tickets/#json-format */
const STATUS_CATEGORY: Record<string, HelpdeskTicket["status_category"]> = {
  new: "open",
  open: "open",
  pending: "pending",
  hold: "pending",
  solved: "solved",
  closed: "closed",
};

const PRIORITIES = ["low", "normal", "high", "urgent"];

const valueIn = (field: string, values: string[], name: string): string => byName(field, name, values, String);

export function toTicket(
  ticket: ZendeskTicket,
  findUser: FindUser,
  { settings }: Pick<Context, "settings">,
): HelpdeskTicket {
  const requester = findUser(ticket.requester_id);
  return {
    id: String(ticket.id),
    subject: orNull(ticket.subject),
    description: toText(ticket.description),
    status: ticket.status,
    status_category: STATUS_CATEGORY[ticket.status] ?? "open",
    priority: orNull(ticket.priority),
    requester: requester
      ? { id: String(requester.id), name: orNull(requester.name), email: orNull(requester.email) }
      : null,
    assignee: toPerson(findUser(ticket.assignee_id)),
    tags: ticket.tags ?? [],
    // The ticket's own `url` is its API address; this is the page for agents.
    url: `https://${settings.subdomain}.zendesk.com/agent/tickets/${ticket.id}`,
    created_at: firstTime(ticket.created_at),
    updated_at: firstTime(ticket.updated_at, ticket.created_at),
  };
}

/** Comments of Zendesk itself have this author, which is not a user. */
const SYSTEM_AUTHOR = -1;

export const toComment = (comment: ZendeskComment, findUser: FindUser): HelpdeskComment => ({
  id: String(comment.id),
  text: htmlToMarkdown(comment.html_body) ?? toText(comment.body),
  is_public: comment.public,
  author: comment.author_id === SYSTEM_AUTHOR ? null : toPerson(findUser(comment.author_id)),
  created_at: isoTime(comment.created_at),
});

export const toCustomer = ({ id, name, email }: ZendeskUser): Customer => ({
  id: String(id),
  name: orNull(name),
  email: orNull(email),
});

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

/** https://developer.zendesk.com/documentation/ticketing/using-the-zendesk-api/side_loading/ */
const WITH_USERS = { include: "users" };

const ticketRequest = (id: string | number) => get(path`/tickets/${id}`, WITH_USERS);

/** The response to a write has no users, so the ticket is read again. */
const readTicket = async (upstream: Upstream, id: string | number) =>
  (await upstream<OneTicket>(ticketRequest(id))).body;

const fromOneTicket = (body: OneTicket, context: Pick<Context, "settings">) =>
  toTicket(body.ticket, usersOf(body), context);

const INTEGER = /^\d+$/;

/** The comment that an update added. Its event in the audit has the ID that the comment has. */
function addedComment({ author_id, created_at, events }: ZendeskAudit): ZendeskComment {
  const { id, body, html_body, public: isPublic = true } = events.find(({ type }) => type === "Comment")!;
  return { id, body, html_body, public: isPublic, author_id, created_at };
}

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

  createTicket: one({
    async load({ input: { subject, description, requester, priority, tags }, upstream, writeKey }) {
      const ticket = {
        subject,
        comment: { html_body: markdownToHtml(description) },
        // Somebody who is new must have a name. That of a known user stays as it is.
        requester: { name: requester.email, ...requester },
        ...(priority !== undefined && { priority: valueIn("priority", PRIORITIES, priority) }),
        ...(tags && { tags }),
      };
      // https://developer.zendesk.com/api-reference/ticketing/introduction/#idempotency
      const request = post("/tickets", { ticket }, {}, { headers: { "Idempotency-Key": writeKey } });
      return readTicket(upstream, (await upstream<OneTicket>(request)).body.ticket.id);
    },
    record: fromOneTicket,
  }),

  updateTicket: one({
    async load({ input: { ticket_id, status, priority, assignee_id, tags }, upstream }) {
      const ticket = {
        ...(status !== undefined && { status: valueIn("status", Object.keys(STATUS_CATEGORY), status) }),
        ...(priority !== undefined && { priority: valueIn("priority", PRIORITIES, priority) }),
        // What is no number is sent as it is: Zendesk says what is wrong with it.
        ...(assignee_id !== undefined && {
          assignee_id: INTEGER.test(assignee_id) ? Number(assignee_id) : assignee_id,
        }),
        ...(tags && { tags }),
      };
      await upstream(put(path`/tickets/${ticket_id}`, { ticket }));
      return readTicket(upstream, ticket_id);
    },
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

  // A comment is added by changing its ticket.
  // https://developer.zendesk.com/api-reference/ticketing/tickets/ticket_comments/#create-ticket-comment
  createComment: one({
    async load({ input: { ticket_id, text, is_public = true }, upstream }) {
      // The response has only the ID of its author.
      const { user } = (await upstream<{ user: ZendeskUser }>(get("/users/me"))).body;
      const comment = { html_body: markdownToHtml(text), public: is_public };
      const request = put(path`/tickets/${ticket_id}`, { ticket: { comment } });
      const { audit } = (await upstream<{ audit: ZendeskAudit }>(request)).body;
      return { audit, users: [user] };
    },
    record: ({ audit, users }: SideLoaded & { audit: ZendeskAudit }) =>
      toComment(addedComment(audit), usersOf({ users })),
  }),

  listCustomers: list({
    maxPageSize: 100,
    items: (body: UserPage) => body.users,
    next: nextOf,
    request: (page) => get("/users", {}, { ...pageQuery(page), role: "end-user", "role[]": undefined }),
    record: toCustomer,
  }),
};

export default implement(helpdesk, operations);
