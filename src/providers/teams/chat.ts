import { type ChatChannel, type ChatMessage, type ChatUser, chat } from "../../categories/chat.ts";
import { invalidInput } from "../../contracts/fault.ts";
import type { Place } from "../../contracts/provider.ts";
import { implement, keepIf, list } from "../../provider-kit/implement.ts";
import { addressOf, type GraphPage, type GraphUser, nextPage, pageQuery } from "../../provider-kit/microsoft-graph.ts";
import { get, path, post } from "../../provider-kit/request.ts";
import { plainToMarkdown } from "../../provider-kit/text/plain.ts";
import { markdownToHtml } from "../../provider-kit/text/to-html.ts";
import { isoTime } from "../../provider-kit/time.ts";
import { type MessageContent, textOf } from "./message-text.ts";

// Only the fields that are read; a missing one counts as null.
export interface GraphChannel {
  id: string;
  displayName?: string | null;
  description?: string | null;
  membershipType?: string | null;
}
interface GraphIdentity {
  id?: string | null;
  displayName?: string | null;
}
export interface GraphMessage extends MessageContent {
  id: string;
  messageType?: string;
  createdDateTime?: string | null;
  deletedDateTime?: string | null;
  replyToId?: string | null;
  webUrl?: string | null;
  from?: { user?: GraphIdentity | null; application?: GraphIdentity | null; device?: GraphIdentity | null } | null;
}
/** A channel can only be addressed together with its team. Neither id contains the `~` between them. */
const CHANNEL_ID = /^([\w-]+)~(\w+:[^/~]+)$/;

function messagesOf(channelId: string): string {
  const [, team, channel] = CHANNEL_ID.exec(channelId) ?? [];
  if (team && channel) return path`/teams/${team}/channels/${channel}/messages`;
  throw invalidInput({
    path: ["params", "channel_id"],
    message: "must be a channel id as returned by the list of channels: <team id>~<channel id>",
  });
}

/** Excludes system messages and deleted messages. */
const isMessage = ({ messageType, deletedDateTime }: GraphMessage) => messageType === "message" && !deletedDateTime;

const timeOf = (message: GraphMessage | null) => Date.parse(message?.createdDateTime ?? "") || 0;

/** Bots are not among the users, and a picture has no address that works without a token. */
export const toUser = (user: GraphUser): ChatUser => ({
  id: user.id,
  name: user.displayName || user.userPrincipalName || user.id,
  email: addressOf(user),
  avatar_url: null,
  is_bot: false,
});

/** A shared channel, like a private one, is only seen by its own members. */
const IS_PRIVATE: Record<string, boolean> = { standard: false, private: true, shared: true };

const toChannel = (channel: GraphChannel, { place }: { place: Place }): ChatChannel => ({
  id: `${place.id}~${channel.id}`,
  name: channel.displayName || channel.id,
  is_private: IS_PRIVATE[channel.membershipType ?? ""] ?? null,
  topic: plainToMarkdown(channel.description),
});

function toMessage(message: GraphMessage): ChatMessage {
  const { id, from, createdDateTime, replyToId, webUrl } = message;
  const author = from?.user ?? from?.application ?? from?.device;
  return {
    id,
    text: textOf(message),
    author: author ? { id: author.id ?? null, name: author.displayName ?? null } : null,
    created_at: isoTime(createdDateTime),
    thread_id: replyToId ?? null,
    url: webUrl || null,
  };
}

export default implement(chat, {
  // https://learn.microsoft.com/en-us/graph/api/user-list
  listUsers: list({
    maxPageSize: 999,
    items: ({ value }: GraphPage<GraphUser>) => value,
    next: nextPage,
    request: (context) => get("/users", {}, pageQuery(context)),
    record: toUser,
  }),
  // Accepts no page size. The email address of a channel is slow to look up, so the other fields are selected.
  // https://learn.microsoft.com/en-us/graph/api/channel-list
  listChannels: list({
    maxPageSize: 1000,
    ignoresPageSize: true,
    places: async ({ upstream }) => (await upstream<GraphPage<{ id: string }>>(get("/me/joinedTeams"))).body.value,
    items: ({ value }: GraphPage<GraphChannel>) => value,
    next: nextPage,
    request: ({ place, cursor }) =>
      get(
        path`/teams/${place.id}/channels`,
        { $select: "id,displayName,description,membershipType,createdDateTime,webUrl" },
        { $top: undefined, $skiptoken: undefined, ...cursor },
      ),
    record: toChannel,
  }),
  // The first messages of threads, last modified first. Graph supports no other order, so each page is sorted here.
  // https://learn.microsoft.com/en-us/graph/api/channel-list-messages
  listMessages: list({
    maxPageSize: 50,
    sparse: true,
    items: ({ value }: GraphPage<GraphMessage>) =>
      keepIf(value, isMessage).sort((one, other) => timeOf(other) - timeOf(one)),
    next: nextPage,
    request: (context) => get(messagesOf(context.input.channel_id), {}, pageQuery(context)),
    record: toMessage,
  }),
  // https://learn.microsoft.com/en-us/graph/api/channel-post-messages
  sendMessage: {
    request: ({ input: { channel_id, thread_id, text } }) =>
      post(messagesOf(channel_id) + (thread_id ? path`/${thread_id}/replies` : ""), {
        body: { contentType: "html", content: markdownToHtml(text) },
      }),
  },
});
