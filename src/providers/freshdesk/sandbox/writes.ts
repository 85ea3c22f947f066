import {
  type EmulatedReply,
  type EmulatedRequest,
  isText,
  nextWrite,
  refuse,
  reply,
  sentFields,
  toSecond,
} from "../../../emulator-kit/index.ts";
import { AGENT, conversation, me, plain, type SandboxTicket, STATUSES, type State } from "./data.ts";
import { noValues, problemsOf } from "./fields.ts";

interface Problem {
  field: string;
  message: string;
  code: string;
}

/** https://developers.freshdesk.com/api/#error */
const refusal = (errors: Problem[]) => reply(400, { description: "Validation failed", errors });

export const invalid = (field: string, message: string, code = "invalid_value") => refusal([{ field, message, code }]);

const PRIORITIES = [1, 2, 3, 4];

type Sent = EmulatedRequest["body"];

/** Refuses fields that Freshdesk does not accept. */
function checkFields(body: Sent): void {
  const problems: Problem[] = problemsOf(body.custom_fields);
  const check = (field: string, isValid: boolean, message: string, code = "invalid_value") => {
    if (body[field] !== undefined && !isValid) problems.push({ field, message, code });
  };
  const { status, priority, responder_id, tags } = body;
  check("status", STATUSES.includes(status), `It should be one of these values: '${STATUSES}'`);
  check("priority", PRIORITIES.includes(priority), `It should be one of these values: '${PRIORITIES}'`);
  if (typeof responder_id === "number")
    check(
      "responder_id",
      [me.id, AGENT.id].includes(responder_id),
      "There is no agent matching the given responder_id",
    );
  else check("responder_id", false, "It should be a/an Positive Integer", "datatype_mismatch");
  check("tags", Array.isArray(tags), "It should be a/an Array", "datatype_mismatch");
  if (problems.length > 0) refuse(refusal(problems));
}

const REQUIRED = ["subject", "description", "email", "status", "priority"];

/** The ID of the contact with this email address, who is new otherwise. */
function requesterOf({ email, name = email.split("@")[0] }: Sent, { contacts }: State, at: string): number {
  const known = contacts.find((contact) => contact.email === email);
  if (known) return known.id;
  const last = contacts.at(-1)!;
  contacts.push({ ...last, id: last.id + 3, name, email, phone: null, created_at: at, updated_at: at });
  return last.id + 3;
}

export function newTicket({ body }: EmulatedRequest, state: State): SandboxTicket {
  const missing = REQUIRED.filter((field) => body?.[field] === undefined || body[field] === null);
  if (missing.length > 0)
    refuse(refusal(missing.map((field) => ({ field, message: "It should be a/an String", code: "missing_field" }))));
  checkFields(body);
  const at = toSecond(nextWrite(state).at);
  const { subject, description, status, priority, tags = [], responder_id = null } = body;
  const last = state.tickets.at(-1)!;
  const id = last.id + 4;
  state.conversations.set(id, []);
  return {
    ...last,
    ...{ id, subject, description, status, priority, tags, responder_id },
    description_text: plain(description),
    requester_id: requesterOf(body, state, at),
    type: null,
    custom_fields: { ...noValues(last.custom_fields), ...body.custom_fields },
    spam: false,
    deleted: false,
    created_at: at,
    updated_at: at,
  };
}

export function changedFields(
  { custom_fields }: SandboxTicket,
  { body }: EmulatedRequest,
  state: State,
): Partial<SandboxTicket> {
  checkFields(body ?? {});
  const changes = sentFields(body, ["subject", "description", "status", "priority", "responder_id", "tags", "type"]);
  return {
    ...changes,
    custom_fields: { ...custom_fields, ...body?.custom_fields },
    updated_at: toSecond(nextWrite(state).at),
  };
}

/** A reply or a note of the agent whose key is used. */
export function addConversation(ticket: SandboxTicket, body: Sent, isPrivate: boolean, state: State): EmulatedReply {
  if (!isText(body?.body)) refuse(invalid("body", "It should be a/an String", "missing_field"));
  const { nth, at } = nextWrite(state);
  ticket.updated_at = toSecond(at);
  const added = conversation({
    id: 9_000_000 + nth,
    ticket_id: ticket.id,
    body: body.body,
    incoming: false,
    private: isPrivate,
    user_id: me.id,
    at: ticket.updated_at,
  });
  state.conversations.get(ticket.id)!.push(added);
  const { private: _, ...shown } = added;
  // The response to a reply does not say whether it is private.
  return reply(201, isPrivate ? added : shown);
}
