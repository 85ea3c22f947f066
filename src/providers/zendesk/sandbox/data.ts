// Shapes as the real API sends them: https://developer.zendesk.com/api-reference/ticketing/tickets/tickets/

import { awkwardTexts, hour, person, seeded, times } from "../../../emulator-kit/data.ts";
import { joinName } from "../../../provider-kit/contact.ts";

export const SUBDOMAIN = "sandbox";
export const HOST = `https://${SUBDOMAIN}.zendesk.com`;
const COUNT = 296;

export const STATUSES = ["new", "open", "pending", "hold", "solved", "closed"] as const;

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', nbsp: "\u00a0" };

/** The text of a comment as Zendesk makes it from the HTML: without formatting. */
export const plain = (html: string) =>
  html
    .replace(/<\/(?:p|li|h\d|blockquote)>|<br>/g, "\n")
    .replace(/<[^>]*>/g, "")
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/&(\w+);/g, (entity, name) => ENTITIES[name] ?? entity)
    .trim();

const time = (hours: number) => hour(hours).toISOString().replace(".000Z", "Z");

export const user = (id: number, name: string, email: string | null, role: "end-user" | "agent" | "admin") => ({
  id,
  url: `${HOST}/api/v2/users/${id}.json`,
  name,
  email,
  role,
  active: true,
  verified: email !== null,
  locale: "en-GB",
  time_zone: "Berlin",
  phone: null,
  photo: id % 2 === 0 ? { id: 928, content_url: `${HOST}/system/photos/${id}/photo.png` } : null,
  created_at: time(0),
  updated_at: time(1),
});
export type SandboxUser = ReturnType<typeof user>;

export const me = user(35_436, "Sandbox", "sandbox@example.com", "admin");
export const AGENT = user(35_437, "Zoë Müller", "zoe@example.com", "agent");

const CUSTOMERS = times(262, (index) => {
  const { given, family, email } = person(index);
  // Zendesk makes a name of the email address if there is none.
  return user(20_978_392 + index, joinName(given, family) || email || "Caller", email || null, "end-user");
});
/** Requester of tickets whose user was deleted for good, so that nobody is side-loaded. */
const DELETED_USER = 20_978_391;

const escaped = (text: string) => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

/** HTML as Zendesk renders what people write, e-mail and pasted documents. */
const COMMENTS = [
  "<p>My printer is <strong>on fire</strong>.<br>Please&nbsp;help &amp; hurry.</p>",
  '<p dir="ltr">See <a href="https://example.com/guide?a=1&amp;b=2" rel="noreferrer">the guide</a>:</p><ol dir="auto">\r\n<li>Open it</li>\r\n<li>Read it</li>\r\n</ol>',
  "<blockquote><p>Who wrote this?</p></blockquote><p>I did, in <em>Köln</em>.</p><pre><code>ping 127.0.0.1</code></pre>",
  "",
  '<p><img src="https://sandbox.zendesk.com/attachments/token/EXAMPLE/?name=fire.png" alt="fire.png"></p>',
  ...awkwardTexts.map((text) => `<p dir="auto">${escaped(text)}</p>`),
].map((html) => (html ? `<div class="zd-comment" dir="auto">${html}</div>` : ""));

/** The first ticket has many comments, and others have one to four. */
const commentCount = (ticketIndex: number) => (ticketIndex === 0 ? 230 : 1 + (ticketIndex % 4));
/** Agents, the requester, and Zendesk itself, which is no user. */
const authorOf = (ticketIndex: number, index: number) => {
  if (index % 7 === 6) return -1;
  return index % 2 === 0 ? requesterOf(ticketIndex) : AGENT.id;
};

function comment(ticketIndex: number, index: number) {
  const html = COMMENTS[(ticketIndex + index) % COMMENTS.length]!;
  return {
    id: 5_000_000 + ticketIndex * 1000 + index,
    type: "Comment",
    author_id: authorOf(ticketIndex, index),
    body: plain(html),
    html_body: html,
    plain_body: plain(html),
    public: index % 3 !== 2,
    attachments: [],
    audit_id: 6_000_000 + ticketIndex * 1000 + index,
    via: { channel: "web", source: { from: {}, to: {}, rel: null } },
    created_at: time(ticketIndex + index),
    metadata: { system: {}, custom: {} },
  };
}

const requesterOf = (ticketIndex: number) =>
  ticketIndex % 17 === 16 ? DELETED_USER : CUSTOMERS[ticketIndex % CUSTOMERS.length]!.id;

function ticket(index: number, random: ReturnType<typeof seeded>) {
  // Ids have gaps where tickets were deleted, and two to four digits, so that sorting them as text would be wrong.
  const id = 35 + index * 4;
  const subject = index % 10 === 6 ? awkwardTexts[index % awkwardTexts.length]! : `Ticket ${index + 1}`;
  // A ticket from a call or a chat may have no subject.
  const hasNoSubject = index % 23 === 22;
  return {
    url: `${HOST}/api/v2/tickets/${id}.json`,
    id,
    external_id: null,
    via: { channel: hasNoSubject ? "voice" : "web", source: { from: {}, to: {}, rel: null } },
    created_at: time(index),
    updated_at: time(index + 250),
    generated_timestamp: hour(index + 250).getTime() / 1000,
    type: index % 4 === 0 ? null : "incident",
    subject: hasNoSubject ? null : subject,
    raw_subject: hasNoSubject ? null : subject,
    description: index % 31 === 30 ? "" : `My printer is *on fire*.\r\n\r\n${random.pick(awkwardTexts)}`,
    priority: index % 3 === 0 ? null : "normal",
    status: STATUSES[index % STATUSES.length]!,
    recipient: null,
    requester_id: requesterOf(index),
    submitter_id: 76_872,
    // A deleted agent is no longer assigned.
    assignee_id: index % 6 === 0 ? null : random.pick([me.id, AGENT.id]),
    organization_id: null,
    group_id: 98_738,
    collaborator_ids: [],
    follower_ids: [],
    email_cc_ids: [],
    forum_topic_id: null,
    problem_id: null,
    has_incidents: false,
    is_public: true,
    due_at: null,
    tags: index % 5 === 0 ? ["grün", "other_tag"] : [],
    custom_fields: [],
    satisfaction_rating: null,
    sharing_agreement_ids: [],
    custom_status_id: 1_234_567 + (index % STATUSES.length),
    followup_ids: [],
    ticket_form_id: 47,
    brand_id: 360,
    allow_channelback: false,
    allow_attachments: true,
    from_messaging_channel: false,
  };
}

/** What is null in the generated tickets can have a value in others. */
export type SandboxTicket = Omit<ReturnType<typeof ticket>, "priority" | "status"> & {
  priority: string | null;
  status: string;
};
export type SandboxComment = ReturnType<typeof comment>;

/** Tickets, comments and users in the order of their ids. */
export function makeState() {
  const random = seeded(13);
  const tickets: SandboxTicket[] = times(COUNT, (index) => ticket(index, random));
  return {
    tickets,
    /** How many writes there were: each happens a minute after the previous one. */
    writes: 0,
    /** The tickets that were created with an idempotency key, by that key. */
    created: new Map<string, { bytes: Buffer; body: object }>(),
    // Copies, because users can be changed.
    users: [me, AGENT, ...CUSTOMERS].map((one) => ({ ...one })),
    /** By the ID of their ticket. */
    comments: Object.fromEntries(
      tickets.map(({ id }, ticketIndex) => [
        id,
        times(commentCount(ticketIndex), (index) => comment(ticketIndex, index)),
      ]),
    ),
  };
}
export type State = ReturnType<typeof makeState>;

export function now(state: State): string {
  state.writes += 1;
  return new Date(hour(1000).getTime() + state.writes * 60_000).toISOString().replace(".000Z", "Z");
}
