import { awkwardTexts, hour, seeded } from "../../../emulator-kit/data.ts";
import { escapeEntities } from "../../../provider-kit/text/escape.ts";

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
  client_msg_id?: string;
  team?: string;
  thread_ts?: string;
  parent_user_id?: string;
  reply_count?: number;
  reply_users_count?: number;
  reply_users?: string[];
  latest_reply?: string;
  subscribed?: boolean;
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

export function message(index: number, text: string): Message {
  const random = seeded(1000 + index);
  return {
    type: "message",
    ts: tsOf(index),
    text,
    user: numbered("U", 2 + random.int(USERS - 2)),
    client_msg_id: [8, 4, 4, 4, 12].map((length) => random.hex(length)).join("-"),
    team: TEAM.id,
  };
}

const fromBot = (index: number, text: string): Message => ({
  type: "message",
  subtype: "bot_message",
  ts: tsOf(index),
  text,
  username: "Deploy bot",
  bot_id: BOT.id,
});

/** From an integration that no longer exists: there is no author. */
const withoutAuthor = (index: number, text: string): Message => ({
  type: "message",
  subtype: "bot_message",
  ts: tsOf(index),
  text,
  username: "old webhook",
});

/** What happened in the channel, and what is left of a deleted message. */
const joined = (index: number): Message => {
  const posted = message(index, "");
  return {
    type: "message",
    subtype: "channel_join",
    ts: posted.ts,
    user: posted.user!,
    text: `<@${posted.user}> has joined the channel`,
  };
};
const deletedMessage = (index: number): Message => ({
  type: "message",
  subtype: "tombstone",
  ts: tsOf(index),
  user: "USLACKBOT",
  text: "This message was deleted.",
});

/** The words of many bots are in attachments only. */
const alert = (index: number): Message => ({
  ...fromBot(index, ""),
  attachments: [
    {
      id: 1,
      fallback: `Build ${index} failed`,
      pretext: "CI & CD".replace("&", "&amp;"),
      title: `Build ${index}`,
      text: "*failed*",
    },
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
  if (index % 25 === 3) return joined(index);
  if (index % 60 === 17) return deletedMessage(index);
  if (index % 60 === 37) return alert(index);
  const awkward = escapeEntities(awkwardTexts[index % awkwardTexts.length]!);
  const text =
    index % 7 === 0 ? awkward : index % 29 === 0 ? "" : index % 9 === 4 ? MARKUP[index % 6]! : `Message ${index}`;
  if (index % 13 === 5) return fromBot(index, text);
  return index === 50 ? withoutAuthor(index, text) : message(index, text);
}

export function addReply(parent: Message, thread: Message[], reply: Message): void {
  thread.push(reply);
  const author = reply.user ?? BOT.user;
  parent.thread_ts = parent.ts;
  parent.reply_count = thread.length;
  parent.reply_users = [...new Set([...(parent.reply_users ?? []), author])];
  parent.reply_users_count = parent.reply_users.length;
  parent.latest_reply = reply.ts;
  parent.subscribed = false;
}

export function makeThread(parent: Message, index: number): Message[] {
  const thread: Message[] = [];
  for (let number = 1; number <= 1 + (index % 3); number++)
    addReply(parent, thread, {
      ...message(index, `Reply ${number} to message ${index}`),
      ts: tsOf(index, number),
      thread_ts: parent.ts,
      ...(parent.user ? { parent_user_id: parent.user } : {}),
    });
  return thread;
}
