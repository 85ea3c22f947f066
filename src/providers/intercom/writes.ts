import {
  byName,
  type CategoryImplementation,
  get,
  type helpdesk,
  invalidInput,
  markdownToHtml,
  markdownToPlain,
  one,
  path,
  post,
  put,
  refuseFields,
  type Upstream,
} from "../../provider-kit/index.ts";
import manifest from "./manifest.ts";
import { type Id, type IntercomTicket, nameOf, type TicketPart, toComment, toTicket } from "./records.ts";

interface TicketType {
  id: Id;
  category?: string | null;
  archived?: boolean | null;
}
interface TicketState {
  id: Id;
  internal_label: string;
  archived?: boolean | null;
  ticket_types?: { data?: { id: Id }[] | null } | null;
}

/** A ticket must have a type. The first one that customers can have is used. */
async function customerTicketType(upstream: Upstream): Promise<string> {
  const { data } = (await upstream<{ data: TicketType[] }>(get("/ticket_types"))).body;
  const type = data.find(({ category, archived }) => category === "Customer" && !archived);
  if (!type)
    throw invalidInput({
      path: ["body"],
      message: "cannot be a ticket yet: create a ticket type of the category Customer in Intercom first",
    });
  return String(type.id);
}

/** The state with this name among those that a ticket of this type can have. */
async function findState(upstream: Upstream, ticketId: string, name: string): Promise<string> {
  const { ticket_type } = (await upstream<IntercomTicket>(get(path`/tickets/${ticketId}`))).body;
  const { data } = (await upstream<{ data: TicketState[] }>(get("/ticket_states"))).body;
  const states = data.filter(
    ({ archived, ticket_types }) =>
      !archived && ticket_types?.data?.some(({ id }) => String(id) === String(ticket_type?.id)),
  );
  return String(byName("status", name, states, ({ internal_label }) => nameOf(internal_label) ?? "").id);
}

export const writes: CategoryImplementation<typeof helpdesk.operations> = {
  createTicket: one({
    async load({ input, upstream, write }) {
      refuseFields(input, ["priority", "tags"], manifest);
      const { subject, description, requester } = input;
      const request = post("/tickets", {
        ticket_type_id: await customerTicketType(upstream),
        // Somebody whom Intercom does not know becomes a contact without a name.
        contacts: [{ email: requester.email }],
        ticket_attributes: { _default_title_: subject, _default_description_: markdownToPlain(description) },
      });
      return (await write<IntercomTicket>(request)).body;
    },
    record: toTicket,
  }),

  updateTicket: one({
    async load({ input, upstream, write }) {
      refuseFields(input, ["priority", "tags"], manifest);
      const { ticket_id, status, assignee_id } = input;
      const request = put(path`/tickets/${ticket_id}`, {
        ticket_state_id: status && (await findState(upstream, ticket_id, status)),
        assignee_id,
      });
      return (await write<IntercomTicket>(request)).body;
    },
    record: toTicket,
  }),

  createComment: one({
    async load({ input: { ticket_id, text, is_public = true }, upstream, write }) {
      const { id } = (await upstream<{ id: Id }>(get("/me"))).body;
      const request = post(path`/tickets/${ticket_id}/reply`, {
        message_type: is_public ? "comment" : "note",
        type: "admin",
        admin_id: String(id),
        // Only notes may be HTML.
        // https://developers.intercom.com/docs/references/rest-api/api.intercom.io/tickets/replyticket
        body: is_public ? markdownToPlain(text) : markdownToHtml(text),
      });
      return (await write<TicketPart>(request)).body;
    },
    record: toComment,
  }),
};
