// Shapes as the real API sends them: https://developer.helpscout.com/mailbox-api/endpoints/conversations/get/
import { awkwardTexts, hour, person, seeded, times } from "../../../emulator-kit/data.ts";

const API = "https://api.helpscout.net/v2";
const COUNT = 306;

const STATUSES = ["active", "pending", "closed", "spam"] as const;

/** Without fractions of a second. */
export const time = (date: Date) => date.toISOString().replace(/\.\d+Z$/, "Z");
const at = (hours: number) => time(hour(hours));

export const link = (path: string) => ({ href: `${API}${path}` });

const user = (id: number, firstName: string, lastName: string, email: string) => ({
  id,
  firstName,
  lastName,
  email,
  role: "owner",
  timezone: "Europe/Berlin",
  photoUrl: `https://d33v4339jhl8k0.cloudfront.net/users/${id}.png`,
  createdAt: at(0),
  updatedAt: at(1),
  type: "user",
  _links: { self: link(`/users/${id}`) },
});
export type SandboxUser = ReturnType<typeof user>;

export const me = user(4, "Sandbox", "", "sandbox@example.com");
const AGENT = user(17, "Zoë", "Müller", "zoe@example.com");

export const mailboxes = ["Support", "Büro", "Billing"].map((name, index) => ({
  id: 85 + index,
  name,
  slug: `4bf9aa2d${index}`,
  email: `inbox-${index}@example.com`,
  createdAt: at(0),
  updatedAt: at(1),
  _links: { self: link(`/mailboxes/${85 + index}`) },
}));

export const customer = (
  id: number,
  { firstName, lastName, email }: { firstName: string | null; lastName: string | null; email: string | null },
  modified: string,
) => ({
  id,
  firstName,
  lastName,
  gender: "Unknown",
  organization: "",
  photoType: "default",
  photoUrl: "https://d33v4339jhl8k0.cloudfront.net/customer-avatar/05.png",
  createdAt: at(0),
  updatedAt: modified,
  _embedded: {
    emails: email ? [{ id: id + 1, value: email, type: "work" }] : [],
    phones: [],
    chats: [],
    social_profiles: [],
    websites: [],
    properties: [],
  },
  _links: { self: link(`/customers/${id}`) },
});
export type SandboxCustomer = ReturnType<typeof customer>;

const customers = times(263, (index) => {
  const { given, family, email } = person(index);
  return customer(238_604 + index, { firstName: given, lastName: family, email: email || null }, at(index));
});

/** As conversations and threads refer to people. */
export const userRef = ({ id, firstName, lastName, email }: SandboxUser) => ({
  id,
  type: "user",
  first: firstName,
  last: lastName,
  email,
});
export const customerRef = ({ id, firstName, lastName, photoUrl, _embedded }: SandboxCustomer) => ({
  id,
  type: "customer",
  first: firstName ?? "",
  last: lastName ?? "",
  photoUrl,
  // A customer of a call has none.
  ...(_embedded.emails[0] ? { email: _embedded.emails[0].value } : {}),
});

const escaped = (text: string) => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

/** HTML of e-mail clients and of Help Scout's own editor. */
const BODIES = [
  "My printer is <strong>on fire</strong>.<br>\r\nPlease&nbsp;help &amp; hurry.",
  '<p>See <a href="https://example.com/guide?a=1&amp;b=2">the guide</a>:</p>\r\n<ol><li>Open it</li><li>Read it</li></ol>',
  "<blockquote>Who wrote this?</blockquote><p>I did, in <em>Köln</em>.</p><pre>ping 127.0.0.1</pre>",
  "",
  '<div><img src="https://d33v4339jhl8k0.cloudfront.net/inline/fire.png" alt="fire.png"></div>',
  ...awkwardTexts.map((text) => `<div dir="auto">${escaped(text)}</div>`),
];

/** Help Scout itself writes no message: its workflows have a user without a name. */
const WORKFLOW = { id: 1, type: "user", first: "", last: "", email: "none@nowhere.com" };
const THREAD_TYPES = ["customer", "message", "note", "lineitem", "customer", "forwardchild", "phone"] as const;

export interface SandboxThread {
  id: number;
  type: string;
  status: string;
  state: string;
  action: { type: string; text?: string; associatedEntities: object };
  body?: string;
  source: { type: string; via: string };
  createdBy: object;
  customer: object;
  createdAt: string;
  _embedded: { attachments: object[] };
}

export const thread = (
  fields: Pick<SandboxThread, "id" | "type" | "createdBy" | "customer" | "createdAt"> & Partial<SandboxThread>,
): SandboxThread => ({
  status: "active",
  state: "published",
  action: { type: "default", associatedEntities: {} },
  source: { type: "web", via: "user" },
  _embedded: { attachments: [] },
  ...fields,
});

/** The first conversation has many threads: the real API allows at most 100. */
const threadCount = (index: number) => (index === 0 ? 98 : 1 + (index % 5));

function threadsOf(index: number, requester: SandboxCustomer): SandboxThread[] {
  const threads = times(threadCount(index), (place) => {
    const type = THREAD_TYPES[place % THREAD_TYPES.length]!;
    const isCustomer = type === "customer" || type === "phone";
    return thread({
      id: 1_000_000 + index * 1000 + place,
      type,
      state: ["draft", "hidden"][(place % 11) - 9] ?? "published",
      createdBy: isCustomer ? customerRef(requester) : place % 4 === 3 ? WORKFLOW : userRef(AGENT),
      customer: customerRef(requester),
      createdAt: at(index + place),
      source: { type: "email", via: isCustomer ? "customer" : "user" },
      ...(type === "lineitem"
        ? { action: { type: "manual-workflow", text: "You ran the Close workflow", associatedEntities: {} } }
        : { body: BODIES[(index + place) % BODIES.length]! }),
    });
  });
  // Newest first.
  return threads.reverse();
}

/** A conversation with what only the server knows. */
export interface StoredConversation {
  conversation: ReturnType<typeof conversation>;
  threads: SandboxThread[];
  /** The filter `modifiedSince` and a sort field use it, but no response contains it. */
  modifiedAt: string;
}

export interface ConversationFields {
  id: number;
  number: number;
  subject: string | null;
  status: string;
  state: string;
  mailboxId: number;
  assignee: ReturnType<typeof userRef> | undefined;
  createdBy: object;
  requester: SandboxCustomer;
  tags: string[];
  createdAt: string;
  userUpdatedAt: string;
}

export const tagRef = (tag: string) => ({ id: 9150 + tag.length, color: "#929499", tag });

export function conversation({ requester, tags, assignee, ...fields }: ConversationFields) {
  const { id, number } = fields;
  return {
    ...fields,
    type: "email",
    folderId: 493,
    preview: "My printer is on fire",
    // Left out if nobody is assigned.
    ...(assignee ? { assignee } : {}),
    tags: tags.map(tagRef),
    primaryCustomer: customerRef(requester),
    source: { type: "email", via: "customer" },
    cc: [] as string[],
    bcc: [] as string[],
    customFields: [] as object[],
    _links: {
      self: link(`/conversations/${id}`),
      threads: link(`/conversations/${id}/threads/`),
      web: { href: `https://secure.helpscout.net/conversation/${id}/${number}/` },
    },
  };
}

function stored(index: number, random: ReturnType<typeof seeded>): StoredConversation {
  const requester = customers[index % customers.length]!;
  const subject = index % 10 === 6 ? awkwardTexts[index % awkwardTexts.length]! : `Ticket ${index + 1}`;
  const updated = index + 250;
  return {
    threads: threadsOf(index, requester),
    // A workflow or a tag changes this, but not the time of the last message.
    modifiedAt: at(updated + (index % 3)),
    conversation: conversation({
      // Two to four digits, so that sorting them as text would be wrong.
      id: 91 + index * 7,
      number: 15_000 + index,
      subject: index % 23 === 22 ? null : subject,
      status: STATUSES[index % STATUSES.length]!,
      state: index % 37 === 36 ? "deleted" : index % 41 === 40 ? "draft" : "published",
      mailboxId: mailboxes[index % mailboxes.length]!.id,
      assignee: index % 6 === 5 ? undefined : userRef(random.pick([me, AGENT])),
      createdBy: customerRef(requester),
      requester,
      tags: index % 5 === 0 ? ["grün", "vip"] : [],
      createdAt: at(index),
      userUpdatedAt: at(updated),
    }),
  };
}

/** An ID that was merged into the first conversation. */
export const MERGED_ID = 90;

export function makeState() {
  const random = seeded(29);
  return {
    /** In the order of their creation. */
    conversations: times(COUNT, (index) => stored(index, random)),
    // Copies, because customers can be changed.
    customers: customers.map((one) => ({ ...one })),
    users: [me, AGENT],
    /** Of the next thread, conversation or customer. */
    nextId: 90_000_000,
  };
}
export type State = ReturnType<typeof makeState>;
