import {
  type Context,
  type Customer,
  decodeEntities,
  firstTime,
  type HelpdeskComment,
  type HelpdeskTicket,
  htmlToMarkdown,
  isoSeconds,
  orNull,
  plainToMarkdown,
} from "../../provider-kit/index.ts";

// Only the fields that are read. IDs are documented as text, but some are sent as numbers.
export type Id = string | number;

interface Author {
  id?: Id | null;
  name?: string | null;
  email?: string | null;
}
export interface TicketPart {
  id: Id;
  part_type: string;
  /** HTML. */
  body?: string | null;
  author?: Author | null;
  created_at?: number | null;
}
export interface IntercomTicket {
  /** Not `ticket_id`, which is the number that people see. */
  id: Id;
  /** Values by the names of the ticket type's attributes. */
  ticket_attributes?: Record<string, unknown> | null;
  ticket_type?: { id: Id } | null;
  ticket_state?: { category?: string | null; internal_label?: string | null } | null;
  open?: boolean | null;
  contacts?: { contacts?: { id: Id }[] | null } | null;
  admin_assignee_id?: Id | null;
  created_at: number;
  updated_at?: number | null;
  ticket_parts?: { ticket_parts?: TicketPart[] | null } | null;
}
export interface IntercomContact {
  id: Id;
  name?: string | null;
  email?: string | null;
}

/** Names are sent with the entities of HTML: `Phone &amp; SMS`. */
export const nameOf = (name: string | null | undefined): string | null => orNull(name && decodeEntities(name));

export const partsOf = ({ ticket_parts }: IntercomTicket): TicketPart[] => ticket_parts?.ticket_parts ?? [];

/** A ticket has only the IDs of its people; the names of those who have written in it are in its parts. */
function findAuthor(ticket: IntercomTicket, id: Id): Author {
  const part = partsOf(ticket).findLast(({ author }) => String(author?.id) === String(id));
  return part?.author ?? {};
}

function requesterOf(ticket: IntercomTicket, known: readonly IntercomContact[]): HelpdeskTicket["requester"] {
  const id = ticket.contacts?.contacts?.[0]?.id;
  if (id === undefined) return null;
  const { name, email } = known.find((contact) => String(contact.id) === String(id)) ?? findAuthor(ticket, id);
  return { id: String(id), name: nameOf(name), email: orNull(email) };
}

function assigneeOf(ticket: IntercomTicket): HelpdeskTicket["assignee"] {
  const id = String(ticket.admin_assignee_id ?? "0");
  // Nobody is assigned.
  if (id === "0" || id === "") return null;
  return { id, name: nameOf(findAuthor(ticket, id).name) };
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** A description is the text that was typed, or a document of HTML paragraphs: the API does not say which. */
const HTML_DOCUMENT = /^\s*<(?:p|div|ul|ol|h[1-6]|blockquote|pre|table)\b[^>]*>.*<\/\w+>\s*$/is;

const toDescription = (text: string | null): string | null =>
  text !== null && HTML_DOCUMENT.test(text) ? htmlToMarkdown(text) : plainToMarkdown(text);

/** https://developers.intercom.com/docs/references/rest-api/api.intercom.io/ticket-states */
const STATUS_CATEGORY: Record<string, HelpdeskTicket["status_category"]> = {
  submitted: "open",
  in_progress: "open",
  waiting_on_customer: "pending",
  resolved: "solved",
};

function categoryOf({ ticket_state, open }: IntercomTicket): HelpdeskTicket["status_category"] {
  const category = STATUS_CATEGORY[ticket_state?.category ?? ""] ?? "open";
  // Closed in the inbox without having been resolved.
  return open === false && category !== "solved" ? "closed" : category;
}

const REGION_HOSTS: Record<string, string> = { eu: "app.eu.intercom.com", au: "app.au.intercom.com" };

/** Responses have no address of the page in the inbox, where a ticket is a kind of conversation. */
const pageOf = (id: Id, { workspace = "_", region }: Context["settings"]): string =>
  `https://${REGION_HOSTS[region ?? ""] ?? "app.intercom.com"}/a/inbox/${workspace}/inbox/conversation/${id}`;

export function toTicket(
  ticket: IntercomTicket,
  { settings }: Pick<Context, "settings">,
  known: readonly IntercomContact[] = [],
): HelpdeskTicket {
  const { _default_title_: title, _default_description_: description } = ticket.ticket_attributes ?? {};
  const { category, internal_label } = ticket.ticket_state ?? {};
  const created_at = firstTime(isoSeconds(ticket.created_at));
  return {
    id: String(ticket.id),
    subject: nameOf(textOf(title)),
    description: toDescription(textOf(description)),
    status: nameOf(internal_label) ?? orNull(category) ?? (ticket.open === false ? "closed" : "open"),
    status_category: categoryOf(ticket),
    priority: null,
    requester: requesterOf(ticket, known),
    assignee: assigneeOf(ticket),
    tags: [],
    url: pageOf(ticket.id, settings),
    created_at,
    updated_at: firstTime(isoSeconds(ticket.updated_at), created_at),
  };
}

export const toComment = ({ id, part_type, body, author, created_at }: TicketPart): HelpdeskComment => ({
  id: String(id),
  text: htmlToMarkdown(body),
  is_public: !part_type.startsWith("note"),
  author: author?.id === null || author?.id === undefined ? null : { id: String(author.id), name: nameOf(author.name) },
  created_at: isoSeconds(created_at),
});

export const toCustomer = ({ id, name, email }: IntercomContact): Customer => ({
  id: String(id),
  name: nameOf(name),
  email: orNull(email),
});
