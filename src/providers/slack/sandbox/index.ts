import {
  cut,
  type EmulatedReply,
  type EmulatedRequest,
  type EmulatedRoute,
  emulate,
  makeCursor,
  type RefusedToken,
  readCursor,
  refuse,
  reply,
  wholeNumber,
} from "../../../emulator-kit/index.ts";
import { changes } from "./changes.ts";
import { type Channel, makeState, type State } from "./data.ts";
import { hooks } from "./hooks.ts";
import { mcp } from "./mcp.ts";
import { APP_ID, addReply, BOT, botProfile, type Message, TEAM, timestamp } from "./messages.ts";

const SCOPES = "users:read,users:read.email,channels:read,groups:read,channels:history,groups:history,chat:write";
const MAX_TEXT_LENGTH = 40_000;
const MAX_PAGE_SIZE = 1000;

/** Every method takes its arguments in the query, as a form or as JSON. */
type Arguments = Record<string, string | undefined>;

function argumentsOf({ query, body }: EmulatedRequest): Arguments {
  const sent = typeof body === "object" && body !== null ? body : {};
  return { ...Object.fromEntries(query), ...sent };
}

const okReply = (body: object) => reply(200, { ok: true, ...body });
/** Failures come with status 200: https://docs.slack.dev/apis/web-api/#responses */
const errorReply = (error: string) => reply(200, { ok: false, error });

const credential = (request: EmulatedRequest) =>
  request.headers.authorization?.split(/\s+/).at(-1) ?? argumentsOf(request).token;

/** The page that starts at the cursor. A cursor of one list is not valid in another one. */
function paginate<Item>(
  all: Item[],
  { limit, cursor }: Arguments,
  defaultLimit: number,
  list: string,
  keyOf: (item: Item) => string,
) {
  const size = wholeNumber(limit || undefined, { fallback: defaultLimit }, () => errorReply("invalid_limit"));
  const [named, first] = readCursor<[string, string]>(cursor || makeCursor([list])) ?? [];
  const start = first === undefined ? 0 : all.findIndex((item) => keyOf(item) === first);
  if (named !== list || start < 0) refuse(errorReply("invalid_cursor"));
  const { items, next } = cut(all, start, Math.min(size, MAX_PAGE_SIZE));
  return { items, next_cursor: next === undefined ? "" : makeCursor([list, keyOf(all[next]!)]) };
}

function listUsers(args: Arguments, { users }: State): EmulatedReply {
  const { items, next_cursor } = paginate(users, args, MAX_PAGE_SIZE, "user", ({ id }) => id);
  return okReply({ members: items, cache_ts: 1704067200, response_metadata: { next_cursor } });
}

function typeOf(channel: Channel): string {
  if (!("is_private" in channel)) return "im";
  return channel.is_private ? "private_channel" : "public_channel";
}

/** Channels are filtered after paging, so a page may be short: https://docs.slack.dev/apis/web-api/pagination */
function listChannels(args: Arguments, { channels }: State): EmulatedReply {
  const types = (args.types || "public_channel").split(",");
  if (!types.every((type) => ["public_channel", "private_channel", "mpim", "im"].includes(type)))
    refuse(errorReply("invalid_types"));
  const { items, next_cursor } = paginate(channels, args, 100, "team", ({ id }) => id);
  const wanted = items.filter((channel) => types.includes(typeOf(channel)));
  return okReply({ channels: wanted, response_metadata: { next_cursor } });
}

/** A channel that the bot is a member of. */
function findChannel({ channel: wanted }: Arguments, { channels }: State): Channel {
  const channel = channels.find(({ id }) => id === wanted) ?? refuse(errorReply("channel_not_found"));
  return "is_member" in channel && !channel.is_member ? refuse(errorReply("not_in_channel")) : channel;
}

function listMessages(args: Arguments, state: State): EmulatedReply {
  const all = state.messages.get(findChannel(args, state).id) ?? [];
  const { items, next_cursor } = paginate(all, args, 100, "next_ts", ({ ts }) => ts);
  return okReply({
    messages: items,
    has_more: next_cursor !== "",
    pin_count: 0,
    channel_actions_ts: null,
    channel_actions_count: 0,
    ...(next_cursor && { response_metadata: { next_cursor } }),
  });
}

function postMessage({ text = "", thread_ts, ...args }: Arguments, state: State): EmulatedReply {
  const { id: channel, is_archived } = findChannel(args, state);
  if (is_archived) refuse(errorReply("is_archived"));
  if (!text) refuse(errorReply("no_text"));
  if (text.length > MAX_TEXT_LENGTH) refuse(errorReply("msg_too_long"));
  const messages = state.messages.get(channel) ?? [];
  state.messages.set(channel, messages);
  const parent = messages.find(({ ts }) => ts === thread_ts);
  if (thread_ts && !parent) refuse(errorReply("thread_not_found"));
  // Later than every message before, even if two are sent in the same millisecond.
  const newest = Number(messages[0]?.ts.replace(".", "") ?? 0);
  state.latest = Math.max(Date.now() * 1000, state.latest + 1, newest + 1);
  const bot = { user: BOT.user, bot_id: BOT.id, bot_profile: botProfile, team: TEAM.id };
  const message: Message = { type: "message", ts: timestamp(state.latest), text, ...bot };
  if (parent) addReply(parent, message);
  else messages.unshift(message);
  return okReply({ channel, ts: message.ts, message });
}

const METHODS: Record<string, (args: Arguments, state: State) => EmulatedReply> = {
  "auth.test": () =>
    okReply({
      url: `https://${TEAM.domain}.slack.com/`,
      team: TEAM.name,
      user: BOT.name,
      team_id: TEAM.id,
      user_id: BOT.user,
      bot_id: BOT.id,
      is_enterprise_install: false,
    }),
  "users.list": listUsers,
  "users.info": (args, { users }) =>
    okReply({ user: users.find(({ id }) => id === args.user) ?? refuse(errorReply("user_not_found")) }),
  "conversations.list": listChannels,
  "conversations.history": listMessages,
  "chat.postMessage": postMessage,
};

/** Every method accepts GET and POST; the official clients use POST for all of them. */
const getAndPost = (name: string, handle: EmulatedRoute<State>): [string, EmulatedRoute<State>][] => [
  [`GET /api/${name}`, handle],
  [`POST /api/${name}`, handle],
];

const UNAUTHORIZED: Record<RefusedToken, string> = {
  missing: "not_authed",
  unknown: "invalid_auth",
  expired: "token_expired",
  revoked: "token_revoked",
};

const ERRORS: Record<number, { error: string; needed?: string; provided?: string }> = {
  400: { error: "invalid_arg_name" },
  401: { error: "invalid_auth" },
  403: { error: "missing_scope", needed: "channels:read", provided: "chat:write" },
  404: { error: "channel_not_found" },
  429: { error: "ratelimited" },
  503: { error: "service_unavailable" },
};

/** For injected faults: the requested status, with Slack's body for it. */
function failure(status: number): EmulatedReply {
  const body = { ok: false, ...(ERRORS[status] ?? { error: status < 500 ? "invalid_arg_name" : "internal_error" }) };
  return reply(status, body, status === 429 ? { "retry-after": "1" } : {});
}

const TOKEN_ERRORS: Record<string, string> = {
  invalid_client: "bad_client_secret",
  unsupported_grant_type: "invalid_grant_type",
};

export default emulate<State>({
  state: makeState,
  changes,
  hooks,
  failure,
  credential,
  unauthorized: (_, reason) => errorReply(UNAUTHORIZED[reason]),
  headers: () => ({
    "x-oauth-scopes": SCOPES,
    "x-slack-req-id": crypto.randomUUID().replaceAll("-", ""),
    "cache-control": "private, no-cache, no-store, must-revalidate",
  }),
  routes: Object.fromEntries([
    ...Object.entries(METHODS).flatMap(([name, method]) =>
      getAndPost(name, (request, state) => method(argumentsOf(request), state)),
    ),
    ...getAndPost("auth.revoke", (request, _, tokens) =>
      okReply({ revoked: tokens.revoke(credential(request) ?? "") }),
    ),
    ...getAndPost(":unknown", () => errorReply("unknown_method")),
  ]),
  open: ["GET /api/:unknown", "POST /api/:unknown"],
  mcp,
  // https://docs.slack.dev/reference/methods/oauth.v2.access
  tokenAnswer: (standard) =>
    okReply({
      app_id: APP_ID,
      authed_user: { id: BOT.user },
      scope: SCOPES,
      token_type: "bot",
      access_token: standard.access_token,
      bot_user_id: BOT.user,
      refresh_token: standard.refresh_token,
      expires_in: standard.expires_in,
      team: { id: TEAM.id, name: TEAM.name },
      enterprise: null,
      is_enterprise_install: false,
    }),
  tokenFailure(error, _, { body }) {
    if (error !== "invalid_grant") return errorReply(TOKEN_ERRORS[error] ?? "invalid_arguments");
    return errorReply(body?.grant_type === "refresh_token" ? "invalid_refresh_token" : "invalid_code");
  },
});
