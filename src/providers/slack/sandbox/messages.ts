import { awkwardTexts, hour, seeded } from "../../../emulator-kit/index.ts";
import { escapeEntities } from "../../../provider-kit/index.ts";

export const TEAM = { id: "T0SANDBOX0", name: "Plugboard Sandbox", domain: "plugboard-sandbox" };
export const APP_ID = "A0SANDBOX0";
export const BOT = { user: "U0SANDBOX0", id: "B0SANDBOX0", name: "plugboard" };

export const USERS = 270;

export interface Message {
  type: "message";
  ts: string;
  text: string;
  subtype?: string;
  user?: string;
  bot_id?: string;
  bot_profile?: typeof botProfile;
  username?: string;
  attachments?: { id: number; fallback?: string; pretext?: string; title?: string; text?: string }[];
  team?: string;
  thread_ts?: string;
  reply_count?: number;
  latest_reply?: string;
}

export const seconds = (index: number) => hour(index).getTime() / 1000;
/** Ids of the same length, in order of creation. */
export const numbered = (letter: string, index: number) =>
  `${letter}0${(36 ** 7 + index * 7919).toString(36).toUpperCase()}`;
export const timestamp = (micros: number) => `${Math.floor(micros / 1e6)}.${String(micros % 1e6).padStart(6, "0")}`;
const tsOf = (index: number, fraction = 0) => timestamp(seconds(index) * 1e6 + index * 100 + fraction);

export const botProfile = {
  id: BOT.id,
  deleted: false,
  name: BOT.name,
  updated: seconds(0),
  app_id: APP_ID,
  icons: {
    image_36: "https://a.slack-edge.com/80588/img/plugins/app/bot_36.png",
    image_48: "https://a.slack-edge.com/80588/img/plugins/app/bot_48.png",
    image_72: "https://a.slack-edge.com/80588/img/plugins/app/service_72.png",
  },
  team_id: TEAM.id,
};

const authorOf = (index: number) => numbered("U", 2 + seeded(1000 + index).int(USERS - 2));

export const message = (index: number, text: string): Message => ({
  type: "message",
  ts: tsOf(index),
  text,
  user: authorOf(index),
  team: TEAM.id,
});

/** A message that nobody wrote. */
const notice = (index: number, subtype: string, text: string, from: Partial<Message>): Message => ({
  type: "message",
  subtype,
  ts: tsOf(index),
  text,
  ...from,
});

const fromBot = (index: number, text: string) =>
  notice(index, "bot_message", text, { username: "Deploy bot", bot_id: BOT.id });

/** The words of many bots are in attachments only. */
const alert = (index: number): Message => ({
  ...fromBot(index, ""),
  attachments: [
    { id: 1, fallback: `Build ${index} failed`, pretext: "CI &amp; CD", title: `Build ${index}`, text: "*failed*" },
    { id: 2, fallback: "Log of the build" },
  ],
});

/** Markup as people write it. */
const MARKUP = [
  `<@${numbered("U", 3)}> please read <https://example.com/x?a=1&amp;b=2|the report> &amp; tell <!here>`,
  `In <#${numbered("C", 1)}|random>: *bold*, _italic_, ~struck~ and \`code &lt;b&gt;\``,
  "&gt; quoted\n&gt; twice\nnot quoted",
  "```\nconst a = 1 &lt; 2;\n```\nwas the code",
  "• one\n• two\n1. three",
  "literal [brackets](x), # hash and 2 * 3 * 4 :tada:",
];

export function posted(index: number): Message {
  const user = authorOf(index);
  // What happened in the channel, and what is left of a deleted message.
  if (index % 25 === 3) return notice(index, "channel_join", `<@${user}> has joined the channel`, { user });
  if (index % 60 === 17) return notice(index, "tombstone", "This message was deleted.", { user: "USLACKBOT" });
  if (index % 60 === 37) return alert(index);
  const awkward = escapeEntities(awkwardTexts[index % awkwardTexts.length]!);
  const text =
    index % 7 === 0 ? awkward : index % 29 === 0 ? "" : index % 9 === 4 ? MARKUP[index % 6]! : `Message ${index}`;
  if (index % 13 === 5) return fromBot(index, text);
  // From an integration that no longer exists: there is no author.
  return index === 50 ? notice(index, "bot_message", text, { username: "old webhook" }) : message(index, text);
}

/** Makes a message a reply to another one. */
export function addReply(parent: Message, reply: Message): Message {
  parent.thread_ts = parent.ts;
  parent.reply_count = (parent.reply_count ?? 0) + 1;
  parent.latest_reply = reply.ts;
  return Object.assign(reply, { thread_ts: parent.ts });
}

/** Replies are not among the messages of a channel, except for the last one, if it was also sent there. */
export function lastReply(parent: Message, index: number): Message {
  const count = 1 + (index % 3);
  const last = { ...message(index, `Reply ${count} to message ${index}`), ts: tsOf(index, count) };
  Object.assign(parent, { reply_count: count - 1 });
  return addReply(parent, last);
}
