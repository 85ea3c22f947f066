// Shapes as in Freshdesk's documentation: https://developers.freshdesk.com/api/#tickets

import { awkwardTexts, hour, person, seeded, times } from "../../../emulator-kit/data.ts";
import { joinName } from "../../../provider-kit/contact.ts";

export const SUBDOMAIN = "sandbox";
const COUNT = 310;

const time = (hours: number) => hour(hours).toISOString().replace(".000Z", "Z");

const agent = (id: number, name: string, email: string) => ({
  id,
  available: true,
  occasional: false,
  signature: null,
  ticket_scope: 1,
  type: "support_agent",
  group_ids: [],
  role_ids: [1],
  contact: {
    name,
    email,
    active: true,
    job_title: null,
    language: "en",
    phone: null,
    mobile: null,
    time_zone: "Berlin",
  },
  created_at: time(0),
  updated_at: time(1),
});
export const me = agent(150_001, "Sandbox", "sandbox@example.com");
export const AGENT = agent(150_002, "Zoë Müller", "zoe@example.com");

function contact(index: number) {
  const { given, family, email } = person(index);
  return {
    id: 160_000 + index * 3,
    // A caller has a phone number instead of an email address.
    name: joinName(given, family) || email || `+49 30 ${1000 + index}`,
    email: email || null,
    phone: email ? null : `+49 30 ${1000 + index}`,
    mobile: null,
    twitter_id: null,
    address: null,
    description: null,
    job_title: index % 4 === 0 ? "Geschäftsführer" : null,
    language: "de",
    time_zone: "Berlin",
    company_id: null,
    active: index % 2 === 0,
    custom_fields: {},
    created_at: time(index),
    updated_at: time(index + 20),
  };
}

const CONTACTS = times(273, contact);
export type SandboxContact = ReturnType<typeof contact>;
const contactOf = (ticketIndex: number) => CONTACTS[(ticketIndex * 5) % CONTACTS.length]!;

const escaped = (text: string) =>
  text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`).replace("\n", "<br>");

/** HTML as the editor and e-mail programs make it. */
const BODIES = [
  '<div style="font-family:-apple-system; font-size:14px"><div dir="ltr">My printer is <strong>on fire</strong>.<br>Please&nbsp;help &amp; hurry.</div></div>',
  '<div>See <a href="https://example.com/guide?a=1&amp;b=2" rel="noreferrer">the guide</a>:</div>\r\n<ol>\r\n<li>Open it</li>\r\n<li>Read it</li>\r\n</ol>',
  '<div class="freshdesk_quote"><blockquote class="freshdesk_quote">Who wrote this?</blockquote></div><p>I did, in <em>Köln</em>.</p><pre>ping 127.0.0.1</pre>',
  "",
  '<div><img src="https://attachment.freshdesk.com/inline/attachment?token=EXAMPLE" alt="fire.png"></div>',
  ...awkwardTexts.map((text) => `<div>${escaped(text)}</div>`),
];
export const plain = (html: string) => html.replace(/<[^>]*>/g, " ").trim();

/** The first ticket has many conversations, and others have none to four. */
const conversationCount = (ticketIndex: number) => (ticketIndex === 0 ? 230 : ticketIndex % 5);

function conversation(ticketIndex: number, ticketId: number, index: number) {
  const body = BODIES[(ticketIndex + index) % BODIES.length]!;
  const incoming = index % 2 === 0;
  const isPrivate = index % 3 === 1;
  return {
    id: 5_000_000 + ticketIndex * 1000 + index,
    body,
    body_text: plain(body),
    incoming: incoming && !isPrivate,
    private: isPrivate,
    user_id: incoming && !isPrivate ? contactOf(ticketIndex).id : AGENT.id,
    ticket_id: ticketId,
    support_email: null,
    to_emails: [],
    cc_emails: [],
    bcc_emails: [],
    attachments: [],
    source: isPrivate ? 2 : 0,
    created_at: time(ticketIndex + index),
    updated_at: time(ticketIndex + index),
  };
}

/** The last one is an account's own. */
const STATUSES = [2, 3, 4, 5, 6] as const;

function ticket(index: number, random: ReturnType<typeof seeded>) {
  const id = 3 + index * 4;
  const { id: requester_id } = contactOf(index);
  const text = random.pick(awkwardTexts);
  const description = index % 31 === 30 ? "" : `<div>My printer is *on fire*.</div>\r\n<div>${escaped(text)}</div>`;
  return {
    id,
    // A ticket from a call or a chat may have no subject.
    subject: index % 23 === 22 ? null : index % 10 === 6 ? text : `Ticket ${index + 1}`,
    description,
    description_text: plain(description),
    status: STATUSES[index % STATUSES.length]!,
    priority: 1 + (index % 4),
    source: 2,
    type: index % 4 === 0 ? null : "Incident",
    requester_id,
    responder_id: index % 6 === 0 ? null : random.pick([me.id, AGENT.id]),
    group_id: null,
    product_id: null,
    company_id: null,
    email_config_id: null,
    cc_emails: [],
    fwd_emails: [],
    reply_cc_emails: [],
    to_emails: null,
    tags: index % 5 === 0 ? ["grün", "other tag"] : [],
    custom_fields: {},
    fr_escalated: false,
    is_escalated: false,
    spam: index % 41 === 40,
    deleted: index % 37 === 36,
    due_by: time(index + 72),
    fr_due_by: time(index + 24),
    created_at: time(index),
    updated_at: time(index + 250),
  };
}
export type SandboxTicket = Omit<ReturnType<typeof ticket>, "status"> & { status: number };

/** Everything in the order in which it was created. */
export function makeState() {
  const random = seeded(19);
  const tickets: SandboxTicket[] = times(COUNT, (index) => ticket(index, random));
  return {
    tickets,
    // Copies, because contacts can be changed.
    contacts: CONTACTS.map((one) => ({ ...one })),
    /** How many writes there were: each happens a minute after the previous one. */
    writes: 0,
    /** By the ID of their ticket. */
    conversations: Object.fromEntries(
      tickets.map(({ id }, ticketIndex) => [
        id,
        times(conversationCount(ticketIndex), (index) => conversation(ticketIndex, id, index)),
      ]),
    ),
  };
}
export type State = ReturnType<typeof makeState>;

/** The time of the next write, which is later than everything that happened before. */
export function now(state: State): string {
  state.writes += 1;
  return new Date(hour(1000).getTime() + state.writes * 60_000).toISOString().replace(".000Z", "Z");
}
