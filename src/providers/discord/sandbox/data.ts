import { awkwardTexts, hour, seeded, times } from "../../../emulator-kit/data.ts";

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

function user(id: string, username: string, global_name: string | null, index: number) {
  return {
    id,
    username,
    avatar: index % 3 === 0 ? null : seeded(index + 1).hex(32),
    discriminator: "0",
    public_flags: 0,
    flags: 0,
    banner: null,
    accent_color: null,
    global_name,
    avatar_decoration_data: null,
    collectibles: null,
    primary_guild: null,
  };
}

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
  banner: null,
  communication_disabled_until: null,
  flags: 0,
  joined_at: discordTime(hour(index).getTime()),
  nick: index % 7 === 2 ? `Nick ${index} 🎈` : null,
  pending: false,
  premium_since: null,
  roles: index % 5 === 0 ? [idAt(index, 6)] : [],
  user,
  mute: false,
  deaf: false,
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
    parent_id: null,
    rate_limit_per_user: 0,
    topic: index % 3 === 0 ? null : `About ${index}`,
    position: index,
    // Everyone has a role with the server's id; 1024 is the permission to view the channel.
    permission_overwrites:
      index % 6 === 5
        ? [{ id: GUILD_ID, type: 0, allow: "0", deny: "1024" }]
        : index % 6 === 4
          ? [{ id: idAt(index, 6), type: 0, allow: "0", deny: "3072" }]
          : [],
    nsfw: false,
  };
}

export type Channel = ReturnType<typeof channel>;

export interface Message {
  id: string;
  type: number;
  content: string;
  channel_id: string;
  author: User;
  attachments: never[];
  embeds: { type: "rich"; title?: string; description?: string }[];
  mentions: User[];
  mention_roles: never[];
  mention_everyone: boolean;
  pinned: boolean;
  tts: boolean;
  timestamp: string;
  edited_timestamp: string | null;
  flags: number;
  components: never[];
  webhook_id?: string;
  message_reference?: { type: number; channel_id: string; message_id?: string; guild_id: string };
  message_snapshots?: { message: object }[];
  referenced_message?: Message | null;
}

export const message = (id: string, channel_id: string, author: User, content: string, time: number): Message => ({
  id,
  type: 0,
  content,
  channel_id,
  author,
  attachments: [],
  embeds: [],
  mentions: [],
  mention_roles: [],
  mention_everyone: false,
  pinned: false,
  tts: false,
  timestamp: discordTime(time),
  edited_timestamp: null,
  flags: 0,
  components: [],
});

/** A message as quoted in a reply: without the message that it quotes itself. */
const quoted = ({ message_reference: _, referenced_message: __, message_snapshots: ___, ...rest }: Message): Message =>
  rest;

function snapshot({ type, content, mentions, mention_roles, attachments, embeds, timestamp, components }: Message) {
  const minimal = { type, content, mentions, mention_roles, attachments, embeds, timestamp, components };
  return { message: { ...minimal, edited_timestamp: null, flags: 0 } };
}

/** Markup as people write it. */
const MARKUP = [
  "<@SOMEONE> and <@!OTHER>: see <#1> <:party:41771983423143937> <t:1618953630:R>",
  "**bold** *italic* __underlined__ ~~struck~~ ||spoiler||",
  "-# small print\r\nafter a Windows line end",
  "```ts\nconst id = '<@SOMEONE>';\n```",
  "<b>not HTML</b> & <https://example.com/quiet>",
];

/** Oldest first. */
function makeMessages(channel_id: string, people: User[]): Message[] {
  const messages: Message[] = [];
  for (let index = 0; index < MESSAGES; index++) {
    const awkward = awkwardTexts[index % awkwardTexts.length]!;
    const text = index % 6 === 0 ? awkward : `Message ${index}`;
    const author = people[seeded(500 + index).int(people.length)]!;
    const created = message(messageId(index), channel_id, author, text, hour(index).getTime());
    const referTo = (message_id: string, type = 0) => ({ type, channel_id, message_id, guild_id: GUILD_ID });
    const earlier = messages[index - 5];
    if (index % 10 === 7 && earlier) {
      created.type = 19;
      // Sometimes the original message was deleted; only its id remains.
      const isDeleted = index % 30 === 7;
      created.message_reference = referTo(isDeleted ? idAt(index - 5, 9) : earlier.id);
      created.referenced_message = isDeleted ? null : quoted(earlier);
    } else if (index % 40 === 12) {
      created.webhook_id = idAt(index, 7);
      created.author = { ...user(created.webhook_id, "Deploy hook", null, 0), discriminator: "0000", bot: true };
    } else if (index % 40 === 22) {
      // Somebody joined.
      created.type = 7;
      created.content = "";
    } else if (index % 40 === 32 && earlier) {
      // A message was pinned.
      created.type = 6;
      created.content = "";
      created.message_reference = referTo(earlier.id);
    } else if (index % 40 === 35 && earlier) {
      created.content = "";
      created.message_reference = referTo(earlier.id, 1);
      created.message_snapshots = [snapshot(earlier)];
    } else if (index % 40 === 15) {
      // The words of many bots are in embeds only.
      created.content = "";
      created.embeds = [{ type: "rich", title: `Build ${index}`, description: "**failed**" }];
    } else if (index % 40 === 25) {
      // A picture without a text.
      created.content = "";
    } else if (index % 8 === 1) {
      const [someone, other] = [people[3]!, people[4]!];
      created.mentions = [someone, other];
      created.content = MARKUP[index % MARKUP.length]!.replaceAll("SOMEONE", someone.id).replaceAll("OTHER", other.id);
    }
    messages.push(created);
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
  icon: null,
  description: null,
  home_header: null,
  splash: null,
  discovery_splash: null,
  features: [],
  banner: null,
  owner_id: memberId(1),
  application_id: null,
  region: "deprecated",
  afk_channel_id: null,
  afk_timeout: 300,
  system_channel_id: null,
  system_channel_flags: 0,
  widget_enabled: false,
  widget_channel_id: null,
  verification_level: 1,
  roles: [],
  default_message_notifications: 0,
  mfa_level: 0,
  explicit_content_filter: 0,
  max_presences: null,
  max_members: 500_000,
  max_stage_video_channel_users: 50,
  max_video_channel_users: 25,
  vanity_url_code: null,
  premium_tier: 0,
  premium_subscription_count: 0,
  preferred_locale: "en-US",
  rules_channel_id: null,
  safety_alerts_channel_id: null,
  public_updates_channel_id: null,
  premium_progress_bar_enabled: false,
  nsfw: false,
  nsfw_level: 0,
  emojis: [],
  stickers: [],
  incidents_data: null,
};
