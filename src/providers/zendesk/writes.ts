import {
  byName,
  type CategoryImplementation,
  get,
  type helpdesk,
  markdownToHtml,
  one,
  path,
  post,
  put,
  type Upstream,
} from "../../provider-kit/index.ts";
import {
  fromOneTicket,
  type OneTicket,
  type SideLoaded,
  STATUS_CATEGORY,
  ticketOf,
  ticketRequest,
  toComment,
  usersOf,
  type ZendeskComment,
  type ZendeskUser,
} from "./records.ts";

/** What an update changed: one event for each field, and one for a comment. */
interface ZendeskAudit {
  author_id: number;
  created_at: string;
  events: (Partial<ZendeskComment> & { id: number; type: string })[];
}

const PRIORITIES = ["low", "normal", "high", "urgent"];

const valueIn = (field: string, values: string[], name: string): string => byName(field, name, values, String);

/** The response to a write has no users, so the ticket is read again. */
const readTicket = async (upstream: Upstream, id: string | number) =>
  (await upstream<OneTicket>(ticketRequest(id))).body;

const INTEGER = /^\d+$/;

/** The comment that an update added. Its event in the audit has the ID that the comment has. */
function addedComment({ author_id, created_at, events }: ZendeskAudit): ZendeskComment {
  const { id, body, html_body, public: isPublic = true } = events.find(({ type }) => type === "Comment")!;
  return { id, body, html_body, public: isPublic, author_id, created_at };
}

export const writes: CategoryImplementation<typeof helpdesk.operations> = {
  createTicket: one({
    async load({ input: { subject, description, requester, priority, tags }, upstream, write, writeKey }) {
      const ticket = {
        subject,
        comment: { html_body: markdownToHtml(description) },
        // Somebody who is new must have a name. That of a known user stays as it is.
        requester: { name: requester.email, ...requester },
        priority: priority && valueIn("priority", PRIORITIES, priority),
        tags,
      };
      // https://developer.zendesk.com/api-reference/ticketing/introduction/#idempotency
      const request = post("/tickets", { ticket }, {}, { headers: { "Idempotency-Key": writeKey } });
      return readTicket(upstream, (await write<OneTicket>(request)).body.ticket.id);
    },
    record: fromOneTicket,
    original: ticketOf,
  }),

  updateTicket: one({
    async load({ input: { ticket_id, status, priority, assignee_id, tags }, upstream, write }) {
      const ticket = {
        status: status && valueIn("status", Object.keys(STATUS_CATEGORY), status),
        priority: priority && valueIn("priority", PRIORITIES, priority),
        // What is no number is sent as it is: Zendesk says what is wrong with it.
        assignee_id: assignee_id && INTEGER.test(assignee_id) ? Number(assignee_id) : assignee_id,
        tags,
      };
      await write(put(path`/tickets/${ticket_id}`, { ticket }));
      return readTicket(upstream, ticket_id);
    },
    record: fromOneTicket,
    original: ticketOf,
  }),

  // A comment is added by changing its ticket.
  // https://developer.zendesk.com/api-reference/ticketing/tickets/ticket_comments/#create-ticket-comment
  createComment: one({
    async load({ input: { ticket_id, text, is_public = true }, upstream, write }) {
      // The response has only the ID of its author.
      const { user } = (await upstream<{ user: ZendeskUser }>(get("/users/me"))).body;
      const comment = { html_body: markdownToHtml(text), public: is_public };
      const request = put(path`/tickets/${ticket_id}`, { ticket: { comment } });
      const { audit } = (await write<{ audit: ZendeskAudit }>(request)).body;
      return { audit, users: [user] };
    },
    record: ({ audit, users }: SideLoaded & { audit: ZendeskAudit }) =>
      toComment(addedComment(audit), usersOf({ users })),
  }),
};
