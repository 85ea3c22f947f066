import {
  checkFields,
  type EmulatedRequest,
  nextWrite,
  refuse,
  reply,
  sentFields,
  toSecond,
} from "../../../emulator-kit/index.ts";
import {
  AGENT,
  comment,
  HOST,
  me,
  type SandboxComment,
  type SandboxTicket,
  type SandboxUser,
  STATUSES,
  type State,
  user,
} from "./data.ts";
import { changedValues } from "./fields.ts";

/** https://developer.zendesk.com/api-reference/introduction/requests/#422-unprocessable-entity */
const invalid = (field: string, description = "is invalid") =>
  reply(422, {
    error: "RecordInvalid",
    description: "Record validation errors",
    details: { [field]: [{ description }] },
  });

const PRIORITIES = ["low", "normal", "high", "urgent"];

type Sent = EmulatedRequest["body"];

/** Refuses fields that Zendesk does not accept. */
function check({ status = "new", priority = "low", assignee_id = me.id }: Sent): void {
  const valid = {
    status: STATUSES.includes(status),
    priority: PRIORITIES.includes(priority),
    assignee: [me.id, AGENT.id].includes(assignee_id),
  };
  checkFields(valid, invalid);
}

/** The user with this email address, who is new otherwise. */
function requesterOf({ name, email }: Sent, { users }: State): SandboxUser {
  const known = users.find((one) => one.email === email);
  if (known) return known;
  if (!name) refuse(invalid("requester", "Requester: Name:  is too short (minimum one characters)"));
  const added = user(users.at(-1)!.id + 1, name, email, "end-user");
  users.push(added);
  return added;
}

/** A comment by the user whose token is used; undefined if there is no text. */
function readComment(sent: Sent, nth: number, at: string): SandboxComment | undefined {
  const html = sent?.html_body ?? (sent?.body && `<p>${sent.body}</p>`);
  if (!html?.trim()) return undefined;
  return comment(9_000_000 + nth, me.id, `<div class="zd-comment" dir="auto">${html}</div>`, sent.public ?? true, at);
}

/** What a write answers. https://developer.zendesk.com/documentation/ticketing/reference-guides/ticket-audit-events-reference/ */
const written = (ticket: SandboxTicket, nth: number, events: object[]) => ({
  ticket: { ...ticket },
  audit: { id: 10_000_000 + nth, ticket_id: ticket.id, created_at: ticket.updated_at, author_id: me.id, events },
});

const commentEvent = ({ created_at: _, ...event }: SandboxComment) => event;

export function createTicket(sent: Sent, state: State): object {
  const { nth, at } = nextWrite(state);
  const now = toSecond(at);
  const first = readComment(sent?.comment, nth, now) ?? refuse(invalid("base", "Description: cannot be blank"));
  check(sent);
  const { subject = null, priority = null, status = "new", assignee_id = null, tags = [] } = sent;
  const last = state.tickets.at(-1)!;
  const id = last.id + 4;
  const ticket: SandboxTicket = {
    ...last,
    ...{ id, subject, priority, status, assignee_id, tags },
    url: `${HOST}/api/v2/tickets/${id}.json`,
    created_at: now,
    updated_at: now,
    type: null,
    description: first.body,
    requester_id: (sent.requester ? requesterOf(sent.requester, state) : me).id,
    submitter_id: me.id,
    is_public: first.public,
    custom_fields: changedValues(
      last.custom_fields.map(({ id }) => ({ id, value: null })),
      sent.custom_fields,
      invalid,
    ),
  };
  state.tickets.push(ticket);
  state.comments.set(id, [first]);
  return written(ticket, nth, [commentEvent(first)]);
}

export function changeTicket(ticket: SandboxTicket, sent: Sent, state: State): object {
  if (ticket.status === "closed") refuse(invalid("status", "Status: closed prevents ticket update"));
  check(sent ?? {});
  const custom_fields = changedValues(ticket.custom_fields, sent?.custom_fields, invalid);
  const { nth, at } = nextWrite(state);
  ticket.updated_at = toSecond(at);
  const added = readComment(sent?.comment, nth, ticket.updated_at);
  if (added) state.comments.get(ticket.id)!.push(added);
  const changes = sentFields(sent, ["subject", "status", "priority", "assignee_id", "tags"]);
  const events = Object.entries(changes).map(([field_name, value], index) => ({
    id: 11_000_000 + nth * 10 + index,
    type: "Change",
    field_name,
    value,
    previous_value: ticket[field_name as keyof typeof changes],
  }));
  Object.assign(ticket, changes, { custom_fields });
  return written(ticket, nth, [...(added ? [commentEvent(added)] : []), ...events]);
}
