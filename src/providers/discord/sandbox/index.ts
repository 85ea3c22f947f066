import type { EmulatedReply, EmulatedRequest } from "../../../contracts/emulator.ts";
import { emulate, isReply, reply } from "../../../emulator-kit/emulator.ts";
import { changes } from "./changes.ts";
import {
  BOT,
  GUILD_ID,
  guild,
  HIDDEN_CHANNEL,
  type Message,
  makeState,
  message,
  type State,
  snowflake,
} from "./data.ts";

const MAX_TEXT_LENGTH = 2000;

const errorReply = (status: number, code: number, message: string, more: object = {}) =>
  reply(status, { message, code, ...more });

/** https://docs.discord.com/developers/reference#error-messages */
const badField = (field: string, code: string, message: string) =>
  errorReply(400, 50035, "Invalid Form Body", { errors: { [field]: { _errors: [{ code, message }] } } });

/** A page size that is out of range is refused, not reduced. */
function pageSize({ query }: EmulatedRequest, defaultSize: number, maxSize: number): { limit: number } | EmulatedReply {
  const limit = Number(query.get("limit") ?? defaultSize);
  if (!Number.isInteger(limit)) return badField("limit", "NUMBER_TYPE_COERCE", "Value is not int.");
  if (limit < 1) return badField("limit", "NUMBER_TYPE_MIN", "int value should be greater than or equal to 1.");
  if (limit > maxSize)
    return badField("limit", "NUMBER_TYPE_MAX", `int value should be less than or equal to ${maxSize}.`);
  return { limit };
}

/** Refuses `before`, `after` or `around` if it is not an id. */
function badPosition({ query }: EmulatedRequest): EmulatedReply | undefined {
  const invalid = ["before", "after", "around"].find((name) => !/^\d*$/.test(query.get(name) ?? ""));
  return invalid === undefined
    ? undefined
    : badField(invalid, "NUMBER_TYPE_COERCE", `Value "${query.get(invalid)}" is not snowflake.`);
}

function listMembers(request: EmulatedRequest, { members }: State): EmulatedReply {
  if (request.params.guild !== GUILD_ID) return errorReply(404, 10004, "Unknown Guild");
  const size = badPosition(request) ?? pageSize(request, 1, 1000);
  if (isReply(size)) return size;
  const after = BigInt(request.query.get("after") ?? 0);
  return reply(200, members.filter(({ user }) => BigInt(user.id) > after).slice(0, size.limit));
}

/** The messages around, before or after one of them, newest first. */
function selectMessages(messages: Message[], query: URLSearchParams, limit: number): Message[] {
  const [before, after, around] = ["before", "after", "around"].map((name) => query.get(name));
  if (around) {
    const at = messages.findIndex(({ id }) => BigInt(id) <= BigInt(around));
    return messages.slice(Math.max(0, at - (limit >> 1)), at + Math.ceil(limit / 2));
  }
  if (before) return messages.filter(({ id }) => BigInt(id) < BigInt(before)).slice(0, limit);
  if (after) return messages.filter(({ id }) => BigInt(id) > BigInt(after)).slice(-limit);
  return messages.slice(0, limit);
}

/** Categories and forums contain no messages, and one channel is hidden from the bot. */
function findChannel({ params }: EmulatedRequest, { channels }: State): { id: string } | EmulatedReply {
  const channel = channels.find(({ id }) => id === params.channel);
  if (!channel) return errorReply(404, 10003, "Unknown Channel");
  if (channel.id === HIDDEN_CHANNEL) return errorReply(403, 50001, "Missing Access");
  if (channel.type === 4 || channel.type === 15)
    return errorReply(400, 50024, "Cannot execute action on this channel type");
  return channel;
}

function listMessages(request: EmulatedRequest, state: State): EmulatedReply {
  const channel = findChannel(request, state);
  if (isReply(channel)) return channel;
  const size = badPosition(request) ?? pageSize(request, 50, 100);
  if (isReply(size)) return size;
  return reply(200, selectMessages(state.messages.get(channel.id) ?? [], request.query, size.limit));
}

function createMessage(request: EmulatedRequest, state: State): EmulatedReply {
  const channel = findChannel(request, state);
  if (isReply(channel)) return channel;
  const content = String(request.body?.content ?? "");
  if (!content.trim()) return errorReply(400, 50006, "Cannot send an empty message");
  if (content.length > MAX_TEXT_LENGTH)
    return badField("content", "BASE_TYPE_MAX_LENGTH", `Must be ${MAX_TEXT_LENGTH} or fewer in length.`);
  const messages = state.messages.get(channel.id) ?? [];
  state.messages.set(channel.id, messages);
  const now = Date.now();
  const sent = message(snowflake(now, messages.length), channel.id, BOT, content, now);
  const replied = request.body.message_reference?.message_id;
  if (replied !== undefined) {
    const original = messages.find(({ id }) => id === replied);
    if (!original) return badField("message_reference", "REPLIES_UNKNOWN_MESSAGE", "Unknown message");
    Object.assign(sent, {
      type: 19,
      message_reference: { type: 0, channel_id: channel.id, message_id: replied },
      referenced_message: original,
    });
  }
  const mayMentionEveryone = request.body.allowed_mentions?.parse?.includes("everyone") ?? true;
  sent.mention_everyone = mayMentionEveryone && /@(everyone|here)/.test(content);
  messages.unshift(sent);
  return reply(200, sent);
}

const ERRORS: Record<number, [code: number, message: string]> = {
  400: [50035, "Invalid Form Body"],
  403: [50001, "Missing Access"],
};
const STATUS_TEXTS: Record<number, string> = { 401: "Unauthorized", 404: "Not Found", 500: "Internal Server Error" };

function failure(status: number): EmulatedReply {
  if (status === 429)
    return reply(
      429,
      { message: "You are being rate limited.", retry_after: 0.75, global: false },
      { "retry-after": "1", "x-ratelimit-scope": "user" },
    );
  const [code, message] = ERRORS[status] ?? [0, `${status}: ${STATUS_TEXTS[status] ?? "Error"}`];
  return errorReply(status, code, message);
}

export default emulate<State>({
  state: makeState,
  changes,
  failure,
  settings: { guild_id: GUILD_ID },
  // A token is accepted only with the prefix "Bot". https://docs.discord.com/developers/reference#authentication
  credential: ({ headers }) => /^Bot (\S+)$/.exec(headers.authorization ?? "")?.[1],
  headers: () => ({
    "x-ratelimit-limit": "5",
    "x-ratelimit-remaining": "4",
    "x-ratelimit-reset": (Date.now() / 1000 + 1).toFixed(3),
    "x-ratelimit-reset-after": "1.000",
    "x-ratelimit-bucket": "0123456789abcdef0123456789abcdef",
    via: "1.1 google",
  }),
  routes: {
    "GET /api/v10/users/@me": () => reply(200, { ...BOT, mfa_enabled: true, locale: "en-US", verified: true }),
    "GET /api/v10/guilds/:guild": ({ params }) =>
      params.guild === GUILD_ID ? reply(200, guild) : errorReply(404, 10004, "Unknown Guild"),
    "GET /api/v10/guilds/:guild/members": listMembers,
    "GET /api/v10/guilds/:guild/channels": ({ params }, { channels }) =>
      params.guild === GUILD_ID ? reply(200, channels) : errorReply(404, 10004, "Unknown Guild"),
    "GET /api/v10/channels/:channel/messages": listMessages,
    "POST /api/v10/channels/:channel/messages": createMessage,
  },
});
