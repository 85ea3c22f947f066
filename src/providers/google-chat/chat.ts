import { type ChatChannel, type ChatMessage, type ChatUser, chat } from "../../categories/chat.ts";
import type { Answer } from "../../contracts/upstream.ts";
import { implement, list } from "../../provider-kit/implement.ts";
import { get, path, post } from "../../provider-kit/request.ts";
import { isoTime } from "../../provider-kit/time.ts";

// Only what is read here; what is empty is left out of an answer.
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

const PAGE = 1000;
const EVERYBODY = /<(?=users\/all>)/g;
const ZERO_WIDTH_SPACE = "\u200b";

/** Resources are named by their whole path, `spaces/AAA/messages/BBB.CCC`: its last part is enough as an id. */
const idOf = (name: string) => name.slice(name.lastIndexOf("/") + 1);

/** A client may have a space's whole name from elsewhere. */
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

/** A message's id is that of its thread and one of its own, `BBB.CCC`: the two are the same in the one that began it. */
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
  // The numbers of the Chat API's users are those of the directory's people.
  // https://developers.google.com/people/api/rest/v1/people/listDirectoryPeople
  listUsers: list({
    maxPageSize: PAGE,
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
  // Conversations of two people or a few have no name; a client may ask for them by a filter of its own.
  // https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces/list
  listChannels: list({
    maxPageSize: PAGE,
    items: (body: GooglePage & { spaces?: GoogleSpace[] }) => body.spaces ?? [],
    next,
    request: ({ limit, cursor }) =>
      get("/spaces", { filter: 'space_type = "SPACE"' }, { pageSize: limit, pageToken: cursor }),
    record: toChannel,
  }),
  // Oldest first unless told otherwise, and a page token is good for the same order only.
  // https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages/list
  listMessages: list({
    maxPageSize: PAGE,
    items: (body: GooglePage & { messages?: GoogleMessage[] }) => body.messages ?? [],
    next,
    request: ({ input, limit, cursor }) =>
      get(messagesOf(input.channel_id), {}, { orderBy: "create_time DESC", pageSize: limit, pageToken: cursor }),
    record: toMessage,
  }),
  // A text may call a person, but not everybody. https://developers.google.com/workspace/chat/format-messages
  sendMessage: {
    request: ({ input }) =>
      post(messagesOf(input.channel_id), {
        text: input.text.replace(EVERYBODY, `<${ZERO_WIDTH_SPACE}`),
        markupSyntax: "MARKUP_SYNTAX_MARKDOWN",
      }),
  },
});
