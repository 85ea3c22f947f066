// Shapes as the real API sends them: https://dev.frontapp.com/reference/conversations
import { awkwardTexts, hour, inHtml, person, seeded, times } from "../../../emulator-kit/index.ts";
import { joinName, orNull } from "../../../provider-kit/index.ts";
import { ownValues, type Values } from "./fields.ts";

/** Links of real responses have the company's own host, not the one that was called. */
export const HOST = "https://sandbox.api.frontapp.com";
const COUNT = 318;

const at = (hours: number) => hour(hours).getTime() / 1000 + 0.25;

/** An ID with the links that a record has. */
const linked = <Related extends object>(kind: string, id: string, related: Related) => ({
  _links: { self: `${HOST}/${kind}/${id}`, related },
  id,
});

const teammate = (id: string, first_name: string, last_name: string, email: string, type = "user") => ({
  ...linked("teammates", id, { inboxes: `${HOST}/teammates/${id}/inboxes` }),
  email,
  username: first_name.toLowerCase(),
  first_name,
  last_name,
  is_admin: true,
  is_available: true,
  is_blocked: false,
  type,
  custom_fields: {},
});
type SandboxTeammate = ReturnType<typeof teammate>;

export const me = { _links: { self: `${HOST}/me` }, id: "cmp_6r55a", name: "Sandbox GmbH" };
const AGENT = teammate("tea_6r55a", "Zoë", "Müller", "zoe@example.com");
const OTHER_AGENT = teammate("tea_6r55b", "陽菜", "", "hina@example.com");
export const teammates = [AGENT, OTHER_AGENT];
/** Who writes what an API token or an OAuth client writes. */
export const API_BOT = teammate("tea_api01", "API", "", "", "api");

export const contact = (
  id: string,
  name: string | null,
  handle: string,
  source = "email",
  custom_fields: Values = {},
) => ({
  ...linked("contacts", id, { conversations: `${HOST}/contacts/${id}/conversations` }),
  name,
  handles: [{ handle, source }],
  custom_fields,
});
type SandboxContact = ReturnType<typeof contact>;

const contacts = times(267, (index) => {
  const { given, family, email } = person(index);
  const id = `crd_${(40_000 + index).toString(36)}`;
  const name = orNull(joinName(given, family));
  const own = ownValues(index);
  return email ? contact(id, name, email, "email", own) : contact(id, name, `+4922155500${index}`, "phone", own);
});

export const recipient = ({ id, name, handles }: SandboxContact, role: string) => ({
  _links: { related: { contact: `${HOST}/contacts/${id}` as string | null } },
  name,
  handle: handles[0]!.handle,
  role,
});
type SandboxRecipient = ReturnType<typeof recipient>;
/** Somebody without a contact. */
export const stranger = (handle: string, role: string): SandboxRecipient => ({
  _links: { related: { contact: null } },
  name: null,
  handle,
  role,
});

const tagNames = ["größe", "upload", "VIP", ...times(118, (index) => `tag ${index}`)];
export const tags = tagNames.map((name, index) => ({
  ...linked("tags", `tag_${(2_000 + index).toString(36)}`, { owner: null }),
  name,
  description: null,
  highlight: null,
  is_private: false,
  is_visible_in_conversation_lists: true,
}));

export const inboxes = ["inb_1", "inb_2"];

const channel = (id: string, inbox: string | null, is_private: boolean) => ({
  ...linked("channels", id, { inbox: inbox && `${HOST}/inboxes/${inbox}` }),
  name: "Büro",
  address: `${id}@example.com`,
  type: "smtp",
  settings: {},
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

/** HTML of e-mail clients and of Front's own editor. */
const BODIES = [
  "<div>My printer is <b>on fire</b>.<br>\r\nPlease&nbsp;help &amp; hurry.</div>",
  '<p>See <a href="https://example.com/guide?a=1&amp;b=2">the guide</a>:</p>\r\n<ol><li>Open it</li><li>Read it</li></ol>',
  "<blockquote>Who wrote this?</blockquote><p>I did, in <em>Köln</em>.</p><pre>ping 127.0.0.1</pre>",
  "",
  '<div><img src="/api/1/companies/sandbox/attachments/fire.png" alt="fire.png"></div>',
  ...awkwardTexts.map((text) => `<div dir="auto">${inHtml(text)}</div>`),
];
const NOTES = ["Looks like a **real** fire,\r\nsee [the guide](https://example.com/guide).", "@zoë please", ""];

interface MessageFields {
  id: string;
  message_uid: string;
  author: SandboxTeammate | null;
  body: string;
  created_at: number;
  draft_mode?: string;
}

/** A message to or from a customer. */
export const message = (
  conversation: { id: string; subject: string },
  customer: SandboxRecipient,
  { id, ...fields }: MessageFields,
) => ({
  ...linked("messages", id, { conversation: `${HOST}/conversations/${conversation.id}` }),
  type: "email",
  is_inbound: fields.author === null,
  draft_mode: null,
  subject: conversation.subject,
  recipients: [customer, stranger("support@example.com", fields.author === null ? "to" : "from")],
  text: fields.body.replace(/<[^>]*>/g, ""),
  attachments: [],
  ...fields,
});

export const comment = (
  id: string,
  conversation: string,
  author: SandboxTeammate,
  body: string,
  posted_at: number,
) => ({
  ...linked("comments", id, { conversation: `${HOST}/conversations/${conversation}` }),
  author,
  body,
  posted_at,
  attachments: [],
  is_pinned: false,
});

interface ConversationFields {
  id: string;
  type: string;
  subject: string;
  status: string;
  status_id?: string;
  status_category?: string;
  assignee: SandboxTeammate | null;
  recipient: SandboxRecipient | null;
  tags: typeof tags;
  description?: string;
  custom_fields?: Values;
  due_at?: null;
  created_at: number;
  updated_at: number;
  /** Oldest first, like the comments. They are lists of their own. */
  messages: ReturnType<typeof message>[];
  comments: ReturnType<typeof comment>[];
}

export const conversation = ({ id, ...fields }: ConversationFields) => ({
  ...linked("conversations", id, { messages: `${HOST}/conversations/${id}/messages` }),
  custom_fields: {} as Values,
  ...fields,
  ticket_ids: [],
  links: [],
  is_private: false,
  scheduled_reminders: [],
  metadata: {},
});
export type Conversation = ReturnType<typeof conversation>;

const STATUSES = ["unassigned", "assigned", "archived", "assigned"] as const;
/** Of a company with ticketing; undefined for conversations from before. */
const STATUS_CATEGORIES = [undefined, "open", "waiting", "resolved"] as const;

/** The first conversation has long lists: more messages than a page has. */
const messageCount = (index: number) => (index === 0 ? 130 : 1 + (index % 4));
const commentCount = (index: number) => (index === 0 ? 120 : index % 3);

function madeUpConversation(index: number, random: ReturnType<typeof seeded>): Conversation {
  const id = `cnv_${(1_000_000 + index * 7).toString(36)}`;
  const isTask = index % 19 === 18;
  const type = isTask ? "task" : index % 17 === 16 ? "discussion" : "conversation";
  const customer = contacts[index % contacts.length]!;
  // Most recently updated first.
  const updated = 2 * COUNT - index;
  const status = index % 29 === 28 ? "deleted" : STATUSES[index % STATUSES.length]!;
  const status_category = index === 0 ? undefined : STATUS_CATEGORIES[(index >> 2) % STATUS_CATEGORIES.length];
  const subject = index % 10 === 6 ? awkwardTexts[index % awkwardTexts.length]! : `Ticket ${index + 1}`;
  const messageAt = (place: number) => {
    const role = place % 2 === 0 ? "from" : "to";
    return message({ id, subject }, index % 13 === 12 ? stranger("@printer_fan", "from") : recipient(customer, role), {
      id: `msg_${(2_000_000 + index * 1000 + place).toString(36)}`,
      message_uid: random.hex(16),
      author: place % 2 === 0 ? null : AGENT,
      body: BODIES[(index + place) % BODIES.length]!,
      created_at: at(updated - 300 + place),
      ...(place % 23 === 21 && { draft_mode: "shared" }),
    });
  };
  const commentAt = (place: number) => {
    const commentId = `com_${(3_000_000 + index * 1000 + place).toString(36)}`;
    const author = place % 2 ? AGENT : OTHER_AGENT;
    return comment(commentId, id, author, NOTES[place % NOTES.length]!, at(updated - 200 + place));
  };
  return conversation({
    id,
    type,
    subject: index % 23 === 22 ? "" : subject,
    status,
    ...(status_category && { status_id: `sts_${status_category}`, status_category }),
    messages: type === "conversation" ? times(messageCount(index), messageAt) : [],
    comments: times(commentCount(index), commentAt),
    assignee: status === "assigned" ? random.pick(teammates) : null,
    recipient: type === "conversation" ? recipient(customer, "from") : null,
    tags: index % 5 === 0 ? tags.slice(0, 2) : [],
    ...(isTask && { description: "Call *them* back.\r\nSoon.", due_at: null }),
    custom_fields: ownValues(index),
    created_at: at(updated - 301),
    updated_at: at(updated),
  });
}

export function makeState() {
  const random = seeded(31);
  return {
    /** Most recently updated first. */
    conversations: times(COUNT, (index) => madeUpConversation(index, random)),
    // Copies, because contacts can be changed.
    contacts: contacts.map((one) => ({ ...one })),
    /** Of the next message, comment, conversation or contact. */
    nextId: 9_000_000,
  };
}
export type State = ReturnType<typeof makeState>;
