import { type ChatChannel, type ChatMessage, type ChatUser, chat } from "../../categories/chat.ts";
import { type GooglePage, nextPageToken } from "../../provider-kit/google.ts";
import { implement, list } from "../../provider-kit/implement.ts";
import { get, path, post } from "../../provider-kit/request.ts";
import { plainToMarkdown } from "../../provider-kit/text/plain.ts";
import { isoTime } from "../../provider-kit/time.ts";
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

const MAX_PAGE_SIZE = 1000;
const MARKDOWN = "MARKUP_SYNTAX_MARKDOWN";
const MENTION_OF_EVERYONE = /<(?=users\/all>)/g;
const ZERO_WIDTH_SPACE = "\u200b";

/** A resource's name is its full path, `spaces/AAA/messages/BBB.CCC`. The last part is enough as an id. */
const idOf = (name: string) => name.slice(name.lastIndexOf("/") + 1);

/** Also accepts a space's full name, which a client may have from elsewhere. */
const messagesOf = (channel: string) => path`/spaces/${channel.replace(/^spaces\//, "")}/messages`;

/** The directory has people only. */
const toUser = ({ resourceName, names, emailAddresses, photos }: GooglePerson): ChatUser => ({
  id: idOf(resourceName),
  name: names?.[0]?.displayName || emailAddresses?.[0]?.value || idOf(resourceName),
  email: emailAddresses?.[0]?.value || null,
  avatar_url: photos?.[0]?.url || null,
  is_bot: false,
});

/** Unknown of direct messages, which a client can list as well. */
const IS_PRIVATE: Record<string, boolean> = { PRIVATE: true, DISCOVERABLE: false };

const toChannel = ({ name, displayName, accessSettings, spaceDetails }: GoogleSpace): ChatChannel => ({
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

const toMessage = (message: GoogleMessage): ChatMessage => ({
  id: idOf(message.name),
  text: textOf(message),
  author: message.sender ? { id: idOf(message.sender.name), name: message.sender.displayName ?? null } : null,
  created_at: isoTime(message.createTime),
  thread_id: threadOf(message),
  // The API has no addresses of messages.
  url: null,
});

export default implement(chat, {
  // Users of the Chat API have the same ids as people in the directory.
  // https://developers.google.com/people/api/rest/v1/people/listDirectoryPeople
  listUsers: list({
    maxPageSize: MAX_PAGE_SIZE,
    items: (body: GooglePage & { people?: GooglePerson[] }) => body.people ?? [],
    next: nextPageToken,
    request: ({ limit, cursor }) =>
      get(
        "/people:listDirectoryPeople",
        { readMask: "names,emailAddresses,photos", sources: "DIRECTORY_SOURCE_TYPE_DOMAIN_PROFILE" },
        { pageSize: limit, pageToken: cursor, syncToken: undefined, requestSyncToken: undefined },
        { to: "people" },
      ),
    record: toUser,
  }),
  // Direct messages and group chats have no name. A client can list them with its own `filter`.
  // https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces/list
  listChannels: list({
    maxPageSize: MAX_PAGE_SIZE,
    items: (body: GooglePage & { spaces?: GoogleSpace[] }) => body.spaces ?? [],
    next: nextPageToken,
    request: ({ limit, cursor }) =>
      get("/spaces", { filter: 'space_type = "SPACE"' }, { pageSize: limit, pageToken: cursor }),
    record: toChannel,
  }),
  // The default is oldest first. A page token is valid only for the same order, so the order is locked. So is the
  // syntax of the text, which is read here.
  // https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages/list
  listMessages: list({
    maxPageSize: MAX_PAGE_SIZE,
    items: (body: GooglePage & { messages?: GoogleMessage[] }) => body.messages ?? [],
    next: nextPageToken,
    request: ({ input, limit, cursor }) =>
      get(
        messagesOf(input.channel_id),
        {},
        { orderBy: "create_time DESC", markupSyntax: MARKDOWN, pageSize: limit, pageToken: cursor },
      ),
    record: toMessage,
  }),
  // A text may mention users, but not everyone. https://developers.google.com/workspace/chat/format-messages
  sendMessage: {
    request: ({ input: { channel_id, thread_id, text } }) =>
      post(
        messagesOf(channel_id),
        {
          text: text.replace(MENTION_OF_EVERYONE, `<${ZERO_WIDTH_SPACE}`),
          markupSyntax: MARKDOWN,
          // A message's id begins with that of its thread.
          ...(thread_id
            ? { thread: { name: `spaces/${channel_id.replace(/^spaces\//, "")}/threads/${thread_id.split(".")[0]}` } }
            : {}),
        },
        {},
        thread_id ? { query: { messageReplyOption: "REPLY_MESSAGE_OR_FAIL" } } : {},
      ),
  },
});
