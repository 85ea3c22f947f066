import type { EmulatedReply } from "../../../contracts/emulator.ts";
import { reply } from "../../../emulator-kit/emulator.ts";
import { AGENT, me, now, plain, type SandboxContact, type SandboxTicket, type State } from "./data.ts";

interface Problem {
  field: string;
  message: string;
  code: string;
}

/** https://developers.freshdesk.com/api/#error */
const refused = (errors: Problem[]) => reply(400, { description: "Validation failed", errors });

export const invalid = (field: string, message: string, code = "invalid_value") => refused([{ field, message, code }]);

/** The default statuses, and one of this account's own. */
const STATUSES = [2, 3, 4, 5, 6];
const PRIORITIES = [1, 2, 3, 4];

// biome-ignore lint/suspicious/noExplicitAny: a client may send anything
type Sent = any;

/** What is wrong with the fields that are sent. */
function problemsOf(body: Sent): Problem[] {
  const problems: Problem[] = [];
  const oneOf = (field: string, values: number[]) => {
    if (body[field] !== undefined && !values.includes(body[field]))
      problems.push({
        field,
        message: `It should be one of these values: '${values.join(",")}'`,
        code: "invalid_value",
      });
  };
  oneOf("status", STATUSES);
  oneOf("priority", PRIORITIES);
  if (body.responder_id !== undefined && ![me.id, AGENT.id].includes(body.responder_id))
    problems.push({
      field: "responder_id",
      message:
        typeof body.responder_id === "number"
          ? "There is no agent matching the given responder_id"
          : "Value set is of type String.It should be a/an Positive Integer",
      code: typeof body.responder_id === "number" ? "invalid_value" : "datatype_mismatch",
    });
  if (body.tags !== undefined && !Array.isArray(body.tags))
    problems.push({ field: "tags", message: "It should be a/an Array", code: "datatype_mismatch" });
  return problems;
}

const REQUIRED = ["subject", "description", "email", "status", "priority"];

/** The contact with this email address, who is new otherwise. */
function requesterOf({ email, name }: Sent, state: State, at: string): SandboxContact {
  const known = state.contacts.find((contact) => contact.email === email);
  if (known) return known;
  const contact = {
    ...state.contacts.at(-1)!,
    id: state.contacts.at(-1)!.id + 3,
    name: name ?? email.split("@")[0],
    email,
    phone: null,
    created_at: at,
    updated_at: at,
  };
  state.contacts.push(contact);
  return contact;
}

export function createTicket(body: Sent, state: State): { ticket: SandboxTicket } | EmulatedReply {
  const missing = REQUIRED.filter((field) => body?.[field] === undefined || body[field] === null);
  if (missing.length > 0)
    return refused(missing.map((field) => ({ field, message: "It should be a/an String", code: "missing_field" })));
  const problems = problemsOf(body);
  if (problems.length > 0) return refused(problems);
  const at = now(state);
  const { id: requester_id } = requesterOf(body, state, at);
  const { subject, description, status, priority, tags = [], responder_id = null } = body;
  const last = state.tickets.at(-1)!;
  const ticket: SandboxTicket = {
    ...last,
    ...{
      subject,
      description,
      description_text: plain(description),
      status,
      priority,
      tags,
      responder_id,
      requester_id,
    },
    id: last.id + 4,
    type: null,
    spam: false,
    deleted: false,
    created_at: at,
    updated_at: at,
  };
  state.tickets.push(ticket);
  state.conversations[ticket.id] = [];
  return { ticket };
}

const CHANGEABLE = ["subject", "description", "status", "priority", "responder_id", "tags", "type"];

export function changeTicket(
  ticket: SandboxTicket,
  body: Sent,
  state: State,
): { ticket: SandboxTicket } | EmulatedReply {
  const problems = problemsOf(body ?? {});
  if (problems.length > 0) return refused(problems);
  const changes = Object.entries(body ?? {}).filter(([field]) => CHANGEABLE.includes(field));
  return { ticket: Object.assign(ticket, Object.fromEntries(changes), { updated_at: now(state) }) };
}

/** A reply or a note of the agent whose key is used. */
export function addConversation(ticket: SandboxTicket, body: Sent, isPrivate: boolean, state: State): EmulatedReply {
  if (typeof body?.body !== "string" || body.body === "")
    return invalid("body", "It should be a/an String", "missing_field");
  const at = now(state);
  const conversations = state.conversations[ticket.id]!;
  const conversation = {
    id: 9_000_000 + state.writes,
    body: body.body as string,
    body_text: plain(body.body),
    incoming: false,
    private: isPrivate,
    user_id: me.id,
    ticket_id: ticket.id,
    support_email: null,
    to_emails: [],
    cc_emails: [],
    bcc_emails: [],
    attachments: [],
    source: isPrivate ? 2 : 0,
    created_at: at,
    updated_at: at,
  };
  conversations.push(conversation);
  ticket.updated_at = at;
  const { private: _, ...shown } = conversation;
  // The response to a reply does not say whether it is private.
  return reply(201, isPrivate ? conversation : shown);
}
