import {
  type Customer,
  firstTime,
  type HelpdeskComment,
  type HelpdeskTicket,
  htmlToMarkdown,
  isoSeconds,
  joinName,
  orNull,
  plainToMarkdown,
  toText,
} from "../../provider-kit/index.ts";

// Only the fields that are read. Times are seconds since 1970, with a fraction.
export interface FrontTeammate {
  id: string;
  first_name?: string | null;
  last_name?: string | null;
}
export interface FrontRecipient {
  name?: string | null;
  handle?: string | null;
  role?: string | null;
  _links?: { related?: { contact?: string | null } | null } | null;
}
export interface FrontConversation {
  id: string;
  type?: string | null;
  subject?: string | null;
  status: string;
  /** Only if the company has ticketing. */
  status_category?: string | null;
  assignee?: FrontTeammate | null;
  recipient?: FrontRecipient | null;
  tags?: { name: string }[] | null;
  /** Only of a task; plain text. */
  description?: string | null;
  custom_fields?: Record<string, unknown> | null;
  created_at?: number | null;
  updated_at?: number | null;
}
export interface FrontMessage {
  id: string;
  is_inbound?: boolean | null;
  /** Set if it has not been sent. */
  draft_mode?: string | null;
  /** HTML. */
  body?: string | null;
  text?: string | null;
  /** A teammate; null if it was received. */
  author?: FrontTeammate | null;
  recipients?: FrontRecipient[] | null;
  created_at?: number | null;
  _links?: { related?: { conversation?: string | null } | null } | null;
}
export interface FrontComment {
  id: string;
  /** Markdown. */
  body?: string | null;
  author?: FrontTeammate | null;
  posted_at?: number | null;
}
export interface FrontContact {
  id: string;
  name?: string | null;
  handles?: { handle: string; source: string }[] | null;
}

/** The ID at the end of a link: `https://company.api.frontapp.com/contacts/crd_1` */
export const linkedId = (link: string | null | undefined): string | null => orNull(link?.split("/").pop());

/** A handle may also be a phone number or a name on a social network. */
const emailOf = (handle: string | null | undefined) => (handle?.includes("@", 1) ? handle : null);

const nameOf = ({ first_name, last_name }: FrontTeammate) => orNull(joinName(first_name, last_name));
const toTeammate = (teammate: FrontTeammate | null | undefined) =>
  teammate ? { id: teammate.id, name: nameOf(teammate) } : null;

const OF_STATUS_CATEGORY: Record<string, HelpdeskTicket["status_category"]> = {
  open: "open",
  waiting: "pending",
  resolved: "solved",
};
const OF_STATUS: Record<string, HelpdeskTicket["status_category"]> = {
  assigned: "open",
  unassigned: "open",
  archived: "closed",
  deleted: "closed",
};

export const toTicket = (conversation: FrontConversation): HelpdeskTicket => ({
  id: conversation.id,
  subject: orNull(conversation.subject),
  description: plainToMarkdown(conversation.description),
  status: conversation.status,
  status_category: OF_STATUS_CATEGORY[conversation.status_category ?? ""] ?? OF_STATUS[conversation.status] ?? "open",
  // Front has no priorities.
  priority: null,
  requester: conversation.recipient
    ? {
        id: linkedId(conversation.recipient._links?.related?.contact),
        name: orNull(conversation.recipient.name),
        email: emailOf(conversation.recipient.handle),
      }
    : null,
  assignee: toTeammate(conversation.assignee),
  tags: conversation.tags?.map(({ name }) => name) ?? [],
  // https://dev.frontapp.com/docs/context-link
  url: `https://app.frontapp.com/open/${conversation.id}`,
  created_at: firstTime(isoSeconds(conversation.created_at)),
  updated_at: firstTime(isoSeconds(conversation.updated_at), isoSeconds(conversation.created_at)),
});

/** Discussions have no customer, and what is deleted is in the trash. */
export const isTicket = ({ type, status }: FrontConversation): boolean => type !== "discussion" && status !== "deleted";

/** Who wrote a message: a teammate, otherwise the person whose message was received. */
function authorOf({ author, recipients }: FrontMessage) {
  if (author) return toTeammate(author);
  const sender = recipients?.find(({ role }) => role === "from");
  const id = linkedId(sender?._links?.related?.contact);
  return sender && id ? { id, name: orNull(sender.name) } : null;
}

export const isSent = ({ draft_mode }: FrontMessage): boolean => !draft_mode;

export const messageToComment = (message: FrontMessage): HelpdeskComment => ({
  id: message.id,
  text: htmlToMarkdown(message.body) ?? plainToMarkdown(message.text),
  is_public: true,
  author: authorOf(message),
  created_at: isoSeconds(message.created_at),
});

export const toComment = (comment: FrontComment): HelpdeskComment => ({
  id: comment.id,
  text: toText(comment.body),
  is_public: false,
  author: toTeammate(comment.author),
  created_at: isoSeconds(comment.posted_at),
});

export const toCustomer = ({ id, name, handles }: FrontContact): Customer => ({
  id,
  name: orNull(name),
  email: orNull(handles?.find(({ source }) => source === "email")?.handle),
});
