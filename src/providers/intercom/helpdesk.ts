import { decodeHTMLStrict } from "entities";
import { type Customer, type HelpdeskComment, type HelpdeskTicket, helpdesk } from "../../categories/helpdesk.ts";
import { invalidInput } from "../../contracts/fault.ts";
import type { CategoryImplementation, Context } from "../../contracts/provider.ts";
import type { Answer, Upstream } from "../../contracts/upstream.ts";
import { orNull } from "../../provider-kit/contact.ts";
import { implement, keepIf, list, one } from "../../provider-kit/implement.ts";
import { get, path, post, put, search } from "../../provider-kit/request.ts";
import { htmlToMarkdown } from "../../provider-kit/text/from-html.ts";
import { plainToMarkdown } from "../../provider-kit/text/plain.ts";
import { markdownToHtml } from "../../provider-kit/text/to-html.ts";
import { markdownToPlain } from "../../provider-kit/text/to-plain.ts";
import { firstTime, isoSeconds } from "../../provider-kit/time.ts";
import { byName, refuseFields } from "../../provider-kit/write.ts";

// Only the fields that are read. IDs are documented as text, but some are sent as numbers.
type Id = string | number;

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
interface Page {
  pages?: { next?: { starting_after?: string | null } | null } | null;
}
interface TicketPage extends Page {
  tickets: IntercomTicket[];
}
interface ContactPage extends Page {
  data: IntercomContact[];
}

/** Names are sent with the entities of HTML: `Phone &amp; SMS`. */
const nameOf = (name: string | null | undefined): string | null => orNull(name && decodeHTMLStrict(name));

const partsOf = ({ ticket_parts }: IntercomTicket): TicketPart[] => ticket_parts?.ticket_parts ?? [];

/** A ticket has only the IDs of its people; the names of those who have written in it are in its parts. */
function findAuthor(ticket: IntercomTicket, id: Id): Author {
  const part = partsOf(ticket).findLast(({ author }) => String(author?.id) === String(id));
  return part?.author ?? {};
}

function requesterOf(ticket: IntercomTicket): HelpdeskTicket["requester"] {
  const id = ticket.contacts?.contacts?.[0]?.id;
  if (id === undefined) return null;
  const { name, email } = findAuthor(ticket, id);
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

export function toTicket(ticket: IntercomTicket, { settings }: Pick<Context, "settings">): HelpdeskTicket {
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
    requester: requesterOf(ticket),
    assignee: assigneeOf(ticket),
    tags: [],
    url: pageOf(ticket.id, settings),
    created_at,
    updated_at: firstTime(isoSeconds(ticket.updated_at), created_at),
  };
}

const COMMENT_TYPES = new Set(["comment", "note", "quick_reply"]);

/**
 * Whether somebody wrote a part. The others are changes of the ticket, such as of its state or its assignee; one that
 * was made together with a reply has the text of the reply.
 */
const isWritten = ({ part_type, body }: TicketPart) => COMMENT_TYPES.has(part_type) || Boolean(body);

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

/** The last page has no `next`. */
const nextOf = ({ body }: Answer<Page>) => body.pages?.next?.starting_after;

const DAY = 86_400;

/**
 * Tickets can only be searched, so a list is a search that all of them match. A search for a time may be one for the
 * days after the day of that time, as documented for contacts, so it starts one day earlier.
 */
const matchAll = (updatedSince: string | undefined) =>
  updatedSince
    ? { field: "updated_at", operator: ">", value: Math.floor(Date.parse(updatedSince) / 1000) - DAY }
    : { field: "created_at", operator: ">", value: 0 };

const PROVIDER = { provider: "Intercom" };

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

export const operations: CategoryImplementation<typeof helpdesk.operations> = {
  listTickets: list({
    maxPageSize: 150,
    filtersUpdatedSince: true,
    items: (body: TicketPage) => body.tickets,
    next: nextOf,
    request: ({ input, limit, cursor }) =>
      search(
        "/tickets/search",
        { query: matchAll(input.updated_since), sort: { field: "created_at", order: "ascending" } },
        { pagination: { per_page: limit, starting_after: cursor } },
      ),
    record: toTicket,
  }),

  getTicket: one({
    request: ({ input }) => get(path`/tickets/${input.ticket_id}`),
    record: toTicket,
  }),

  createTicket: one({
    async load({ input, upstream }) {
      refuseFields(input, ["priority", "tags"], PROVIDER);
      const { subject, description, requester } = input;
      const request = post("/tickets", {
        ticket_type_id: await customerTicketType(upstream),
        // Somebody whom Intercom does not know becomes a contact without a name.
        contacts: [{ email: requester.email }],
        ticket_attributes: { _default_title_: subject, _default_description_: markdownToPlain(description) },
      });
      return (await upstream<IntercomTicket>(request)).body;
    },
    record: toTicket,
  }),

  updateTicket: one({
    async load({ input, upstream }) {
      refuseFields(input, ["priority", "tags"], PROVIDER);
      const { ticket_id, status, assignee_id } = input;
      const request = put(path`/tickets/${ticket_id}`, {
        ...(status !== undefined && { ticket_state_id: await findState(upstream, ticket_id, status) }),
        ...(assignee_id !== undefined && { assignee_id }),
      });
      return (await upstream<IntercomTicket>(request)).body;
    },
    record: toTicket,
  }),

  listComments: list({
    // There is no list of a ticket's parts: the ticket has them all, or the 500 newest.
    maxPageSize: 500,
    ignoresPageSize: true,
    items: (ticket: IntercomTicket) => keepIf(partsOf(ticket), isWritten),
    next: () => null,
    request: ({ input }) => get(path`/tickets/${input.ticket_id}`),
    record: toComment,
  }),

  createComment: one({
    async load({ input: { ticket_id, text, is_public = true }, upstream }) {
      const { id } = (await upstream<{ id: Id }>(get("/me"))).body;
      const request = post(path`/tickets/${ticket_id}/reply`, {
        message_type: is_public ? "comment" : "note",
        type: "admin",
        admin_id: String(id),
        // Only notes may be HTML.
        // https://developers.intercom.com/docs/references/rest-api/api.intercom.io/tickets/replyticket
        body: is_public ? markdownToPlain(text) : markdownToHtml(text),
      });
      return (await upstream<TicketPart>(request)).body;
    },
    record: toComment,
  }),

  listCustomers: list({
    maxPageSize: 150,
    items: (body: ContactPage) => body.data,
    next: nextOf,
    request: ({ limit, cursor }) => get("/contacts", {}, { per_page: limit, starting_after: cursor }),
    record: toCustomer,
  }),
};

export default implement(helpdesk, operations);
