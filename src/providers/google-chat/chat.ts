import { type ChatChannel, type ChatMessage, type ChatUser, chat } from "../../categories/chat.ts";
import type { Answer } from "../../contracts/upstream.ts";
import { implement, list } from "../../provider-kit/implement.ts";
import { get, path, post } from "../../provider-kit/request.ts";
import { isoTime } from "../../provider-kit/time.ts";

// Only the fields that are read here. Google leaves empty fields out of a response.
interface GooglePage {
  nextPageToken?: string;
}
export interface GooglePerson {
  resourceName: string;
  names?: { displayName?: string }[];
  emailAddresses?: { value?: string }[];
}
export interface GoogleSpace {
  name: string;
  displayName?: string;
}
export interface GoogleMessage {
  name: string;
  text?: string;
  createTime?: string;
  sender?: { name: string; displayName?: string };
  thread?: { name?: string };
  threadReply?: boolean;
}

const MAX_PAGE_SIZE = 1000;
const MENTION_OF_EVERYONE = /<(?=users\/all>)/g;
const ZERO_WIDTH_SPACE = "\u200b";

/** A resource's name is its full path, `spaces/AAA/messages/BBB.CCC`. The last part is enough as an id. */
const idOf = (name: string) => name.slice(name.lastIndexOf("/") + 1);

/** Also accepts a space's full name, which a client may have from elsewhere. */
const messagesOf = (channel: string) => path`/spaces/${channel.replace(/^spaces\//, "")}/messages`;

const next = ({ body }: Answer<GooglePage>) => body.nextPageToken || null;

const toUser = ({ resourceName, names, emailAddresses }: GooglePerson): ChatUser => ({
  id: idOf(resourceName),
  name: names?.[0]?.displayName || emailAddresses?.[0]?.value || idOf(resourceName),
});

const toChannel = ({ name, displayName }: GoogleSpace): ChatChannel => ({
  id: idOf(name),
  name: displayName || idOf(name),
});

/** A message's id has the form `<thread>.<message>`. Both parts are equal in the message that started the thread. */
function threadOf({ name, thread, threadReply }: GoogleMessage): string | null {
  if (!threadReply || !thread?.name) return null;
  const id = idOf(thread.name);
  return idOf(name).startsWith(`${id}.`) ? `${id}.${id}` : id;
}

const toMessage = (message: GoogleMessage): ChatMessage => ({
  id: idOf(message.name),
  text: message.text ?? null,
  author: message.sender ? { id: idOf(message.sender.name), name: message.sender.displayName ?? null } : null,
  created_at: isoTime(message.createTime),
  thread_id: threadOf(message),
});

export default implement(chat, {
  // Users of the Chat API have the same ids as people in the directory.
  // https://developers.google.com/people/api/rest/v1/people/listDirectoryPeople
  listUsers: list({
    maxPageSize: MAX_PAGE_SIZE,
    items: (body: GooglePage & { people?: GooglePerson[] }) => body.people ?? [],
    next,
    request: ({ limit, cursor }) =>
      get(
        "/people:listDirectoryPeople",
        { readMask: "names,emailAddresses", sources: "DIRECTORY_SOURCE_TYPE_DOMAIN_PROFILE" },
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
    next,
    request: ({ limit, cursor }) =>
      get("/spaces", { filter: 'space_type = "SPACE"' }, { pageSize: limit, pageToken: cursor }),
    record: toChannel,
  }),
  // The default is oldest first. A page token is valid only for the same order, so the order is locked.
  // https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages/list
  listMessages: list({
    maxPageSize: MAX_PAGE_SIZE,
    items: (body: GooglePage & { messages?: GoogleMessage[] }) => body.messages ?? [],
    next,
    request: ({ input, limit, cursor }) =>
      get(messagesOf(input.channel_id), {}, { orderBy: "create_time DESC", pageSize: limit, pageToken: cursor }),
    record: toMessage,
  }),
  // A text may mention users, but not everyone. https://developers.google.com/workspace/chat/format-messages
  sendMessage: {
    request: ({ input }) =>
      post(messagesOf(input.channel_id), {
        text: input.text.replace(MENTION_OF_EVERYONE, `<${ZERO_WIDTH_SPACE}`),
        markupSyntax: "MARKUP_SYNTAX_MARKDOWN",
      }),
  },
});
