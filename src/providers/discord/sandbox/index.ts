import {
  collection,
  type EmulatedReply,
  type EmulatedRequest,
  emulate,
  listAt,
  refuse,
  reply,
  wholeNumber,
} from "../../../emulator-kit/index.ts";
import { changes } from "./changes.ts";
import {
  BOT,
  type Channel,
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

/** A page size that is out of range is refused, not reduced. So is a position that is not an id. */
function pageSize({ query }: EmulatedRequest, fallback: number, max: number): number {
  const invalid = ["before", "after", "around"].find((name) => !/^\d*$/.test(query.get(name) ?? ""));
  if (invalid) refuse(badField(invalid, "NUMBER_TYPE_COERCE", `Value "${query.get(invalid)}" is not snowflake.`));
  return wholeNumber(query.get("limit"), { fallback, max }, () =>
    badField("limit", "NUMBER_TYPE_MAX", `int value should be between 1 and ${max}.`),
  );
}

const guilds = collection({
  items: (_: State) => [guild],
  parameter: "guild",
  notFound: () => errorReply(404, 10004, "Unknown Guild"),
});

const channels = collection({
  items: ({ channels }: State) => channels,
  parameter: "channel",
  notFound: () => errorReply(404, 10003, "Unknown Channel"),
});

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
function checkChannel({ id, type }: Channel): void {
  if (id === HIDDEN_CHANNEL) refuse(errorReply(403, 50001, "Missing Access"));
  if (type === 4 || type === 15) refuse(errorReply(400, 50024, "Cannot execute action on this channel type"));
}

function listMessages(channel: Channel, request: EmulatedRequest, { messages }: State): EmulatedReply {
  checkChannel(channel);
  const limit = pageSize(request, 50, 100);
  return reply(200, selectMessages(messages.get(channel.id) ?? [], request.query, limit));
}

function createMessage(channel: Channel, { body }: EmulatedRequest, state: State): EmulatedReply {
  checkChannel(channel);
  const messages = listAt(state.messages, channel.id, true)!;
  const content = String(body?.content ?? "");
  if (!content.trim()) return errorReply(400, 50006, "Cannot send an empty message");
  if (content.length > MAX_TEXT_LENGTH)
    return badField("content", "BASE_TYPE_MAX_LENGTH", `Must be ${MAX_TEXT_LENGTH} or fewer in length.`);
  const now = Date.now();
  const sent: Message = message(snowflake(now, messages.length), channel.id, BOT, content, now);
  const message_id = body.message_reference?.message_id;
  if (message_id !== undefined) {
    const referenced_message = messages.find(({ id }) => id === message_id);
    if (!referenced_message) return badField("message_reference", "REPLIES_UNKNOWN_MESSAGE", "Unknown message");
    const message_reference = { type: 0, channel_id: channel.id, message_id };
    Object.assign(sent, { type: 19, message_reference, referenced_message });
  }
  const mayMentionEveryone = body.allowed_mentions?.parse?.includes("everyone") ?? true;
  sent.mention_everyone = mayMentionEveryone && /@(everyone|here)/.test(content);
  messages.unshift(sent);
  return reply(200, sent);
}

const ERRORS: Record<number, [code: number, message: string]> = {
  400: [50035, "Invalid Form Body"],
  401: [0, "401: Unauthorized"],
  403: [50001, "Missing Access"],
  404: [0, "404: Not Found"],
  500: [0, "500: Internal Server Error"],
};

function failure(status: number): EmulatedReply {
  if (status === 429)
    return reply(
      429,
      { message: "You are being rate limited.", retry_after: 0.75, global: false },
      { "retry-after": "1", "x-ratelimit-scope": "user" },
    );
  return errorReply(status, ...(ERRORS[status] ?? ([0, `${status}: Error`] as const)));
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
  }),
  routes: {
    "GET /api/v10/users/@me": () => reply(200, { ...BOT, mfa_enabled: true, locale: "en-US", verified: true }),
    "GET /api/v10/guilds/:guild": guilds.get,
    "GET /api/v10/guilds/:guild/members": guilds.below((_, request, { members }) => {
      const limit = pageSize(request, 1, 1000);
      const after = BigInt(request.query.get("after") ?? 0);
      return reply(200, members.filter(({ user }) => BigInt(user.id) > after).slice(0, limit));
    }),
    "GET /api/v10/guilds/:guild/channels": guilds.below((_, __, state) => reply(200, state.channels)),
    "GET /api/v10/channels/:channel/messages": channels.below(listMessages),
    "POST /api/v10/channels/:channel/messages": channels.below(createMessage),
  },
});
