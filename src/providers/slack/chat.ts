import { type ChatChannel, type ChatMessage, type ChatUser, chat } from "../../categories/chat.ts";
import type { PageContext } from "../../contracts/provider.ts";
import type { Answer, Query } from "../../contracts/upstream.ts";
import { implement, list } from "../../provider-kit/implement.ts";
import { escapeEntities, toMrkdwn } from "../../provider-kit/markdown.ts";
import { get, post } from "../../provider-kit/request.ts";
import { isoSeconds } from "../../provider-kit/time.ts";

// Only the fields that are read; a missing one counts as null.
export interface SlackUser {
  id: string;
  name: string;
  real_name?: string;
  profile?: { display_name?: string; real_name?: string };
}
export interface SlackChannel {
  id: string;
  name?: string;
}
export interface SlackMessage {
  ts: string;
  thread_ts?: string;
  text?: string;
  user?: string;
  bot_id?: string;
}
export interface SlackPage {
  response_metadata?: { next_cursor?: string };
}

/** Slack recommends at most 200 per page. https://docs.slack.dev/apis/web-api/pagination */
const MAX_PAGE_SIZE = 200;

const listRequest = (
  method: string,
  { limit, cursor }: PageContext<unknown, string>,
  query: Query = {},
  locked: Query = {},
) => get(`/${method}`, query, { ...locked, limit, cursor });

/** Empty or missing at the end. A page may have fewer items than requested, or none, and still not be the last. */
const next = ({ body }: Answer<SlackPage>) => body.response_metadata?.next_cursor || null;

// https://docs.slack.dev/messaging/formatting-message-text
const flavor = { bullet: "•", escape: escapeEntities };

const toUser = ({ id, name, real_name, profile }: SlackUser): ChatUser => ({
  id,
  name: profile?.display_name || profile?.real_name || real_name || name,
});

/** Direct messages, which a client gets by requesting other `types`, have no name. */
const toChannel = ({ id, name }: SlackChannel): ChatChannel => ({ id, name: name || id });

function toMessage({ ts, thread_ts, text, user, bot_id }: SlackMessage): ChatMessage {
  const author = user ?? bot_id ?? null;
  return {
    id: ts,
    text: text ?? null,
    author: author === null ? null : { id: author, name: null },
    created_at: isoSeconds(ts),
    // The first message of a thread has its own `ts` as `thread_ts`.
    thread_id: thread_ts === ts ? null : (thread_ts ?? null),
  };
}

export default implement(chat, {
  listUsers: list({
    maxPageSize: MAX_PAGE_SIZE,
    items: (body: SlackPage & { members: SlackUser[] }) => body.members,
    next,
    request: (context) => listRequest("users.list", context),
    record: toUser,
  }),
  listChannels: list({
    maxPageSize: MAX_PAGE_SIZE,
    items: (body: SlackPage & { channels: SlackChannel[] }) => body.channels,
    next,
    request: (context) => listRequest("conversations.list", context, { types: "public_channel,private_channel" }),
    record: toChannel,
  }),
  listMessages: list({
    maxPageSize: MAX_PAGE_SIZE,
    items: (body: SlackPage & { messages: SlackMessage[] }) => body.messages,
    next,
    request: (context) => listRequest("conversations.history", context, {}, { channel: context.input.channel_id }),
    record: toMessage,
  }),
  sendMessage: {
    request: ({ input }) =>
      post("/chat.postMessage", { channel: input.channel_id, text: toMrkdwn(input.text, flavor) }),
  },
});
