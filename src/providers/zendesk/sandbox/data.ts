// Shapes as the real API sends them: https://developer.zendesk.com/api-reference/ticketing/tickets/tickets/

import { awkwardTexts, hour, inHtml, person, seeded, times, toSecond } from "../../../emulator-kit/index.ts";
import { joinName } from "../../../provider-kit/index.ts";
import { ticketValues, userValues } from "./fields.ts";

export const SUBDOMAIN = "sandbox";
export const HOST = `https://${SUBDOMAIN}.zendesk.com`;
const COUNT = 296;

export const STATUSES = ["new", "open", "pending", "hold", "solved", "closed"];

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', nbsp: "\u00a0" };

/** The text of a comment as Zendesk makes it from the HTML: without formatting. */
export const plain = (html: string) =>
  html
    .replace(/<\/(?:p|li|h\d|blockquote)>|<br>/g, "\n")
    .replace(/<[^>]*>/g, "")
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/&(\w+);/g, (entity, name) => ENTITIES[name] ?? entity)
    .trim();

const time = (hours: number) => toSecond(hour(hours));

export const user = (id: number, name: string, email: string | null, role: "end-user" | "agent" | "admin") => ({
  id,
  url: `${HOST}/api/v2/users/${id}.json`,
  name,
  email,
  role,
  photo: id % 2 === 0 ? { id: 928, content_url: `${HOST}/system/photos/${id}/photo.png` } : null,
  created_at: time(0),
  updated_at: time(1),
  user_fields: userValues(id % 1000),
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

/** HTML as Zendesk renders what people write, e-mail and pasted documents. */
const COMMENTS = [
  "<p>My printer is <strong>on fire</strong>.<br>Please&nbsp;help &amp; hurry.</p>",
  '<p dir="ltr">See <a href="https://example.com/guide?a=1&amp;b=2" rel="noreferrer">the guide</a>:</p><ol dir="auto">\r\n<li>Open it</li>\r\n<li>Read it</li>\r\n</ol>',
  "<blockquote><p>Who wrote this?</p></blockquote><p>I did, in <em>Köln</em>.</p><pre><code>ping 127.0.0.1</code></pre>",
  "",
  '<p><img src="https://sandbox.zendesk.com/attachments/token/EXAMPLE/?name=fire.png" alt="fire.png"></p>',
  ...awkwardTexts.map((text) => `<p dir="auto">${inHtml(text)}</p>`),
].map((html) => (html ? `<div class="zd-comment" dir="auto">${html}</div>` : ""));

/** The first ticket has many comments, and others have one to four. */
const commentCount = (ticketIndex: number) => (ticketIndex === 0 ? 230 : 1 + (ticketIndex % 4));
/** Agents, the requester, and Zendesk itself, which is no user. */
const authorOf = (ticketIndex: number, index: number) => {
  if (index % 7 === 6) return -1;
  return index % 2 === 0 ? requesterOf(ticketIndex) : AGENT.id;
};

export const comment = (id: number, author_id: number, html_body: string, isPublic: boolean, created_at: string) => ({
  id,
  type: "Comment",
  author_id,
  body: plain(html_body),
  html_body,
  plain_body: plain(html_body),
  public: isPublic,
  attachments: [],
  audit_id: id + 1_000_000,
  created_at,
});
export type SandboxComment = ReturnType<typeof comment>;

const madeUpComment = (ticketIndex: number, index: number) =>
  comment(
    5_000_000 + ticketIndex * 1000 + index,
    authorOf(ticketIndex, index),
    COMMENTS[(ticketIndex + index) % COMMENTS.length]!,
    index % 3 !== 2,
    time(ticketIndex + index),
  );

const requesterOf = (ticketIndex: number) =>
  ticketIndex % 17 === 16 ? DELETED_USER : CUSTOMERS[ticketIndex % CUSTOMERS.length]!.id;

function ticket(index: number, random: ReturnType<typeof seeded>) {
  // Ids have gaps where tickets were deleted, and two to four digits, so that sorting them as text would be wrong.
  const id = 35 + index * 4;
  const subject = index % 10 === 6 ? awkwardTexts[index % awkwardTexts.length]! : `Ticket ${index + 1}`;
  return {
    url: `${HOST}/api/v2/tickets/${id}.json`,
    id,
    created_at: time(index),
    updated_at: time(index + 250),
    type: index % 4 === 0 ? null : "incident",
    // A ticket from a call or a chat may have no subject.
    subject: index % 23 === 22 ? null : subject,
    description: index % 31 === 30 ? "" : `My printer is *on fire*.\r\n\r\n${random.pick(awkwardTexts)}`,
    priority: index % 3 === 0 ? null : "normal",
    status: STATUSES[index % STATUSES.length]!,
    requester_id: requesterOf(index),
    submitter_id: 76_872,
    // A deleted agent is no longer assigned.
    assignee_id: index % 6 === 0 ? null : random.pick([me.id, AGENT.id]),
    group_id: 98_738,
    is_public: true,
    tags: index % 5 === 0 ? ["grün", "other_tag"] : [],
    custom_fields: ticketValues(index),
  };
}
export type SandboxTicket = ReturnType<typeof ticket>;

/** Tickets, comments and users in the order of their ids. */
export function makeState() {
  const random = seeded(13);
  const tickets = times(COUNT, (index) => ticket(index, random));
  return {
    tickets,
    /** The tickets that were created with an idempotency key, by that key. */
    created: new Map<string, { bytes: Buffer; body: object }>(),
    // Copies, because users can be changed.
    users: [me, AGENT, ...CUSTOMERS].map((one) => ({ ...one })),
    /** By the ID of their ticket. */
    comments: new Map(
      tickets.map(({ id }, ticketIndex) => [
        id,
        times(commentCount(ticketIndex), (index) => madeUpComment(ticketIndex, index)),
      ]),
    ),
  };
}
export type State = ReturnType<typeof makeState>;
