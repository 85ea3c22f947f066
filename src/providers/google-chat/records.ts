import {
  type ChatChannel,
  type ChatMessage,
  type ChatUser,
  isoTime,
  orNull,
  path,
  plainToMarkdown,
} from "../../provider-kit/index.ts";
import { type MessageContent, textOf } from "./message-text.ts";

// Only the fields that are read here. Google leaves empty fields out of a response.
export interface GooglePerson {
  resourceName: string;
  names?: { displayName?: string }[];
  emailAddresses?: { value?: string }[];
  photos?: { url?: string }[];
}
export interface GoogleSpace {
  name: string;
  displayName?: string;
  accessSettings?: { accessState?: string };
  spaceDetails?: { description?: string };
}
export interface GoogleMessage extends MessageContent {
  name: string;
  createTime?: string;
  sender?: { name: string; displayName?: string };
  thread?: { name?: string };
  threadReply?: boolean;
}

export const MARKDOWN = "MARKUP_SYNTAX_MARKDOWN";

/** A resource's name is its full path, `spaces/AAA/messages/BBB.CCC`. The last part is enough as an id. */
const idOf = (name: string) => name.slice(name.lastIndexOf("/") + 1);

/** Also accepts a space's full name, which a client may have from elsewhere. */
export const messagesOf = (channel: string) => path`/spaces/${channel.replace(/^spaces\//, "")}/messages`;

/** The directory has people only. */
export const toUser = ({ resourceName, names, emailAddresses, photos }: GooglePerson): ChatUser => ({
  id: idOf(resourceName),
  name: names?.[0]?.displayName || emailAddresses?.[0]?.value || idOf(resourceName),
  email: orNull(emailAddresses?.[0]?.value),
  avatar_url: orNull(photos?.[0]?.url),
  is_bot: false,
});

/** Unknown of direct messages, which a client can list as well. */
const IS_PRIVATE: Record<string, boolean> = { PRIVATE: true, DISCOVERABLE: false };

export const toChannel = ({ name, displayName, accessSettings, spaceDetails }: GoogleSpace): ChatChannel => ({
  id: idOf(name),
  name: displayName || idOf(name),
  is_private: IS_PRIVATE[accessSettings?.accessState ?? ""] ?? null,
  topic: plainToMarkdown(spaceDetails?.description),
});

/** A message's id has the form `<thread>.<message>`. Both parts are equal in the message that started the thread. */
function threadOf({ name, thread, threadReply }: GoogleMessage): string | null {
  if (!threadReply || !thread?.name) return null;
  const id = idOf(thread.name);
  return idOf(name).startsWith(`${id}.`) ? `${id}.${id}` : id;
}

export const toMessage = (message: GoogleMessage): ChatMessage => ({
  id: idOf(message.name),
  text: textOf(message),
  author: message.sender ? { id: idOf(message.sender.name), name: orNull(message.sender.displayName) } : null,
  created_at: isoTime(message.createTime),
  thread_id: threadOf(message),
  // The API has no addresses of messages.
  url: null,
});
