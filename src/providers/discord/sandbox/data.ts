import { alike, awkwardTexts, hour, seeded, times } from "../../../emulator-kit/index.ts";

const MEMBERS = 270;
const CHANNELS = 340;
/** Messages in the first text channel. */
const MESSAGES = 310;

const EPOCH = Date.UTC(2015, 0, 1);

/** An id contains the time at which it was created. https://docs.discord.com/developers/reference#snowflakes */
export const snowflake = (time: number, sequence = 0) => String((BigInt(time - EPOCH) << 22n) + BigInt(sequence));
const idAt = (index: number, sequence: number) => snowflake(hour(index).getTime(), sequence);

export const GUILD_ID = idAt(0, 1);
export const BOT_ID = idAt(0, 2);
const memberId = (index: number) => idAt(index, 3);
const channelId = (index: number) => idAt(index, 4);
/** The last channel is hidden from the bot. */
export const HIDDEN_CHANNEL = channelId(CHANNELS - 1);
const messageId = (index: number) => idAt(index, 5);

export const discordTime = (time: number) => new Date(time).toISOString().replace("Z", "000+00:00");

const user = (id: string, username: string, global_name: string | null, index: number) => ({
  id,
  username,
  avatar: index % 3 === 0 ? null : seeded(index + 1).hex(32),
  discriminator: "0",
  global_name,
  ...alike("public_flags flags", 0),
  ...alike("banner primary_guild", null),
});

export type User = ReturnType<typeof user> & { bot?: boolean };

export const BOT: User = { ...user(BOT_ID, "plugboard", null, 0), discriminator: "4242", bot: true };

/** Most people have a display name, some also a nickname on the server, a few only a username. */
function person(index: number): User {
  if (index % 31 === 7) return user(memberId(index), `deleted_user_${seeded(index).hex(12)}`, null, index);
  const awkward = awkwardTexts[index % awkwardTexts.length]!;
  const display = index % 9 === 0 ? awkward : index % 4 === 1 ? null : `Person ${index}`;
  return user(memberId(index), `person_${index}`, display, index);
}

const member = (user: User, index: number) => ({
  avatar: index % 11 === 4 ? seeded(index + 9).hex(32) : null,
  flags: 0,
  joined_at: discordTime(hour(index).getTime()),
  nick: index % 7 === 2 ? `Nick ${index} 🎈` : null,
  roles: index % 5 === 0 ? [idAt(index, 6)] : [],
  user,
  ...alike("banner communication_disabled_until premium_since", null),
  ...alike("pending mute deaf", false),
});

/** Channel types other than text: announcement, voice, stage and forum channels, and categories. */
const CHANNEL_TYPES: Record<number, number> = { 3: 4, 8: 2, 11: 5, 14: 15, 17: 13 };

function channel(index: number) {
  const type = CHANNEL_TYPES[index % 20] ?? 0;
  const names = ["general", "grüße-aus-köln", "日本語", "announcements", "👋-welcome"];
  return {
    id: channelId(index),
    type,
    last_message_id: index === 0 ? messageId(MESSAGES - 1) : null,
    flags: 0,
    guild_id: GUILD_ID,
    name: names[index] ?? `channel-${index}`,
    topic: index % 3 === 0 ? null : `About ${index}`,
    position: index,
    // Everyone has a role with the server's id; 1024 is the permission to view the channel.
    permission_overwrites:
      index % 6 === 5
        ? [{ id: GUILD_ID, type: 0, allow: "0", deny: "1024" }]
        : index % 6 === 4
          ? [{ id: idAt(index, 6), type: 0, allow: "0", deny: "3072" }]
          : [],
  };
}

export type Channel = ReturnType<typeof channel>;

const EMPTY = alike("attachments mention_roles components", []);

export const message = (id: string, channel_id: string, author: User, content: string, time: number) => ({
  id,
  type: 0,
  content,
  channel_id,
  author,
  embeds: [] as { type: "rich"; title: string; description: string }[],
  mentions: [] as User[],
  mention_everyone: false,
  timestamp: discordTime(time),
  edited_timestamp: null as string | null,
  flags: 0,
  ...alike("pinned tts", false),
  ...EMPTY,
});

export interface Message extends ReturnType<typeof message> {
  webhook_id?: string;
  message_reference?: { type: number; channel_id: string; message_id: string; guild_id: string };
  message_snapshots?: { message: object }[];
  referenced_message?: Message | null;
}

/** A message as quoted in a reply: without the message that it quotes itself. */
const quoted = ({ message_reference: _, referenced_message: __, message_snapshots: ___, ...rest }: Message): Message =>
  rest;

const snapshot = ({ type, content, mentions, embeds, timestamp }: Message) => ({
  message: { type, content, mentions, embeds, timestamp, edited_timestamp: null, flags: 0, ...EMPTY },
});

/** Markup as people write it. */
const MARKUP = [
  "<@SOMEONE> and <@!OTHER>: see <#1> <:party:41771983423143937> <t:1618953630:R>",
  "**bold** *italic* __underlined__ ~~struck~~ ||spoiler||",
  "-# small print\r\nafter a Windows line end",
  "```ts\nconst id = '<@SOMEONE>';\n```",
  "<b>not HTML</b> & <https://example.com/quiet>",
];

/** What is different in some messages. `earlier` was written a few messages before. */
function special(index: number, earlier: Message, channel_id: string, people: User[]): Partial<Message> {
  const referTo = (message_id: string, type = 0) => ({ type, channel_id, message_id, guild_id: GUILD_ID });
  // Sometimes the original message of a reply was deleted; only its id remains.
  if (index % 30 === 7) return { type: 19, message_reference: referTo(idAt(index - 5, 9)), referenced_message: null };
  if (index % 10 === 7)
    return { type: 19, message_reference: referTo(earlier.id), referenced_message: quoted(earlier) };
  const webhook_id = idAt(index, 7);
  switch (index % 40) {
    case 12:
      return { webhook_id, author: { ...user(webhook_id, "Deploy hook", null, 0), discriminator: "0000", bot: true } };
    // The words of many bots are in embeds only.
    case 15:
      return { content: "", embeds: [{ type: "rich", title: `Build ${index}`, description: "**failed**" }] };
    // Somebody joined.
    case 22:
      return { type: 7, content: "" };
    // A picture without a text.
    case 25:
      return { content: "" };
    // A message was pinned.
    case 32:
      return { type: 6, content: "", message_reference: referTo(earlier.id) };
    case 35:
      return { content: "", message_reference: referTo(earlier.id, 1), message_snapshots: [snapshot(earlier)] };
  }
  if (index % 8 !== 1) return {};
  const [someone, other] = [people[3]!, people[4]!];
  const content = MARKUP[index % MARKUP.length]!.replaceAll("SOMEONE", someone.id).replaceAll("OTHER", other.id);
  return { mentions: [someone, other], content };
}

/** Oldest first. */
function makeMessages(channel_id: string, people: User[]): Message[] {
  const messages: Message[] = [];
  for (let index = 0; index < MESSAGES; index++) {
    const text = index % 6 === 0 ? awkwardTexts[index % awkwardTexts.length]! : `Message ${index}`;
    const author = people[seeded(500 + index).int(people.length)]!;
    const made = message(messageId(index), channel_id, author, text, hour(index).getTime());
    messages.push({ ...made, ...special(index, messages[index - 5]!, channel_id, people) });
  }
  return messages;
}

export interface State {
  /** Sorted by id. */
  members: ReturnType<typeof member>[];
  channels: Channel[];
  /** By channel, newest first. */
  messages: Map<string, Message[]>;
}

export function makeState(): State {
  const people = times(MEMBERS - 1, (index) => person(index + 1));
  const channels = times(CHANNELS, channel);
  const general = channels[0]!.id;
  return {
    members: [BOT, ...people].map(member),
    channels,
    messages: new Map([[general, makeMessages(general, people).reverse()]]),
  };
}

export const guild = {
  id: GUILD_ID,
  name: "Plugboard Sandbox",
  owner_id: memberId(1),
  region: "deprecated",
  afk_timeout: 300,
  verification_level: 1,
  max_members: 500_000,
  max_stage_video_channel_users: 50,
  max_video_channel_users: 25,
  preferred_locale: "en-US",
  ...alike("features roles emojis stickers", []),
  ...alike("widget_enabled premium_progress_bar_enabled nsfw", false),
  ...alike("system_channel_flags default_message_notifications mfa_level explicit_content_filter", 0),
  ...alike("premium_tier premium_subscription_count nsfw_level", 0),
  ...alike("icon description home_header splash discovery_splash banner application_id afk_channel_id", null),
  ...alike("system_channel_id widget_channel_id max_presences vanity_url_code rules_channel_id", null),
  ...alike("safety_alerts_channel_id public_updates_channel_id incidents_data", null),
};
