import type { EmulatedReply, EmulatedRequest, EmulatedRoute, RefusedToken } from "../../../contracts/emulator.ts";
import { emulate, isReply, reply } from "../../../emulator-kit/emulator.ts";
import { changes } from "./changes.ts";
import { type Channel, makeState, type State, threadKey } from "./data.ts";
import { mcp } from "./mcp.ts";
import { APP_ID, addReply, BOT, botProfile, type Message, TEAM, timestamp } from "./messages.ts";

const SCOPES = "users:read,users:read.email,channels:read,groups:read,channels:history,groups:history,chat:write";
const MAX_TEXT_LENGTH = 40_000;
const MAX_PAGE_SIZE = 1000;

/** Every method takes its arguments in the query, as a form or as JSON. */
type Arguments = Record<string, string | undefined>;

function argumentsOf({ query, body }: EmulatedRequest): Arguments {
  const sent = typeof body === "object" && body !== null ? body : {};
  const text = ([name, value]: [string, unknown]) => [name, typeof value === "string" ? value : JSON.stringify(value)];
  return { ...Object.fromEntries(query), ...Object.fromEntries(Object.entries(sent).map(text)) };
}

const isTrue = (value: string | undefined) => value === "true" || value === "1";

const okReply = (body: object, headers?: Record<string, string>) => reply(200, { ok: true, ...body }, headers);
/** Failures come with status 200: https://docs.slack.dev/apis/web-api/#responses */
const errorReply = (error: string, more: object = {}) => reply(200, { ok: false, error, ...more });

const credential = (request: EmulatedRequest) =>
  request.headers.authorization?.split(/\s+/).at(-1) ?? argumentsOf(request).token;

/** The page that starts at the cursor. */
function paginate<Item>(
  items: Item[],
  args: Arguments,
  defaultLimit: number,
  prefix: string,
  keyOf: (item: Item) => string,
) {
  const limit = Number(args.limit || defaultLimit);
  if (!Number.isInteger(limit) || limit < 1) return errorReply("invalid_limit");
  let start = 0;
  if (args.cursor) {
    const [kind, key] = Buffer.from(args.cursor, "base64").toString().split(":");
    start = items.findIndex((item) => kind === prefix && keyOf(item) === key);
    if (start < 0) return errorReply("invalid_cursor");
  }
  const end = start + Math.min(limit, MAX_PAGE_SIZE);
  const following = items[end];
  const cursor = following === undefined ? "" : Buffer.from(`${prefix}:${keyOf(following)}`).toString("base64");
  return { page: items.slice(start, end), cursor };
}

function listUsers(args: Arguments, { users }: State): EmulatedReply {
  const found = paginate(users, args, MAX_PAGE_SIZE, "user", (user) => user.id);
  if (isReply(found)) return found;
  return okReply({ members: found.page, cache_ts: 1704067200, response_metadata: { next_cursor: found.cursor } });
}

function typeOf(channel: Channel): string {
  if (!("is_private" in channel)) return "im";
  return channel.is_private ? "private_channel" : "public_channel";
}

/** Channels are filtered after paging, so a page may be short: https://docs.slack.dev/apis/web-api/pagination */
function listChannels(args: Arguments, { channels }: State): EmulatedReply {
  const types = (args.types || "public_channel").split(",").map((type) => type.trim());
  if (!types.every((type) => ["public_channel", "private_channel", "mpim", "im"].includes(type)))
    return errorReply("invalid_types");
  const found = paginate(channels, args, 100, "team", (channel) => channel.id);
  if (isReply(found)) return found;
  const wanted = found.page.filter(
    (channel) => types.includes(typeOf(channel)) && !(isTrue(args.exclude_archived) && channel.is_archived),
  );
  return okReply({ channels: wanted, response_metadata: { next_cursor: found.cursor } });
}

/** A timestamp as it is in a cursor: `1512085861.000543` becomes `1512085861000543`. */
const digits = ({ ts }: Message) => ts.replace(".", "");

function between(messages: Message[], { oldest = "0", latest, inclusive }: Arguments): Message[] {
  const edge = isTrue(inclusive);
  const [low, high] = [Number(oldest), latest === undefined ? Number.POSITIVE_INFINITY : Number(latest)];
  return messages.filter(({ ts }) => {
    const at = Number(ts);
    return (at > low || (edge && at === low)) && (at < high || (edge && at === high));
  });
}

function listMessages(args: Arguments, state: State): EmulatedReply {
  const channel = findChannel(args.channel, state);
  if (!channel) return errorReply("channel_not_found");
  if ("is_member" in channel && !channel.is_member) return errorReply("not_in_channel");
  const found = paginate(between(state.messages.get(channel.id) ?? [], args), args, 100, "next_ts", digits);
  if (isReply(found)) return found;
  return okReply({
    messages: found.page,
    has_more: found.cursor !== "",
    pin_count: 0,
    channel_actions_ts: null,
    channel_actions_count: 0,
    ...(found.cursor ? { response_metadata: { next_cursor: found.cursor } } : {}),
  });
}

function listReplies(args: Arguments, state: State): EmulatedReply {
  const channel = findChannel(args.channel, state);
  if (!channel) return errorReply("channel_not_found");
  const parent = state.messages.get(channel.id)?.find(({ ts }) => ts === args.ts);
  if (!parent) return errorReply("thread_not_found");
  const thread = [parent, ...between(state.replies.get(threadKey(channel.id, parent.ts)) ?? [], args)];
  const found = paginate(thread, args, MAX_PAGE_SIZE, "next_ts", digits);
  if (isReply(found)) return found;
  return okReply({
    messages: found.page,
    has_more: found.cursor !== "",
    ...(found.cursor ? { response_metadata: { next_cursor: found.cursor } } : {}),
  });
}

const findChannel = (channel: string | undefined, { channels }: State) =>
  channels.find((one) => one.id === channel || ("name" in one && `#${one.name}` === channel));

/** Later than every existing message, even if two are sent in the same millisecond. */
function nextTimestamp({ messages, replies }: State): string {
  const newest = [...messages.values()].map(([first]) => first).concat([...replies.values()].map((one) => one.at(-1)));
  const latest = Math.max(...newest.map((message) => Number(message ? digits(message) : 0)));
  return timestamp(Math.max(Date.now() * 1000, latest + 1));
}

function postMessage(args: Arguments, state: State): EmulatedReply {
  const channel = findChannel(args.channel, state);
  if (!channel) return errorReply("channel_not_found");
  if (channel.is_archived) return errorReply("is_archived");
  if ("is_member" in channel && !channel.is_member) return errorReply("not_in_channel");
  const text = args.text || args.markdown_text || "";
  if (!text && !args.blocks && !args.attachments) return errorReply("no_text");
  if (text.length > MAX_TEXT_LENGTH) return errorReply("msg_too_long");
  const messages = state.messages.get(channel.id) ?? [];
  state.messages.set(channel.id, messages);
  const sent: Message = {
    type: "message",
    ts: nextTimestamp(state),
    text,
    user: BOT.user,
    bot_id: BOT.id,
    bot_profile: botProfile,
    team: TEAM.id,
  };
  const parent = args.thread_ts ? messages.find(({ ts }) => ts === args.thread_ts) : undefined;
  if (args.thread_ts && !parent) return errorReply("thread_not_found");
  if (parent) {
    sent.thread_ts = parent.ts;
    const key = threadKey(channel.id, parent.ts);
    const thread = state.replies.get(key) ?? [];
    state.replies.set(key, thread);
    addReply(parent, thread, sent);
  }
  if (isTrue(args.reply_broadcast) && parent) sent.subtype = "thread_broadcast";
  if (!parent || sent.subtype) messages.unshift(sent);
  return okReply({ channel: channel.id, ts: sent.ts, message: sent });
}

type Method = (args: Arguments, state: State) => EmulatedReply;

const methods: Record<string, Method> = {
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
  "users.info": (args, { users }) => {
    const user = users.find(({ id }) => id === args.user);
    return user ? okReply({ user }) : errorReply("user_not_found");
  },
  "conversations.list": listChannels,
  "conversations.info": (args, state) => {
    const channel = findChannel(args.channel, state);
    return channel ? okReply({ channel }) : errorReply("channel_not_found");
  },
  "conversations.history": listMessages,
  "conversations.replies": listReplies,
};

/** Every method accepts GET and POST; the official clients use POST for all of them. */
function getAndPost(name: string, handle: EmulatedRoute<State>): [string, EmulatedRoute<State>][] {
  return [
    [`GET /api/${name}`, handle],
    [`POST /api/${name}`, handle],
  ];
}

const post: EmulatedRoute<State> = (request, state) => {
  const { status, body } = postMessage(argumentsOf(request), state);
  // https://docs.slack.dev/apis/web-api/#warnings
  const type = request.headers["content-type"] ?? "";
  if (!type.startsWith("application/json") || /charset/i.test(type)) return reply(status, body);
  const warning = "missing_charset";
  return reply(status, { ...(body as object), warning, response_metadata: { warnings: [warning] } });
};

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
  failure,
  credential,
  unauthorized: (_, reason) => errorReply(UNAUTHORIZED[reason]),
  headers: () => ({
    "x-oauth-scopes": SCOPES,
    "x-slack-req-id": crypto.randomUUID().replaceAll("-", ""),
    "x-slack-backend": "r",
    "x-content-type-options": "nosniff",
    "x-xss-protection": "0",
    "referrer-policy": "no-referrer",
    "cache-control": "private, no-cache, no-store, must-revalidate",
    expires: "Sat, 26 Jul 1997 05:00:00 GMT",
    pragma: "no-cache",
    vary: "Accept-Encoding",
  }),
  routes: Object.fromEntries([
    ...Object.entries(methods).flatMap(([name, method]) =>
      getAndPost(name, (request, state) => method(argumentsOf(request), state)),
    ),
    ...getAndPost("auth.revoke", (request, _, tokens) => {
      const revoked = !isTrue(argumentsOf(request).test) && tokens.revoke(credential(request) ?? "");
      return okReply({ revoked });
    }),
    ...getAndPost("chat.postMessage", post),
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
  tokenFailure(error, description, { body }) {
    if (error !== "invalid_grant") return errorReply(TOKEN_ERRORS[error] ?? "invalid_arguments");
    if (body?.grant_type === "refresh_token") return errorReply("invalid_refresh_token");
    return errorReply(description.includes("redirect_uri") ? "bad_redirect_uri" : "invalid_code");
  },
});
