import type { EmulatedReply } from "../../../contracts/emulator.ts";
import { reply } from "../../../emulator-kit/emulator.ts";
import {
  AGENT,
  HOST,
  me,
  now,
  plain,
  type SandboxComment,
  type SandboxTicket,
  type SandboxUser,
  STATUSES,
  type State,
  user,
} from "./data.ts";

/** https://developer.zendesk.com/api-reference/introduction/requests/#422-unprocessable-entity */
const invalid = (field: string, description: string) =>
  reply(422, {
    error: "RecordInvalid",
    description: "Record validation errors",
    details: { [field]: [{ description }] },
  });

const PRIORITIES = ["low", "normal", "high", "urgent"];

// biome-ignore lint/suspicious/noExplicitAny: a client may send anything
type Sent = any;

/** What Zendesk does not accept in the fields that are sent. */
function refusal(sent: Sent): EmulatedReply | undefined {
  if (sent.status !== undefined && !STATUSES.includes(sent.status))
    return invalid("status", `Status: ${sent.status} is not a valid status`);
  if (sent.priority !== undefined && !PRIORITIES.includes(sent.priority))
    return invalid("priority", "Priority: is not included in the list");
  if (sent.assignee_id !== undefined && ![me.id, AGENT.id].includes(sent.assignee_id))
    return invalid("assignee", "Assignee: is invalid");
  return undefined;
}

/** The user with this email address, who is new otherwise; nobody if a new user has no name. */
function requesterOf({ name, email }: Sent, { users }: State): SandboxUser | undefined {
  const known = users.find((one) => one.email === email);
  if (known || !name) return known;
  const added = user(users.at(-1)!.id + 1, name, email, "end-user");
  users.push(added);
  return added;
}

const isFilled = (text: unknown) => typeof text === "string" && text.trim() !== "";

/** A comment by the user whose token is used. */
function addComment(sent: Sent, ticketId: number, at: string, state: State): SandboxComment {
  const html: string = sent.html_body ?? `<p>${sent.body}</p>`;
  const comment: SandboxComment = {
    id: 9_000_000 + state.writes,
    type: "Comment",
    author_id: me.id,
    body: plain(html),
    html_body: `<div class="zd-comment" dir="auto">${html}</div>`,
    plain_body: plain(html),
    public: sent.public ?? true,
    attachments: [],
    audit_id: 9_500_000 + state.writes,
    via: { channel: "api", source: { from: {}, to: {}, rel: null } },
    created_at: at,
    metadata: { system: {}, custom: {} },
  };
  state.comments[ticketId] = [...(state.comments[ticketId] ?? []), comment];
  return comment;
}

/** https://developer.zendesk.com/documentation/ticketing/reference-guides/ticket-audit-events-reference/ */
const auditOf = (ticketId: number, at: string, events: object[], { writes }: State) => ({
  id: 9_500_000 + writes,
  ticket_id: ticketId,
  created_at: at,
  author_id: me.id,
  metadata: { system: {}, custom: {} },
  via: { channel: "api", source: { from: {}, to: {}, rel: null } },
  events,
});

const commentEvent = ({ id, type, author_id, body, html_body, plain_body, ...comment }: SandboxComment) => ({
  ...{ id, type, author_id, body, html_body, plain_body },
  public: comment.public,
  attachments: comment.attachments,
  audit_id: comment.audit_id,
});

export function createTicket(sent: Sent, state: State): EmulatedReply {
  if (!isFilled(sent?.comment?.html_body ?? sent?.comment?.body))
    return invalid("base", "Description: cannot be blank");
  const refused = refusal(sent);
  if (refused) return refused;
  const requester = sent.requester ? requesterOf(sent.requester, state) : me;
  if (!requester) return invalid("requester", "Requester: Name:  is too short (minimum one characters)");
  const at = now(state);
  const last = state.tickets.at(-1)!;
  const id = last.id + 4;
  const comment = addComment(sent.comment, id, at, state);
  const ticket: SandboxTicket = {
    ...last,
    id,
    url: `${HOST}/api/v2/tickets/${id}.json`,
    via: { channel: "api", source: { from: {}, to: {}, rel: null } },
    created_at: at,
    updated_at: at,
    generated_timestamp: Date.parse(at) / 1000,
    type: null,
    subject: sent.subject ?? null,
    raw_subject: sent.subject ?? null,
    description: comment.body,
    priority: sent.priority ?? null,
    status: sent.status ?? "new",
    requester_id: requester.id,
    submitter_id: me.id,
    assignee_id: sent.assignee_id ?? null,
    is_public: comment.public,
    tags: sent.tags ?? [],
    custom_status_id: 1_234_567,
  };
  state.tickets.push(ticket);
  return reply(201, { ticket: { ...ticket }, audit: auditOf(id, at, [commentEvent(comment)], state) });
}

const CHANGEABLE = ["subject", "status", "priority", "assignee_id", "tags", "type"] as const;

export function changeTicket(ticket: SandboxTicket, sent: Sent, state: State): EmulatedReply {
  if (ticket.status === "closed") return invalid("status", "Status: closed prevents ticket update");
  const refused = refusal(sent ?? {});
  if (refused) return refused;
  const at = now(state);
  const events: object[] = [];
  if (isFilled(sent?.comment?.html_body ?? sent?.comment?.body))
    events.push(commentEvent(addComment(sent.comment, ticket.id, at, state)));
  for (const field of CHANGEABLE)
    if (sent?.[field] !== undefined && sent[field] !== ticket[field]) {
      events.push({
        id: 9_600_000 + state.writes * 10 + events.length,
        type: "Change",
        field_name: field,
        value: sent[field],
        previous_value: ticket[field],
      });
      Object.assign(ticket, { [field]: sent[field] });
    }
  ticket.updated_at = at;
  return reply(200, { ticket: { ...ticket }, audit: auditOf(ticket.id, at, events, state) });
}
