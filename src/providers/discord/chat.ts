import { type ChatChannel, type ChatMessage, type ChatUser, chat } from "../../categories/chat.ts";
import type { Answer } from "../../contracts/upstream.ts";
import { implement, list } from "../../provider-kit/implement.ts";
import { get, path, post } from "../../provider-kit/request.ts";
import { isoTime } from "../../provider-kit/time.ts";

// Only the fields that are read here.
export interface DiscordUser {
  id: string;
  username: string;
  global_name?: string | null;
}
export interface DiscordMember {
  user: DiscordUser;
  nick?: string | null;
}
export interface DiscordChannel {
  id: string;
  type: number;
  name?: string | null;
}
export interface DiscordMessage {
  id: string;
  type: number;
  content: string;
  author: DiscordUser;
  timestamp: string;
  message_reference?: { message_id?: string };
}

/** Text and announcement channels. The other types are for voice or forum posts, or contain other channels. */
const TEXT_CHANNEL_TYPES = [0, 5];
/** Pins, forwards and thread starters also refer to a message, but are not replies. */
const REPLY_TYPE = 19;

/** Discord does not say whether there is a next page: one that is not full is the last. */
const nextUnlessShort =
  <Item>(cursorOf: (items: Item[]) => string) =>
  ({ body }: Answer<Item[]>, { limit }: { limit: number }) =>
    body.length < limit ? null : cursorOf(body);

const highestId = (ids: string[]) => ids.toSorted((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1)).at(-1)!;

const nameOf = ({ username, global_name }: DiscordUser) => global_name || username;

const toUser = ({ user, nick }: DiscordMember): ChatUser => ({ id: user.id, name: nick || nameOf(user) });

const toChannel = ({ id, name }: DiscordChannel): ChatChannel => ({ id, name: name || id });

const toMessage = ({ id, type, content, author, timestamp, message_reference }: DiscordMessage): ChatMessage => ({
  id,
  text: content,
  author: { id: author.id, name: nameOf(author) },
  created_at: isoTime(timestamp),
  thread_id: (type === REPLY_TYPE && message_reference?.message_id) || null,
});

export default implement(chat, {
  // https://docs.discord.com/developers/resources/guild#list-guild-members
  listUsers: list({
    maxPageSize: 1000,
    items: (members: DiscordMember[]) => members,
    next: nextUnlessShort<DiscordMember>((members) => highestId(members.map(({ user }) => user.id))),
    request: ({ limit, cursor }) => get("/members", {}, { limit, after: cursor }, { to: "guild" }),
    record: toUser,
  }),
  // Returns all channels at once, without threads. https://docs.discord.com/developers/resources/guild#get-guild-channels
  listChannels: list({
    maxPageSize: 500,
    ignoresPageSize: true,
    items: (channels: DiscordChannel[]) => channels.filter(({ type }) => TEXT_CHANNEL_TYPES.includes(type)),
    next: () => null,
    request: () => get("/channels", {}, {}, { to: "guild" }),
    record: toChannel,
  }),
  // https://docs.discord.com/developers/resources/message#get-channel-messages
  listMessages: list({
    maxPageSize: 100,
    items: (messages: DiscordMessage[]) => messages,
    next: nextUnlessShort<DiscordMessage>((messages) => messages.at(-1)!.id),
    request: ({ input, limit, cursor }) =>
      get(
        path`/channels/${input.channel_id}/messages`,
        {},
        { limit, before: cursor, after: undefined, around: undefined },
      ),
    record: toMessage,
  }),
  // A text may mention users, but not everyone: https://docs.discord.com/developers/resources/message#allowed-mentions-object
  sendMessage: {
    request: ({ input }) =>
      post(path`/channels/${input.channel_id}/messages`, {
        content: input.text,
        allowed_mentions: { parse: ["users"] },
      }),
  },
});
