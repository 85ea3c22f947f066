// Shapes as the real API sends them: https://developer.helpscout.com/mailbox-api/endpoints/conversations/get/
import { awkwardTexts, hour, inHtml, person, seeded, times, toSecond } from "../../../emulator-kit/index.ts";
import { ownValues, type ShownField } from "./fields.ts";

const COUNT = 306;
const STATUSES = ["active", "pending", "closed", "spam"];

const at = (hours: number) => toSecond(hour(hours));

export const link = (path: string) => ({ href: `https://api.helpscout.net/v2${path}` });

const user = (id: number, firstName: string, lastName: string, email: string) => ({
  id,
  firstName,
  lastName,
  email,
  role: "owner",
  photoUrl: `https://d33v4339jhl8k0.cloudfront.net/users/${id}.png`,
  _links: { self: link(`/users/${id}`) },
});
export const me = user(4, "Sandbox", "", "sandbox@example.com");
const AGENT = user(17, "Zoë", "Müller", "zoe@example.com");
export const users = [me, AGENT];

export const mailboxes = ["Support", "Büro", "Billing"].map((name, index) => ({
  id: 85 + index,
  name,
  email: `inbox-${index}@example.com`,
  _links: { self: link(`/mailboxes/${85 + index}`) },
}));

export const customer = (
  id: number,
  firstName: string | null,
  lastName: string | null,
  email: string | null,
  createdAt: string,
) => ({
  id,
  firstName,
  lastName,
  photoUrl: "https://d33v4339jhl8k0.cloudfront.net/customer-avatar/05.png",
  createdAt,
  updatedAt: createdAt,
  _embedded: { emails: email ? [{ id: id + 1, value: email, type: "work" }] : [], phones: [] },
  _links: { self: link(`/customers/${id}`) },
});
type SandboxCustomer = ReturnType<typeof customer>;

const customers = times(263, (index) => {
  const { given, family, email } = person(index);
  return customer(238_604 + index, given, family, email, at(index));
});

/** As conversations and threads refer to people. */
export const userRef = ({ id, firstName, lastName, email }: typeof me) => ({
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
  ...(_embedded.emails[0] && { email: _embedded.emails[0].value }),
});

/** HTML of e-mail clients and of Help Scout's own editor. */
const BODIES = [
  "My printer is <strong>on fire</strong>.<br>\r\nPlease&nbsp;help &amp; hurry.",
  '<p>See <a href="https://example.com/guide?a=1&amp;b=2">the guide</a>:</p>\r\n<ol><li>Open it</li><li>Read it</li></ol>',
  "<blockquote>Who wrote this?</blockquote><p>I did, in <em>Köln</em>.</p><pre>ping 127.0.0.1</pre>",
  "",
  '<div><img src="https://d33v4339jhl8k0.cloudfront.net/inline/fire.png" alt="fire.png"></div>',
  ...awkwardTexts.map((text) => `<div dir="auto">${inHtml(text)}</div>`),
];

/** Help Scout itself writes no message: its workflows have a user without a name. */
const WORKFLOW = { id: 1, type: "user", first: "", last: "", email: "none@nowhere.com" };
const THREAD_TYPES = ["customer", "message", "note", "lineitem", "customer", "forwardchild", "phone"];

interface ThreadFields {
  id: number;
  type: string;
  state?: string;
  body?: string;
  createdBy: object;
  customer: object;
  createdAt: string;
  action?: object;
}

export const thread = (fields: ThreadFields) => ({
  status: "active",
  state: "published",
  action: { type: "default", associatedEntities: {} },
  _embedded: { attachments: [] },
  ...fields,
});

/** The first conversation has many threads: the real API allows at most 100. */
const threadCount = (index: number) => (index === 0 ? 98 : 1 + (index % 5));

/** Newest first. */
const threadsOf = (index: number, requester: SandboxCustomer) =>
  times(threadCount(index), (place) => {
    const type = THREAD_TYPES[place % THREAD_TYPES.length]!;
    const isCustomer = type === "customer" || type === "phone";
    return thread({
      id: 1_000_000 + index * 1000 + place,
      type,
      state: ["draft", "hidden"][(place % 11) - 9] ?? "published",
      createdBy: isCustomer ? customerRef(requester) : place % 4 === 3 ? WORKFLOW : userRef(AGENT),
      customer: customerRef(requester),
      createdAt: at(index + place),
      ...(type === "lineitem"
        ? { action: { type: "manual-workflow", text: "You ran the Close workflow", associatedEntities: {} } }
        : { body: BODIES[(index + place) % BODIES.length]! }),
    });
  }).reverse();

interface ConversationFields {
  id: number;
  number: number;
  subject: string | null;
  status: string;
  state: string;
  mailboxId: number;
  /** Only of the first inbox, which alone has some. */
  customFields: ShownField[];
  /** Left out if nobody is assigned. */
  assignee?: ReturnType<typeof userRef>;
  createdAt: string;
  userUpdatedAt: string;
  /** By any change. The filter `modifiedSince` uses it, but no response contains it. */
  modifiedAt: string;
  /** Newest first. A response has their number, and themselves only if they are asked for. */
  threads: ReturnType<typeof thread>[];
}

export const tagRef = (tag: string) => ({ id: 9150 + tag.length, color: "#929499", tag });

export const conversation = (requester: SandboxCustomer, tags: string[], fields: ConversationFields) => ({
  ...fields,
  type: "email",
  preview: "My printer is on fire",
  tags: tags.map(tagRef),
  createdBy: customerRef(requester),
  primaryCustomer: customerRef(requester),
  source: { type: "email", via: "customer" },
  _links: {
    self: link(`/conversations/${fields.id}`),
    web: { href: `https://secure.helpscout.net/conversation/${fields.id}/${fields.number}/` },
  },
});
export type Conversation = ReturnType<typeof conversation>;

function madeUpConversation(index: number, random: ReturnType<typeof seeded>): Conversation {
  const requester = customers[index % customers.length]!;
  const inbox = mailboxes[(index >> 3) % mailboxes.length]!;
  const subject = index % 10 === 6 ? awkwardTexts[index % awkwardTexts.length]! : `Ticket ${index + 1}`;
  return conversation(requester, index % 5 === 0 ? ["grün", "vip"] : [], {
    // Two to four digits, so that sorting them as text would be wrong.
    id: 91 + index * 7,
    number: 15_000 + index,
    subject: index % 23 === 22 ? null : subject,
    status: STATUSES[index % STATUSES.length]!,
    state: index % 37 === 36 ? "deleted" : index % 41 === 40 ? "draft" : "published",
    mailboxId: inbox.id,
    customFields: inbox === mailboxes[0] ? ownValues(index) : [],
    ...(index % 6 !== 5 && { assignee: userRef(random.pick(users)) }),
    createdAt: at(index),
    userUpdatedAt: at(index + 250),
    // A workflow or a tag changes this, but not the time of the last message.
    modifiedAt: at(index + 250 + (index % 3)),
    threads: threadsOf(index, requester),
  });
}

/** An ID that was merged into the first conversation. */
export const MERGED_ID = 90;

export function makeState() {
  const random = seeded(29);
  return {
    /** In the order of their creation. */
    conversations: times(COUNT, (index) => madeUpConversation(index, random)),
    // Copies, because customers can be changed.
    customers: customers.map((one) => ({ ...one })),
    /** Of the next thread, conversation or customer. */
    nextId: 90_000_000,
  };
}
export type State = ReturnType<typeof makeState>;
