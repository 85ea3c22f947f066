import {
  type Context,
  type Customer,
  firstTime,
  get,
  type HelpdeskComment,
  type HelpdeskTicket,
  htmlToMarkdown,
  isoTime,
  orNull,
  path,
  plainToMarkdown,
} from "../../provider-kit/index.ts";

// Only the fields that are read.
export interface FreshdeskTicket {
  id: number;
  subject?: string | null;
  /** HTML. */
  description?: string | null;
  description_text?: string | null;
  status: number;
  priority?: number | null;
  requester_id?: number | null;
  /** Because of `include=requester`. */
  requester?: FreshdeskContact | null;
  responder_id?: number | null;
  tags?: string[] | null;
  created_at: string;
  updated_at?: string | null;
}
export interface FreshdeskConversation {
  id: number;
  /** HTML. */
  body?: string | null;
  body_text?: string | null;
  private?: boolean | null;
  user_id?: number | null;
  created_at?: string | null;
}
export interface FreshdeskContact {
  id: number;
  name?: string | null;
  email?: string | null;
}

export interface Choice {
  value: number;
  name: string;
}

/** An account may have others of its own. https://developers.freshdesk.com/api/#ticket-properties */
export const STATUSES: (Choice & { category: HelpdeskTicket["status_category"] })[] = [
  { value: 2, name: "Open", category: "open" },
  { value: 3, name: "Pending", category: "pending" },
  { value: 4, name: "Resolved", category: "solved" },
  { value: 5, name: "Closed", category: "closed" },
];

export const PRIORITIES: Choice[] = [
  { value: 1, name: "Low" },
  { value: 2, name: "Medium" },
  { value: 3, name: "High" },
  { value: 4, name: "Urgent" },
];

/** The name of a value; for one of the account's own, its number. */
const nameIn = (choices: Choice[], number: number): string =>
  choices.find(({ value }) => value === number)?.name ?? String(number);

const toPerson = (id: number | null | undefined) =>
  id === null || id === undefined ? null : { id: String(id), name: null };

function requesterOf({ requester_id, requester }: FreshdeskTicket): HelpdeskTicket["requester"] {
  const id = requester?.id ?? requester_id;
  if (id === null || id === undefined) return null;
  return { id: String(id), name: orNull(requester?.name), email: orNull(requester?.email) };
}

const toText = (html: string | null | undefined, plain: string | null | undefined): string | null =>
  htmlToMarkdown(html) ?? plainToMarkdown(plain);

export function toTicket(ticket: FreshdeskTicket, { settings }: Pick<Context, "settings">): HelpdeskTicket {
  const { id, status, priority } = ticket;
  return {
    id: String(id),
    subject: orNull(ticket.subject),
    description: toText(ticket.description, ticket.description_text),
    status: nameIn(STATUSES, status),
    status_category: STATUSES.find(({ value }) => value === status)?.category ?? "open",
    priority: priority === null || priority === undefined ? null : nameIn(PRIORITIES, priority),
    requester: requesterOf(ticket),
    assignee: toPerson(ticket.responder_id),
    tags: ticket.tags ?? [],
    url: `https://${settings.subdomain}.freshdesk.com/a/tickets/${id}`,
    created_at: firstTime(ticket.created_at),
    updated_at: firstTime(ticket.updated_at, ticket.created_at),
  };
}

export const toComment = (conversation: FreshdeskConversation): HelpdeskComment => ({
  id: String(conversation.id),
  text: toText(conversation.body, conversation.body_text),
  is_public: !conversation.private,
  author: toPerson(conversation.user_id),
  created_at: isoTime(conversation.created_at),
});

export const toCustomer = ({ id, name, email }: FreshdeskContact): Customer => ({
  id: String(id),
  name: orNull(name),
  email: orNull(email),
});

export const ticketRequest = (id: string | number) => get(path`/tickets/${id}`, { include: "requester" });
