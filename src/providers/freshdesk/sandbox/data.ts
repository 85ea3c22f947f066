// Shapes as in Freshdesk's documentation: https://developers.freshdesk.com/api/#tickets
import { awkwardTexts, hour, inHtml, person, seeded, times, toSecond } from "../../../emulator-kit/index.ts";
import { joinName } from "../../../provider-kit/index.ts";
import { ownValues } from "./fields.ts";

export const SUBDOMAIN = "sandbox";
const COUNT = 310;

const time = (hours: number) => toSecond(hour(hours));

const agent = (id: number, name: string, email: string) => ({
  id,
  available: true,
  type: "support_agent",
  contact: { name, email, active: true, language: "en", time_zone: "Berlin" },
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
    job_title: index % 4 === 0 ? "Geschäftsführer" : null,
    active: index % 2 === 0,
    custom_fields: ownValues(index),
    created_at: time(index),
    updated_at: time(index + 20),
  };
}

const CONTACTS = times(273, contact);
const contactOf = (ticketIndex: number) => CONTACTS[(ticketIndex * 5) % CONTACTS.length]!;

/** HTML as the editor and e-mail programs make it. */
const BODIES = [
  '<div style="font-family:-apple-system; font-size:14px"><div dir="ltr">My printer is <strong>on fire</strong>.<br>Please&nbsp;help &amp; hurry.</div></div>',
  '<div>See <a href="https://example.com/guide?a=1&amp;b=2" rel="noreferrer">the guide</a>:</div>\r\n<ol>\r\n<li>Open it</li>\r\n<li>Read it</li>\r\n</ol>',
  '<div class="freshdesk_quote"><blockquote class="freshdesk_quote">Who wrote this?</blockquote></div><p>I did, in <em>Köln</em>.</p><pre>ping 127.0.0.1</pre>',
  "",
  '<div><img src="https://attachment.freshdesk.com/inline/attachment?token=EXAMPLE" alt="fire.png"></div>',
  ...awkwardTexts.map((text) => `<div>${inHtml(text).replace("\n", "<br>")}</div>`),
];
export const plain = (html: string) => html.replace(/<[^>]*>/g, " ").trim();

interface ConversationFields {
  id: number;
  ticket_id: number;
  body: string;
  incoming: boolean;
  private: boolean;
  user_id: number;
  at: string;
}

export const conversation = ({ at, ...fields }: ConversationFields) => ({
  ...fields,
  body_text: plain(fields.body),
  to_emails: [],
  attachments: [],
  source: fields.private ? 2 : 0,
  created_at: at,
  updated_at: at,
});

/** The first ticket has many conversations, and others have none to four. */
const conversationCount = (ticketIndex: number) => (ticketIndex === 0 ? 230 : ticketIndex % 5);

function madeUpConversation(ticketIndex: number, ticket_id: number, index: number) {
  const isPrivate = index % 3 === 1;
  const incoming = index % 2 === 0 && !isPrivate;
  return conversation({
    id: 5_000_000 + ticketIndex * 1000 + index,
    ticket_id,
    body: BODIES[(ticketIndex + index) % BODIES.length]!,
    incoming,
    private: isPrivate,
    user_id: incoming ? contactOf(ticketIndex).id : AGENT.id,
    at: time(ticketIndex + index),
  });
}

/** The last one is an account's own. */
export const STATUSES = [2, 3, 4, 5, 6];

function ticket(index: number, random: ReturnType<typeof seeded>) {
  const text = random.pick(awkwardTexts);
  const html = inHtml(text).replace("\n", "<br>");
  const description = index % 31 === 30 ? "" : `<div>My printer is *on fire*.</div>\r\n<div>${html}</div>`;
  return {
    id: 3 + index * 4,
    // A ticket from a call or a chat may have no subject.
    subject: index % 23 === 22 ? null : index % 10 === 6 ? text : `Ticket ${index + 1}`,
    description,
    description_text: plain(description),
    status: STATUSES[index % STATUSES.length]!,
    priority: 1 + (index % 4),
    source: 2,
    type: index % 4 === 0 ? null : "Incident",
    requester_id: contactOf(index).id,
    responder_id: index % 6 === 0 ? null : random.pick([me.id, AGENT.id]),
    cc_emails: [],
    tags: index % 5 === 0 ? ["grün", "other tag"] : [],
    custom_fields: ownValues(index, "cf_"),
    spam: index % 41 === 40,
    deleted: index % 37 === 36,
    created_at: time(index),
    updated_at: time(index + 250),
  };
}
export type SandboxTicket = ReturnType<typeof ticket>;

/** Everything in the order in which it was created. */
export function makeState() {
  const random = seeded(19);
  const tickets = times(COUNT, (index) => ticket(index, random));
  return {
    tickets,
    // Copies, because contacts can be changed.
    contacts: CONTACTS.map((one) => ({ ...one })),
    /** By the ID of their ticket. */
    conversations: new Map(
      tickets.map(({ id }, ticketIndex) => [
        id,
        times(conversationCount(ticketIndex), (index) => madeUpConversation(ticketIndex, id, index)),
      ]),
    ),
  };
}
export type State = ReturnType<typeof makeState>;
