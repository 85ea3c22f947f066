import {
  type Answer,
  type ChatChannel,
  type ChatMessage,
  type ChatUser,
  type Context,
  chat,
  get,
  implement,
  isoTime,
  list,
  orNull,
  path,
  taggedMarkdownToMarkdown,
} from "../../provider-kit/index.ts";
import { writes } from "./writes.ts";

// Only the fields that are read here.
export interface DiscordUser {
  id: string;
  username: string;
  global_name?: string | null;
  /** The hash of the picture. */
  avatar?: string | null;
  /** Left out if false. */
  bot?: boolean;
  email?: string | null;
}
export interface DiscordMember {
  user: DiscordUser;
  nick?: string | null;
  /** A picture for this server only. */
  avatar?: string | null;
}
export interface DiscordChannel {
  id: string;
  type: number;
  name?: string | null;
  topic?: string | null;
  permission_overwrites?: { id: string; deny: string }[];
}
interface DiscordContent {
  content: string;
  mentions?: DiscordUser[];
  embeds?: { title?: string; description?: string }[];
}
export interface DiscordMessage extends DiscordContent {
  id: string;
  type: number;
  channel_id: string;
  author: DiscordUser;
  timestamp: string;
  message_reference?: { message_id?: string };
  /** What a forwarded message says. */
  message_snapshots?: { message: DiscordContent }[];
}

/** Text and announcement channels. The other types are for voice or forum posts, or contain other channels. */
const TEXT_CHANNEL_TYPES = [0, 5];
/** Pins, forwards and thread starters also refer to a message, but are not replies. */
const REPLY_TYPE = 19;
/**
 * Messages, replies and the answers of commands. The other types report what happened on the server.
 * https://docs.discord.com/developers/resources/message#message-object-message-types
 */
const WRITTEN_TYPES = [0, REPLY_TYPE, 20, 23];

/** Discord does not say whether there is a next page: one that is not full is the last. */
const nextUnlessShort =
  <Item>(cursorOf: (items: Item[]) => string) =>
  ({ body }: Answer<Item[]>, { limit }: { limit: number }) =>
    body.length < limit ? null : cursorOf(body);

const highestId = (ids: string[]) => ids.toSorted((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1)).at(-1)!;

const nameOf = ({ username, global_name }: DiscordUser) => global_name || username;

/** https://docs.discord.com/developers/reference#image-formatting */
const picture = (path: string) => `https://cdn.discordapp.com/${path}.png`;

export const toUser = (user: DiscordUser): ChatUser => ({
  id: user.id,
  name: nameOf(user),
  email: orNull(user.email),
  avatar_url: user.avatar ? picture(`avatars/${user.id}/${user.avatar}`) : null,
  is_bot: user.bot ?? false,
});

type Settings = Pick<Context, "settings">;

function toMember({ user, nick, avatar }: DiscordMember, { settings }: Settings): ChatUser {
  const known = toUser(user);
  return {
    ...known,
    name: nick || known.name,
    avatar_url: avatar ? picture(`guilds/${settings.guild_id}/users/${user.id}/avatars/${avatar}`) : known.avatar_url,
  };
}

/** https://docs.discord.com/developers/topics/permissions#permissions-bitwise-permission-flags */
const VIEW_CHANNEL = 1n << 10n;

/** The role that everyone has is named by the server's id. In a private channel it may not view the channel. */
const toChannel = (channel: DiscordChannel, { settings }: Settings): ChatChannel => ({
  id: channel.id,
  name: channel.name || channel.id,
  is_private:
    channel.permission_overwrites?.some(
      ({ id, deny }) => id === settings.guild_id && (BigInt(deny) & VIEW_CHANNEL) !== 0n,
    ) ?? null,
  topic: taggedMarkdownToMarkdown(channel.topic),
});

const embedText = ({ embeds = [] }: DiscordContent) =>
  embeds
    .flatMap(({ title, description }) => [title, description])
    .filter(Boolean)
    .join("\n\n");

/** The words of a message, or those of its embeds. */
function wordsOf(message: DiscordContent): string | null {
  const names = new Map(message.mentions?.map((user) => [user.id, nameOf(user)]));
  const mentions = (id: string) => names.get(id);
  return (
    taggedMarkdownToMarkdown(message.content, { mentions }) ??
    taggedMarkdownToMarkdown(embedText(message), { mentions })
  );
}

/** A message that forwards another one has no words of its own. */
function textOf(message: DiscordMessage): string | null {
  const forwarded = message.message_snapshots?.[0]?.message;
  return wordsOf(message) ?? (forwarded ? wordsOf(forwarded) : null);
}

const toMessage = (message: DiscordMessage, { settings }: Settings): ChatMessage => ({
  id: message.id,
  text: textOf(message),
  author: { id: message.author.id, name: nameOf(message.author) },
  created_at: isoTime(message.timestamp),
  thread_id: (message.type === REPLY_TYPE && message.message_reference?.message_id) || null,
  url: `https://discord.com/channels/${settings.guild_id}/${message.channel_id}/${message.id}`,
});

export default implement(chat, {
  // https://docs.discord.com/developers/resources/guild#list-guild-members
  listUsers: list({
    maxPageSize: 1000,
    items: (members: DiscordMember[]) => members,
    next: nextUnlessShort<DiscordMember>((members) => highestId(members.map(({ user }) => user.id))),
    request: ({ limit, cursor }) => get("/members", {}, { limit, after: cursor }, { to: "guild" }),
    record: toMember,
  }),
  // Returns all channels in one response, without threads. https://docs.discord.com/developers/resources/guild#get-guild-channels
  listChannels: list({
    maxPageSize: 500,
    ignoresPageSize: true,
    items: (channels: DiscordChannel[]) => channels,
    next: () => null,
    keep: ({ type }) => TEXT_CHANNEL_TYPES.includes(type),
    request: () => get("/channels", {}, {}, { to: "guild" }),
    record: toChannel,
  }),
  // https://docs.discord.com/developers/resources/message#get-channel-messages
  listMessages: list({
    maxPageSize: 100,
    items: (messages: DiscordMessage[]) => messages,
    next: nextUnlessShort<DiscordMessage>((messages) => messages.at(-1)!.id),
    keep: ({ type }) => WRITTEN_TYPES.includes(type),
    request: ({ input, limit, cursor }) =>
      get(
        path`/channels/${input.channel_id}/messages`,
        {},
        { limit, before: cursor, after: undefined, around: undefined },
      ),
    record: toMessage,
  }),
  ...writes,
});
