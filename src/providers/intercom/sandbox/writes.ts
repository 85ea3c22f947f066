import {
  type EmulatedReply,
  type EmulatedRequest,
  inHtml,
  isText,
  nextWrite,
  refuse,
  reply,
} from "../../../emulator-kit/index.ts";
import { readAttributes } from "./attributes.ts";
import { ADMINS, contactList, part, type SandboxTicket, STATES, type State, TICKET_TYPE } from "./data.ts";

const request_id = "f93ecfa8-d08a-4325-8694-89aeb89c8f85";
export const errorReply = (status: number, code: string, message: string) =>
  reply(status, { type: "error.list", request_id, errors: [{ code, message }] });

const invalid = (message: string) => errorReply(400, "parameter_invalid", message);

function nextTime(state: State) {
  const { nth, at } = nextWrite(state);
  return { nth, now: at.getTime() / 1000 };
}

export function newTicket({ body }: EmulatedRequest, state: State): SandboxTicket {
  if (String(body?.ticket_type_id) !== TICKET_TYPE.id)
    refuse(errorReply(404, "ticket_type_not_found", "Ticket type not found"));
  const email = body.contacts?.[0]?.email;
  if (!isText(email)) refuse(errorReply(400, "parameter_not_found", "contacts is required"));
  const attributes = readAttributes(body.ticket_attributes, invalid);
  const { nth, now } = nextTime(state);
  const times = { created_at: now, updated_at: now };
  let contact = state.contacts.find((one) => one.email === email);
  if (!contact) {
    // Somebody who is new has no name.
    const id = nth.toString(16).padStart(24, "f");
    contact = { ...state.contacts.at(-1)!, ...times, id, external_id: null, email, name: null };
    state.contacts.push(contact);
  }
  const last = state.tickets.at(-1)!;
  return {
    ...last,
    ...times,
    id: String(Number(last.id) + 13),
    ticket_id: String(Number(last.ticket_id) + 1),
    ticket_attributes: { _default_title_: null, _default_description_: null, ...attributes },
    ticket_state: STATES[0]!,
    contacts: contactList(contact),
    admin_assignee_id: "0",
    open: true,
    parts: [],
  };
}

export function changedFields(
  { ticket_attributes }: SandboxTicket,
  { body }: EmulatedRequest,
  state: State,
): Partial<SandboxTicket> {
  const attributes = readAttributes(body?.ticket_attributes, invalid);
  const { ticket_state_id, assignee_id } = body ?? {};
  const next = STATES.find(({ id }) => id === String(ticket_state_id));
  if (ticket_state_id !== undefined && !next)
    refuse(errorReply(400, "ticket_state_id_invalid", "Ticket state id is not valid"));
  if (assignee_id !== undefined && ![...ADMINS, { id: "0" }].some(({ id }) => id === String(assignee_id)))
    refuse(errorReply(404, "assignee_not_found", "Assignee not found"));
  return {
    ...(next && { ticket_state: next, open: next.category !== "resolved" }),
    ...(assignee_id !== undefined && { admin_assignee_id: String(assignee_id) }),
    ticket_attributes: { ...ticket_attributes, ...attributes },
    updated_at: nextTime(state).now,
  };
}

/** A comment is text, whose paragraphs become HTML; a note may be HTML already. */
const bodyOf = (text: string, type: string): string =>
  type === "note"
    ? text.trim()
    : text
        .split(/\n{2,}/)
        .map((paragraph) => `<p>${inHtml(paragraph).replaceAll("\n", "<br>")}</p>`)
        .join("\n");

export function replyToTicket(ticket: SandboxTicket, request: EmulatedRequest, state: State): EmulatedReply {
  const { message_type: part_type, type, admin_id, body } = request.body ?? {};
  const author = ADMINS.find(({ id }) => id === String(admin_id));
  if (type !== "admin" || !author) return errorReply(404, "admin_not_found", "Admin not found");
  if (!["comment", "note"].includes(part_type) || !isText(body))
    return errorReply(400, "parameter_invalid", "message_type and body are required");
  const { nth, now } = nextTime(state);
  const added = part({ id: String(9_000_000 + nth), part_type, body: bodyOf(body, part_type), author }, now);
  ticket.parts.push(added);
  ticket.updated_at = now;
  return reply(200, added);
}
