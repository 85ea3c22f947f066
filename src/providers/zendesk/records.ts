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
  toText,
} from "../../provider-kit/index.ts";

// Only the fields that are read.
export interface ZendeskUser {
  id: number;
  name?: string | null;
  email?: string | null;
}
export interface ZendeskTicket {
  id: number;
  subject?: string | null;
  status: string;
  priority?: string | null;
  /** The first comment, which Zendesk turns from rich text into Markdown. */
  description?: string | null;
  requester_id?: number | null;
  assignee_id?: number | null;
  tags?: string[] | null;
  created_at: string;
  updated_at: string;
}
export interface ZendeskComment {
  id: number;
  body?: string | null;
  html_body?: string | null;
  public: boolean;
  author_id?: number | null;
  created_at?: string | null;
}
/** What a response has beside its records: the people in them, because of `include=users`. */
export interface SideLoaded {
  users?: ZendeskUser[] | null;
}

export interface OneTicket extends SideLoaded {
  ticket: ZendeskTicket;
}

/** Finds the side-loaded users of one response. */
type FindUser = (id: number | null | undefined) => ZendeskUser | undefined;
export function usersOf({ users }: SideLoaded): FindUser {
  const byId = new Map(users?.map((user) => [user.id, user]));
  return (id) => (id === null || id === undefined ? undefined : (byId.get(id) ?? { id }));
}

const toPerson = (user: ZendeskUser | undefined) => (user ? { id: String(user.id), name: orNull(user.name) } : null);

/** https://developer.zendesk.com/api-reference/ticketing/tickets/tickets/#json-format */
export const STATUS_CATEGORY: Record<string, HelpdeskTicket["status_category"]> = {
  new: "open",
  open: "open",
  pending: "pending",
  hold: "pending",
  solved: "solved",
  closed: "closed",
};

export function toTicket(
  ticket: ZendeskTicket,
  findUser: FindUser,
  { settings }: Pick<Context, "settings">,
): HelpdeskTicket {
  const requester = findUser(ticket.requester_id);
  return {
    id: String(ticket.id),
    subject: orNull(ticket.subject),
    description: toText(ticket.description),
    status: ticket.status,
    status_category: STATUS_CATEGORY[ticket.status] ?? "open",
    priority: orNull(ticket.priority),
    requester: requester
      ? { id: String(requester.id), name: orNull(requester.name), email: orNull(requester.email) }
      : null,
    assignee: toPerson(findUser(ticket.assignee_id)),
    tags: ticket.tags ?? [],
    // The ticket's own `url` is its API address; this is the page for agents.
    url: `https://${settings.subdomain}.zendesk.com/agent/tickets/${ticket.id}`,
    created_at: firstTime(ticket.created_at),
    updated_at: firstTime(ticket.updated_at, ticket.created_at),
  };
}

/** Comments of Zendesk itself have this author, which is not a user. */
const SYSTEM_AUTHOR = -1;

export const toComment = (comment: ZendeskComment, findUser: FindUser): HelpdeskComment => ({
  id: String(comment.id),
  text: htmlToMarkdown(comment.html_body) ?? toText(comment.body),
  is_public: comment.public,
  author: comment.author_id === SYSTEM_AUTHOR ? null : toPerson(findUser(comment.author_id)),
  created_at: isoTime(comment.created_at),
});

export const toCustomer = ({ id, name, email }: ZendeskUser): Customer => ({
  id: String(id),
  name: orNull(name),
  email: orNull(email),
});

/** https://developer.zendesk.com/documentation/ticketing/using-the-zendesk-api/side_loading/ */
export const WITH_USERS = { include: "users" };

export const ticketRequest = (id: string | number) => get(path`/tickets/${id}`, WITH_USERS);

export const ticketOf = ({ ticket }: OneTicket) => ticket;

export const fromOneTicket = (body: OneTicket, context: Pick<Context, "settings">) =>
  toTicket(body.ticket, usersOf(body), context);
