import {
  type ChatChannel,
  type ChatMessage,
  type ChatUser,
  type GraphUser,
  graphAddressOf,
  invalidInput,
  isoTime,
  orNull,
  type Place,
  path,
  plainToMarkdown,
} from "../../provider-kit/index.ts";
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

export function messagesOf(channelId: string): string {
  const [, team, channel] = CHANNEL_ID.exec(channelId) ?? [];
  if (team && channel) return path`/teams/${team}/channels/${channel}/messages`;
  throw invalidInput({
    path: ["params", "channel_id"],
    message: "must be a channel id as returned by the list of channels: <team id>~<channel id>",
  });
}

/** Bots are not among the users, and a picture has no address that works without a token. */
export const toUser = (user: GraphUser): ChatUser => ({
  id: user.id,
  name: user.displayName || user.userPrincipalName || user.id,
  email: graphAddressOf(user),
  avatar_url: null,
  is_bot: false,
});

/** A shared channel, like a private one, is only seen by its own members. */
const IS_PRIVATE: Record<string, boolean> = { standard: false, private: true, shared: true };

export const toChannel = (channel: GraphChannel, { place }: { place: Place }): ChatChannel => ({
  id: `${place.id}~${channel.id}`,
  name: channel.displayName || channel.id,
  is_private: IS_PRIVATE[channel.membershipType ?? ""] ?? null,
  topic: plainToMarkdown(channel.description),
});

export function toMessage(message: GraphMessage): ChatMessage {
  const { id, from, createdDateTime, replyToId, webUrl } = message;
  const author = from?.user ?? from?.application ?? from?.device;
  return {
    id,
    text: textOf(message),
    author: author ? { id: author.id ?? null, name: orNull(author.displayName) } : null,
    created_at: isoTime(createdDateTime),
    thread_id: replyToId ?? null,
    url: orNull(webUrl),
  };
}
