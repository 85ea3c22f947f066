import type { EmulatedReply, EmulatedRequest } from "../../../contracts/emulator.ts";
import { reply } from "../../../emulator-kit/emulator.ts";
import {
  AGENT,
  now,
  SANDBOX_ADMIN,
  type SandboxContact,
  type SandboxPart,
  type SandboxTicket,
  STATES,
  type State,
  TICKET_TYPE,
  TICKET_TYPES,
} from "./data.ts";

export const errorReply = (status: number, code: string, message: string, headers?: Record<string, string>) =>
  reply(
    status,
    { type: "error.list", request_id: "f93ecfa8-d08a-4325-8694-89aeb89c8f85", errors: [{ code, message }] },
    headers,
  );

const ADMINS = [SANDBOX_ADMIN, AGENT];

/** The contact with this email address, who is new otherwise and has no name. */
function contactBy(email: string, state: State, at: number): SandboxContact {
  const known = state.contacts.find((contact) => contact.email === email);
  if (known) return known;
  const contact = {
    ...state.contacts.at(-1)!,
    id: state.writes.toString(16).padStart(24, "f"),
    external_id: null,
    email,
    name: null,
    created_at: at,
    updated_at: at,
  };
  state.contacts.push(contact);
  return contact;
}

export function createTicket({ body }: EmulatedRequest, state: State): EmulatedReply {
  const type = TICKET_TYPES.find(({ id }) => id === String(body?.ticket_type_id));
  if (!type) return errorReply(404, "ticket_type_not_found", "Ticket type not found");
  if (type !== TICKET_TYPE) return errorReply(400, "parameter_invalid", "Tickets of this type cannot be created");
  const email = body.contacts?.[0]?.email;
  if (typeof email !== "string") return errorReply(400, "parameter_not_found", "contacts is required");
  const at = now(state);
  const { id, external_id } = contactBy(email, state, at);
  const last = state.tickets.at(-1)!;
  const ticket: SandboxTicket = {
    ...last,
    id: String(Number(last.id) + 13),
    ticket_id: String(Number(last.ticket_id) + 1),
    ticket_attributes: { _default_title_: null, _default_description_: null, ...body.ticket_attributes },
    ticket_state: STATES[0]!,
    ticket_type: type,
    contacts: { type: "contact.list", contacts: [{ type: "contact", id, external_id }] },
    admin_assignee_id: "0",
    created_at: at,
    updated_at: at,
    open: true,
    ticket_parts: { type: "ticket_part.list", ticket_parts: [], total_count: 0 },
  };
  state.tickets.push(ticket);
  return reply(200, { ...ticket });
}

const ticketOf = ({ params }: EmulatedRequest, { tickets }: State) => tickets.find(({ id }) => id === params.id);

export function changeTicket(request: EmulatedRequest, state: State): EmulatedReply {
  const ticket = ticketOf(request, state);
  if (!ticket) return errorReply(404, "ticket_not_found", "Ticket not found");
  const { ticket_state_id, assignee_id } = request.body ?? {};
  const next = STATES.find(({ id }) => id === String(ticket_state_id));
  if (ticket_state_id !== undefined && !next)
    return errorReply(
      400,
      "ticket_state_id_invalid",
      "Ticket state id is not valid or is not associated with the ticket type",
    );
  if (assignee_id !== undefined && ![...ADMINS, { id: "0" }].some(({ id }) => id === String(assignee_id)))
    return errorReply(404, "assignee_not_found", "Assignee not found");
  if (next) Object.assign(ticket, { ticket_state: next, open: next.category !== "resolved" });
  if (assignee_id !== undefined) ticket.admin_assignee_id = String(assignee_id);
  ticket.updated_at = now(state);
  return reply(200, { ...ticket });
}

const escaped = (text: string) => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

/** A comment is text, whose paragraphs become HTML; a note may be HTML already. */
const bodyOf = (text: string, type: string): string =>
  type === "note"
    ? text.trim()
    : text
        .split(/\n{2,}/)
        .map((paragraph) => `<p>${escaped(paragraph).replaceAll("\n", "<br>")}</p>`)
        .join("\n");

export function replyToTicket(request: EmulatedRequest, state: State): EmulatedReply {
  const ticket = ticketOf(request, state);
  if (!ticket) return errorReply(404, "not_found", "Resource Not Found");
  const { message_type, type, admin_id, body } = request.body ?? {};
  const author = ADMINS.find(({ id }) => id === String(admin_id));
  if (type !== "admin" || !author) return errorReply(404, "admin_not_found", "Admin not found");
  if (!["comment", "note"].includes(message_type) || typeof body !== "string" || body === "")
    return errorReply(400, "parameter_invalid", "message_type and body are required");
  const at = now(state);
  const part: SandboxPart = {
    type: "ticket_part",
    id: String(9_000_000 + state.writes),
    part_type: message_type,
    body: bodyOf(body, message_type),
    created_at: at,
    updated_at: at,
    author,
    attachments: [],
    redacted: false,
  };
  const parts = [...ticket.ticket_parts.ticket_parts, part];
  ticket.ticket_parts = { type: "ticket_part.list", ticket_parts: parts, total_count: parts.length };
  ticket.updated_at = at;
  return reply(200, part);
}
