import {
  byName,
  type CategoryImplementation,
  type helpdesk,
  markdownToHtml,
  one,
  path,
  post,
  put,
  type Upstream,
} from "../../provider-kit/index.ts";
import {
  type Choice,
  type FreshdeskConversation,
  type FreshdeskTicket,
  PRIORITIES,
  STATUSES,
  ticketRequest,
  toComment,
  toTicket,
} from "./records.ts";

const OPEN = 2;
const LOW = 1;

const nameOf = ({ name }: Choice) => name;

const NUMBER = /^\d+$/;

/** The value that a name stands for. A number stands for itself: an account's own status has no other name here. */
const valueIn = (field: string, choices: Choice[], name: string): number =>
  NUMBER.test(name) ? Number(name) : byName(field, name, choices, nameOf).value;

/** The response to a write has no requester, so the ticket is read again. */
const readTicket = async (upstream: Upstream, id: string | number) =>
  (await upstream<FreshdeskTicket>(ticketRequest(id))).body;

export const writes: CategoryImplementation<typeof helpdesk.operations> = {
  createTicket: one({
    async load({ input: { subject, description, requester, priority, tags }, upstream, write }) {
      const request = post("/tickets", {
        subject,
        description: markdownToHtml(description),
        ...requester,
        // Both are required.
        status: OPEN,
        priority: priority === undefined ? LOW : valueIn("priority", PRIORITIES, priority),
        tags,
      });
      const { id } = (await write<FreshdeskTicket>(request)).body;
      return readTicket(upstream, id);
    },
    record: toTicket,
  }),

  updateTicket: one({
    async load({ input: { ticket_id, status, priority, assignee_id, tags }, upstream, write }) {
      await write(
        put(path`/tickets/${ticket_id}`, {
          status: status && valueIn("status", STATUSES, status),
          priority: priority && valueIn("priority", PRIORITIES, priority),
          // What is no number is sent as it is: Freshdesk says what is wrong with it.
          responder_id: assignee_id && NUMBER.test(assignee_id) ? Number(assignee_id) : assignee_id,
          tags,
        }),
      );
      return readTicket(upstream, ticket_id);
    },
    record: toTicket,
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
};
