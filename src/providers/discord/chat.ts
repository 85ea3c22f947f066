import { type ChatChannel, type ChatMessage, type ChatUser, chat } from "../../categories/chat.ts";
import type { Answer } from "../../contracts/upstream.ts";
import { implement, list } from "../../provider-kit/implement.ts";
import { get, path, post } from "../../provider-kit/request.ts";
import { isoTime } from "../../provider-kit/time.ts";

// Only what is read here.
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

/** Text and announcements; the others are for voices, for posts of a forum, or hold further channels. */
const READABLE = [0, 5];
/** Pins, forwards and thread starters refer to a message as well, and answer none. */
const REPLY = 19;

/** No page says whether more follows: a short one is the last. */
const whereFull =
  <Item>(start: (items: Item[]) => string) =>
  ({ body }: Answer<Item[]>, { limit }: { limit: number }) =>
    body.length < limit ? null : start(body);

const highest = (ids: string[]) => ids.toSorted((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1)).at(-1)!;

const nameOf = ({ username, global_name }: DiscordUser) => global_name || username;

const toUser = ({ user, nick }: DiscordMember): ChatUser => ({ id: user.id, name: nick || nameOf(user) });

const toChannel = ({ id, name }: DiscordChannel): ChatChannel => ({ id, name: name || id });

const toMessage = ({ id, type, content, author, timestamp, message_reference }: DiscordMessage): ChatMessage => ({
  id,
  text: content,
  author: { id: author.id, name: nameOf(author) },
  created_at: isoTime(timestamp),
  thread_id: (type === REPLY && message_reference?.message_id) || null,
});

export default implement(chat, {
  // https://docs.discord.com/developers/resources/guild#list-guild-members
  listUsers: list({
    maxPageSize: 1000,
    items: (members: DiscordMember[]) => members,
    next: whereFull<DiscordMember>((members) => highest(members.map(({ user }) => user.id))),
    request: ({ limit, cursor }) => get("/members", {}, { limit, after: cursor }, { to: "guild" }),
    record: toUser,
  }),
  // All at once; threads are not among them. https://docs.discord.com/developers/resources/guild#get-guild-channels
  listChannels: list({
    maxPageSize: 500,
    ignoresPageSize: true,
    items: (channels: DiscordChannel[]) => channels.filter(({ type }) => READABLE.includes(type)),
    next: () => null,
    request: () => get("/channels", {}, {}, { to: "guild" }),
    record: toChannel,
  }),
  // https://docs.discord.com/developers/resources/message#get-channel-messages
  listMessages: list({
    maxPageSize: 100,
    items: (messages: DiscordMessage[]) => messages,
    next: whereFull<DiscordMessage>((messages) => messages.at(-1)!.id),
    request: ({ input, limit, cursor }) =>
      get(
        path`/channels/${input.channel_id}/messages`,
        {},
        { limit, before: cursor, after: undefined, around: undefined },
      ),
    record: toMessage,
  }),
  // A text may call a person, but not everybody: https://docs.discord.com/developers/resources/message#allowed-mentions-object
  sendMessage: {
    request: ({ input }) =>
      post(path`/channels/${input.channel_id}/messages`, {
        content: input.text,
        allowed_mentions: { parse: ["users"] },
      }),
  },
});
