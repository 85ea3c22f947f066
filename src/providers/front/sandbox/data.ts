// Shapes as the real API sends them: https://dev.frontapp.com/reference/conversations

import { awkwardTexts, hour, person, seeded, times } from "../../../emulator-kit/data.ts";
import { joinName, orNull } from "../../../provider-kit/contact.ts";

/** Links of real responses have the company's own host, not the one that was called. */
export const HOST = "https://sandbox.api.frontapp.com";
const COUNT = 318;

const at = (hours: number) => hour(hours).getTime() / 1000 + 0.25;

const teammate = (id: string, first_name: string, last_name: string, email: string) => ({
  _links: { self: `${HOST}/teammates/${id}`, related: { inboxes: `${HOST}/teammates/${id}/inboxes` } },
  id,
  email,
  username: first_name.toLowerCase(),
  first_name,
  last_name,
  is_admin: true,
  is_available: true,
  is_blocked: false,
  type: "user",
  custom_fields: {},
});
export type SandboxTeammate = ReturnType<typeof teammate>;

export const me = { _links: { self: `${HOST}/me` }, id: "cmp_6r55a", name: "Sandbox GmbH" };
const AGENT = teammate("tea_6r55a", "Zoë", "Müller", "zoe@example.com");
const OTHER_AGENT = teammate("tea_6r55b", "陽菜", "", "hina@example.com");
/** Who writes what an API token or an OAuth client writes. */
export const API_BOT = { ...teammate("tea_api01", "API", "", ""), type: "api" };

const contact = (id: string, name: string | null, handles: { handle: string; source: string }[]) => ({
  _links: {
    self: `${HOST}/contacts/${id}`,
    related: { notes: `${HOST}/contacts/${id}/notes`, conversations: `${HOST}/contacts/${id}/conversations` },
  },
  id,
  name,
  description: "",
  avatar_url: null,
  links: [] as string[],
  groups: [] as object[],
  lists: [] as object[],
  handles,
  custom_fields: {},
  is_private: false,
});
export type SandboxContact = ReturnType<typeof contact>;

const contacts = times(267, (index) => {
  const { given, family, email } = person(index);
  const handle = email ? { handle: email, source: "email" } : { handle: `+4922155500${index}`, source: "phone" };
  return contact(`crd_${(40_000 + index).toString(36)}`, orNull(joinName(given, family)), [handle]);
});

export const newContact = (id: string, name: string | null, email: string) =>
  contact(id, name, [{ handle: email, source: "email" }]);

export const recipient = ({ id, name, handles }: SandboxContact, role: string) => ({
  _links: { related: { contact: `${HOST}/contacts/${id}` as string | null } },
  name,
  handle: handles[0]!.handle,
  role,
});
export type SandboxRecipient = ReturnType<typeof recipient>;
/** Somebody without a contact. */
export const stranger = (handle: string, role: string): SandboxRecipient => ({
  _links: { related: { contact: null } },
  name: null,
  handle,
  role,
});

const tag = (id: string, name: string) => ({
  _links: { self: `${HOST}/tags/${id}`, related: { conversations: `${HOST}/tags/${id}/conversations`, owner: null } },
  id,
  name,
  description: null,
  highlight: null,
  is_private: false,
  is_visible_in_conversation_lists: true,
  created_at: at(0),
  updated_at: at(1),
});
export type SandboxTag = ReturnType<typeof tag>;
export const tags = ["größe", "upload", "VIP", ...times(118, (index) => `tag ${index}`)].map((name, index) =>
  tag(`tag_${(2_000 + index).toString(36)}`, name),
);

export const inboxes = ["inb_1", "inb_2"];

const channel = (id: string, inbox: string | null, is_private: boolean) => ({
  _links: { self: `${HOST}/channels/${id}`, related: { inbox: inbox && `${HOST}/inboxes/${inbox}` } },
  id,
  name: "Büro",
  address: `${id}@example.com`,
  type: "smtp",
  send_as: `${id}@example.com`,
  settings: { undo_send_time: 5, all_teammates_can_reply: true },
  is_private,
  is_valid: true,
});
/** The first is somebody's own, and the second has no inbox any more. */
export const channels = [
  channel("cha_1", "inb_2", true),
  channel("cha_2", null, false),
  channel("cha_3", "inb_1", false),
  channel("cha_4", "inb_2", false),
];

const escaped = (text: string) => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

/** HTML of e-mail clients and of Front's own editor. */
const BODIES = [
  "<div>My printer is <b>on fire</b>.<br>\r\nPlease&nbsp;help &amp; hurry.</div>",
  '<p>See <a href="https://example.com/guide?a=1&amp;b=2">the guide</a>:</p>\r\n<ol><li>Open it</li><li>Read it</li></ol>',
  "<blockquote>Who wrote this?</blockquote><p>I did, in <em>Köln</em>.</p><pre>ping 127.0.0.1</pre>",
  "",
  '<div><img src="/api/1/companies/sandbox/attachments/fire.png" alt="fire.png"></div>',
  ...awkwardTexts.map((text) => `<div dir="auto">${escaped(text)}</div>`),
];
const NOTES = ["Looks like a **real** fire,\r\nsee [the guide](https://example.com/guide).", "@zoë please", ""];

export interface MessageFields {
  id: string;
  uid: string;
  conversation: string;
  from: SandboxRecipient;
  author: SandboxTeammate | null;
  body: string;
  subject: string;
  created_at: number;
  draft_mode?: string | null;
}

export const message = ({ id, uid, conversation, from, author, body, subject, ...fields }: MessageFields) => ({
  _links: { self: `${HOST}/messages/${id}`, related: { conversation: `${HOST}/conversations/${conversation}` } },
  id,
  message_uid: uid,
  type: "email",
  is_inbound: author === null,
  draft_mode: fields.draft_mode ?? null,
  error_type: null,
  version: null,
  created_at: fields.created_at,
  subject,
  blurb: body.replace(/<[^>]*>/g, "").slice(0, 40),
  author,
  recipients: [from, stranger("support@example.com", author === null ? "to" : "from")],
  body,
  text: body.replace(/<[^>]*>/g, ""),
  attachments: [] as object[],
  signature: null,
  metadata: {},
});
export type SandboxMessage = ReturnType<typeof message>;

export const comment = (
  id: string,
  conversation: string,
  author: SandboxTeammate,
  body: string,
  posted_at: number,
) => ({
  _links: { self: `${HOST}/comments/${id}`, related: { conversation: `${HOST}/conversations/${conversation}` } },
  id,
  author,
  body,
  posted_at,
  attachments: [] as object[],
  is_pinned: false,
});
export type SandboxComment = ReturnType<typeof comment>;

export interface SandboxConversation {
  id: string;
  type: string;
  subject: string;
  status: string;
  status_id?: string;
  status_category?: string;
  assignee: SandboxTeammate | null;
  recipient: SandboxRecipient | null;
  tags: SandboxTag[];
  description?: string | null;
  due_at?: number | null;
  created_at: number;
  updated_at: number;
}

export const conversation = (fields: SandboxConversation) => ({
  _links: {
    self: `${HOST}/conversations/${fields.id}`,
    related: {
      messages: `${HOST}/conversations/${fields.id}/messages`,
      comments: `${HOST}/conversations/${fields.id}/comments`,
    },
  },
  ...fields,
  ticket_ids: [] as string[],
  links: [] as object[],
  custom_fields: {},
  is_private: false,
  scheduled_reminders: [] as object[],
  metadata: {},
});

export interface StoredConversation {
  conversation: ReturnType<typeof conversation>;
  /** Oldest first, like the comments. */
  messages: SandboxMessage[];
  comments: SandboxComment[];
}

const STATUSES = ["unassigned", "assigned", "archived", "assigned"] as const;
/** Of a company with ticketing; undefined for conversations from before. */
const STATUS_CATEGORIES = [undefined, "open", "waiting", "resolved"] as const;

/** The first conversation has long lists: more messages than a page has. */
const messageCount = (index: number) => (index === 0 ? 130 : 1 + (index % 4));
const commentCount = (index: number) => (index === 0 ? 120 : index % 3);

function stored(index: number, random: ReturnType<typeof seeded>): StoredConversation {
  const id = `cnv_${(1_000_000 + index * 7).toString(36)}`;
  const isTask = index % 19 === 18;
  const type = isTask ? "task" : index % 17 === 16 ? "discussion" : "conversation";
  const customer = contacts[index % contacts.length]!;
  // Most recently updated first.
  const updated = 2 * COUNT - index;
  const status = index % 29 === 28 ? "deleted" : STATUSES[index % STATUSES.length]!;
  const status_category = index === 0 ? undefined : STATUS_CATEGORIES[(index >> 2) % STATUS_CATEGORIES.length];
  const subject = index % 10 === 6 ? awkwardTexts[index % awkwardTexts.length]! : `Ticket ${index + 1}`;
  const messageOf = (place: number) =>
    message({
      id: `msg_${(2_000_000 + index * 1000 + place).toString(36)}`,
      uid: `${random.hex(16)}`,
      conversation: id,
      from: index % 13 === 12 ? stranger("@printer_fan", "from") : recipient(customer, place % 2 === 0 ? "from" : "to"),
      author: place % 2 === 0 ? null : AGENT,
      body: BODIES[(index + place) % BODIES.length]!,
      subject,
      created_at: at(updated - 300 + place),
      draft_mode: place % 23 === 21 ? "shared" : null,
    });
  return {
    messages: type === "conversation" ? times(messageCount(index), messageOf) : [],
    comments: times(commentCount(index), (place) =>
      comment(
        `com_${(3_000_000 + index * 1000 + place).toString(36)}`,
        id,
        place % 2 ? AGENT : OTHER_AGENT,
        NOTES[place % NOTES.length]!,
        at(updated - 200 + place),
      ),
    ),
    conversation: conversation({
      id,
      type,
      subject: index % 23 === 22 ? "" : subject,
      status,
      ...(status_category ? { status_id: `sts_${status_category}`, status_category } : {}),
      assignee: status === "assigned" ? random.pick([AGENT, OTHER_AGENT]) : null,
      recipient: type === "conversation" ? recipient(customer, "from") : null,
      tags: index % 5 === 0 ? tags.slice(0, 2) : [],
      ...(isTask ? { description: "Call *them* back.\r\nSoon.", due_at: null } : {}),
      created_at: at(updated - 301),
      updated_at: at(updated),
    }),
  };
}

export function makeState() {
  const random = seeded(31);
  return {
    /** Most recently updated first. */
    conversations: times(COUNT, (index) => stored(index, random)),
    // Copies, because contacts can be changed.
    contacts: contacts.map((one) => ({ ...one })),
    teammates: [AGENT, OTHER_AGENT],
    /** Of the next message, comment, conversation or contact. */
    nextId: 9_000_000,
  };
}
export type State = ReturnType<typeof makeState>;
