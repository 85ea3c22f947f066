import {
  type Customer,
  firstTime,
  type HelpdeskComment,
  type HelpdeskTicket,
  htmlToMarkdown,
  isoTime,
  joinName,
  orNull,
} from "../../provider-kit/index.ts";
import type { FieldValue } from "./custom-fields.ts";

// Only the fields that are read.
export interface HelpScoutPerson {
  id?: number | null;
  first?: string | null;
  last?: string | null;
  email?: string | null;
}
export interface HelpScoutThread {
  id: number;
  /** `customer`, `message`, `note`, `lineitem`, `chat`, `phone`, … */
  type: string;
  /** `published`, `draft`, `hidden` or `review`. */
  state?: string | null;
  /** HTML. */
  body?: string | null;
  createdBy?: HelpScoutPerson | null;
  createdAt?: string | null;
}
export interface HelpScoutConversation {
  id: number;
  number: number;
  subject?: string | null;
  status: string;
  /** `published`, `draft` or `deleted`. */
  state?: string | null;
  primaryCustomer?: HelpScoutPerson | null;
  assignee?: HelpScoutPerson | null;
  tags?: { tag: string }[] | null;
  customFields?: FieldValue[] | null;
  createdAt: string;
  /** By a user of Help Scout, not by a customer. */
  userUpdatedAt?: string | null;
  /** Because of `embed=threads`. */
  _embedded?: { threads?: HelpScoutThread[] | null } | null;
  _links?: { web?: { href?: string | null } | null } | null;
}
export interface HelpScoutCustomer {
  id: number;
  firstName?: string | null;
  lastName?: string | null;
  _embedded?: { emails?: { value?: string | null }[] | null } | null;
}

/** https://developer.helpscout.com/mailbox-api/endpoints/conversations/list/ */
const STATUS_CATEGORY: Record<string, HelpdeskTicket["status_category"]> = {
  active: "open",
  open: "open",
  pending: "pending",
  closed: "closed",
  spam: "closed",
};

/** Threads that customers do not see. A forwarded conversation goes to somebody else. */
const INTERNAL = new Set(["note", "forwardparent", "forwardchild"]);

const isPublished = ({ state }: HelpScoutThread): boolean => (state ?? "published") === "published";

/** A line item is a change of the conversation, and has no text. */
export const isComment = (thread: HelpScoutThread): boolean => thread.type !== "lineitem" && isPublished(thread);

/** Times are whole seconds, and IDs count up. */
const isOlder = (a: HelpScoutThread, b: HelpScoutThread) => {
  const [first, second] = [isoTime(a.createdAt) ?? "", isoTime(b.createdAt) ?? ""];
  return first === second ? a.id < b.id : first < second;
};

/** The oldest thread that the customer wrote or got: the order of embedded threads is not documented. */
function firstMessage({ _embedded }: HelpScoutConversation): HelpScoutThread | undefined {
  return _embedded?.threads
    ?.filter((thread) => isComment(thread) && !INTERNAL.has(thread.type))
    .reduce<HelpScoutThread | undefined>(
      (oldest, thread) => (oldest && isOlder(oldest, thread) ? oldest : thread),
      undefined,
    );
}

/** No response has the time of the last change of any kind: that of the last thread counts as well as the last user's. */
function updatedAt({ createdAt, userUpdatedAt, _embedded }: HelpScoutConversation): string {
  const threads = _embedded?.threads?.filter(isPublished).map((thread) => thread.createdAt) ?? [];
  const times = [userUpdatedAt, ...threads].map((time) => isoTime(time) ?? "");
  return firstTime(times.sort().at(-1), createdAt);
}

const idOf = ({ id }: HelpScoutPerson) => (id ? String(id) : null);
const nameOf = ({ first, last }: HelpScoutPerson) => orNull(joinName(first, last));

/** Without an ID it is nobody. */
function toPerson(person: HelpScoutPerson | null | undefined) {
  const id = person && idOf(person);
  return person && id ? { id, name: nameOf(person) } : null;
}

export const toTicket = (conversation: HelpScoutConversation): HelpdeskTicket => ({
  id: String(conversation.id),
  subject: orNull(conversation.subject),
  description: htmlToMarkdown(firstMessage(conversation)?.body),
  status: conversation.status,
  status_category: STATUS_CATEGORY[conversation.status] ?? "open",
  // Help Scout has no priorities.
  priority: null,
  requester: conversation.primaryCustomer
    ? {
        id: idOf(conversation.primaryCustomer),
        name: nameOf(conversation.primaryCustomer),
        email: orNull(conversation.primaryCustomer.email),
      }
    : null,
  assignee: toPerson(conversation.assignee),
  tags: conversation.tags?.map(({ tag }) => tag) ?? [],
  url:
    conversation._links?.web?.href ??
    `https://secure.helpscout.net/conversation/${conversation.id}/${conversation.number}`,
  created_at: firstTime(conversation.createdAt),
  updated_at: updatedAt(conversation),
});

export const toComment = (thread: HelpScoutThread): HelpdeskComment => ({
  id: String(thread.id),
  text: htmlToMarkdown(thread.body),
  is_public: !INTERNAL.has(thread.type),
  author: toPerson(thread.createdBy),
  created_at: isoTime(thread.createdAt),
});

export const toCustomer = ({ id, firstName, lastName, _embedded }: HelpScoutCustomer): Customer => ({
  id: String(id),
  name: orNull(joinName(firstName, lastName)),
  email: orNull(_embedded?.emails?.[0]?.value),
});
