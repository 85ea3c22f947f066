import {
  type Answer,
  type Attachment,
  attachmentText,
  type ChatChannel,
  type ChatMessage,
  chat,
  get,
  implement,
  isoSeconds,
  list,
  mrkdwnToMarkdown,
  orNull,
  type PageContext,
  type Query,
} from "../../provider-kit/index.ts";
import { type SlackUser, toUser } from "./user.ts";
import { writes } from "./writes.ts";

// Only the fields that are read; a missing one counts as null.
export interface SlackChannel {
  id: string;
  name?: string;
  is_private?: boolean;
  topic?: { value?: string };
  purpose?: { value?: string };
}
export interface SlackMessage {
  ts: string;
  subtype?: string;
  thread_ts?: string;
  text?: string;
  user?: string;
  bot_id?: string;
  /** The name that a bot gave itself for this message. */
  username?: string;
  bot_profile?: { name?: string };
  /** Of a `file_comment`, which has no other author. */
  comment?: { user?: string };
  attachments?: Attachment[];
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

/** Direct messages, which a client gets by requesting other `types`, have no name. */
const toChannel = ({ id, name, is_private, topic, purpose }: SlackChannel): ChatChannel => ({
  id,
  name: name || id,
  is_private: is_private ?? null,
  topic: mrkdwnToMarkdown(topic?.value) ?? mrkdwnToMarkdown(purpose?.value),
});

/**
 * The subtypes that somebody or some app wrote. The others report what happened in the channel, such as who joined.
 * https://docs.slack.dev/reference/events/message#subtypes
 */
const WRITTEN = new Set([undefined, "bot_message", "file_comment", "file_share", "me_message", "thread_broadcast"]);

function authorOf({ user, bot_id, username, bot_profile, comment }: SlackMessage): ChatMessage["author"] {
  const id = user ?? comment?.user ?? bot_id ?? null;
  const name = orNull(username, bot_profile?.name);
  return id === null && name === null ? null : { id, name };
}

function toMessage(message: SlackMessage): ChatMessage {
  const { ts, thread_ts, text, attachments } = message;
  return {
    id: ts,
    text: mrkdwnToMarkdown(text) ?? mrkdwnToMarkdown(attachmentText(attachments)),
    author: authorOf(message),
    created_at: isoSeconds(ts),
    // The first message of a thread has its own `ts` as `thread_ts`.
    thread_id: thread_ts === ts ? null : (thread_ts ?? null),
    // It would contain the workspace's domain, which only further calls return.
    url: null,
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
    keep: ({ subtype }) => WRITTEN.has(subtype),
    request: (context) => listRequest("conversations.history", context, {}, { channel: context.input.channel_id }),
    record: toMessage,
  }),
  ...writes,
});
