// Shapes as in Intercom's own description: https://github.com/intercom/Intercom-OpenAPI
import { awkwardTexts, hour, inHtml, person, seeded, times } from "../../../emulator-kit/index.ts";
import { joinName } from "../../../provider-kit/index.ts";
import { contactValues, ticketValues } from "./attributes.ts";

export const WORKSPACE = "sandbox1";
const COUNT = 296;

/** A Unix timestamp. */
const time = (hours: number) => hour(hours).getTime() / 1000;

const admin = (id: string, name: string, email: string) => ({ type: "admin", id, name, email });
const SANDBOX_ADMIN = admin("991267459", "Sandbox", "sandbox@example.com");
const AGENT = admin("991267460", "Zoë Müller", "zoe@example.com");
export const ADMINS = [SANDBOX_ADMIN, AGENT];
const OPERATOR = { type: "bot", id: "991267461", name: "Fin", email: "operator+sandbox1@intercom.io" };

export const me = {
  ...SANDBOX_ADMIN,
  avatar: { type: "avatar", image_url: "https://static.intercomassets.com/avatars/991267459/square_128/sandbox.png" },
  app: { type: "app", id_code: WORKSPACE, name: "Sandbox", region: "US" },
};

function contact(index: number) {
  const { given, family, email } = person(index);
  return {
    type: "contact",
    id: (0x5ba682d2_3d7c + index * 17).toString(16).padStart(12, "0").padEnd(24, "bef87bfd4a10"),
    external_id: index % 3 === 0 ? null : `user-${index}`,
    workspace_id: WORKSPACE,
    role: index % 4 === 3 ? "lead" : "user",
    email,
    // A lead without a name has null; one that was imported may have spaces.
    name: joinName(given, family) || given,
    created_at: time(index),
    updated_at: time(index + 40),
    custom_attributes: contactValues(index),
  };
}
type SandboxContact = ReturnType<typeof contact>;

const CONTACTS = times(271, contact);

/** HTML as the inbox, the Messenger and e-mail make it. */
const BODIES = [
  '<p class="no-margin">My printer is <b>on fire</b>.<br>Please&nbsp;help &amp; hurry.</p>',
  '<p>See <a href="https://example.com/guide?a=1&amp;b=2" rel="nofollow noopener noreferrer" target="_blank">the guide</a>:</p>\r\n<ol>\r\n<li>Open it</li>\r\n<li>Read it</li>\r\n</ol>',
  "<blockquote><p>Who wrote this?</p></blockquote><p>I did, in <i>Köln</i>.</p><pre><code>ping 127.0.0.1</code></pre>",
  null,
  '<div class="intercom-container"><img src="https://downloads.intercomcdn.com/i/o/1/fire.png" alt="fire.png"></div>',
  ...awkwardTexts.map((text) => `<p>${inHtml(text).replace("\n", "<br>")}</p>`),
];

/** Labels for teammates; customers see others. */
const STATE_LABELS = {
  submitted: "Submitted",
  in_progress: "With Dev Team 🔧",
  waiting_on_customer: "Waiting on customer",
  resolved: "Resolved",
};
export const STATES = Object.entries(STATE_LABELS).map(([category, internal_label], index) => ({
  type: "ticket_state",
  id: String(8577 + index),
  category,
  internal_label,
}));

export const TICKET_TYPE = {
  type: "ticket_type",
  id: "100",
  category: "Customer",
  name: "Anfrage",
  workspace_id: WORKSPACE,
  archived: false,
};

/** Types of tickets: one that is no longer used, one that only teammates see, and that of all tickets. */
export const TICKET_TYPES = [
  { ...TICKET_TYPE, id: "98", name: "Alt", archived: true },
  { ...TICKET_TYPE, id: "99", name: "Intern", category: "Back-office" },
  TICKET_TYPE,
];

const contactOf = (ticketIndex: number) => CONTACTS[(ticketIndex * 7) % CONTACTS.length]!;

/** Changes of the ticket, which nobody wrote, are parts as well. */
const PART_TYPES = ["comment", "comment", "ticket_state_updated_by_admin", "note", "assignment", "comment"];

function authorOf(ticketIndex: number, index: number, type: string) {
  if (type !== "comment") return AGENT;
  if (index % 12 === 5) return OPERATOR;
  const { id, name, email } = contactOf(ticketIndex);
  return index % 2 === 0 ? { type: "user", id, name, ...(email && { email }) } : SANDBOX_ADMIN;
}

interface PartFields {
  id: string;
  part_type: string;
  body: string | null;
  author: object;
}

export const part = (fields: PartFields, at: number) => ({
  type: "ticket_part",
  ...fields,
  created_at: at,
  updated_at: at,
  attachments: [],
});
export type SandboxPart = ReturnType<typeof part>;

function madeUpPart(ticketIndex: number, index: number): SandboxPart {
  const part_type = PART_TYPES[index % PART_TYPES.length]!;
  const isWritten = part_type === "comment" || part_type === "note";
  const fields = {
    id: String(1_000_000 + ticketIndex * 1000 + index),
    part_type,
    body: isWritten ? BODIES[(ticketIndex + index) % BODIES.length]! : null,
    author: authorOf(ticketIndex, index, part_type),
  };
  return part(fields, time(ticketIndex + index / 4));
}

/** The first ticket has many parts, and others have none to six. */
const partCount = (ticketIndex: number) => (ticketIndex === 0 ? 270 : ticketIndex % 7);

/** Of people in the inbox as plain text, of the Messenger as HTML, and of some forms none. */
function descriptionOf(index: number, text: string): string | null {
  if (index % 11 === 10) return null;
  if (index % 5 === 4) return `<p>It *still* burns.</p><p>See <a href="https://example.com/${index}">here</a></p>`;
  return `My printer is *on fire*.\r\n\r\n${text}`;
}

export const contactList = (...contacts: SandboxContact[]) => ({
  type: "contact.list",
  contacts: contacts.map(({ id, external_id }) => ({ type: "contact", id, external_id })),
});

function ticket(index: number, random: ReturnType<typeof seeded>) {
  const state = STATES[index % STATES.length]!;
  const title = index % 10 === 6 ? awkwardTexts[index % awkwardTexts.length]! : `Ticket ${index + 1}`;
  return {
    type: "ticket",
    id: String(215_470_000_000_123 + index * 13),
    ticket_id: String(40 + index),
    category: "Customer",
    ticket_attributes: {
      _default_title_: index % 23 === 22 ? null : title,
      _default_description_: descriptionOf(index, random.pick(awkwardTexts)),
      ...ticketValues(index),
    } as Record<string, unknown>,
    ticket_state: state,
    ticket_type: TICKET_TYPE,
    // The contact of a ticket may have been deleted.
    contacts: index % 17 === 16 ? contactList() : contactList(contactOf(index)),
    admin_assignee_id: index % 6 === 0 ? "0" : random.pick(ADMINS).id,
    created_at: time(index),
    updated_at: time(index + 250),
    open: state.category !== "resolved" && index % 9 !== 8,
    parts: times(partCount(index), (partIndex) => madeUpPart(index, partIndex)),
  };
}
export type SandboxTicket = ReturnType<typeof ticket>;

/** What the tools of the MCP server read. */
function conversation(index: number) {
  const { id, name, email } = contactOf(index);
  return {
    type: "conversation",
    id: String(215_460_000_000_001 + index * 3),
    title: index % 3 === 0 ? null : awkwardTexts[index % awkwardTexts.length]!,
    state: ["open", "snoozed", "closed"][index % 3]!,
    created_at: time(index),
    updated_at: time(index + 100),
    source: { type: "conversation", id: String(index), body: BODIES[0], author: { type: "user", id, name, email } },
  };
}

/** Everything in the order in which it was created. */
export function makeState() {
  const random = seeded(17);
  return {
    tickets: times(COUNT, (index) => ticket(index, random)),
    // Copies, because contacts can be changed.
    contacts: CONTACTS.map((one) => ({ ...one })),
    conversations: times(30, conversation),
  };
}
export type State = ReturnType<typeof makeState>;
