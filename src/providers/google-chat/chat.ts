import { chat, type GooglePage, get, googleNextPage, implement, list } from "../../provider-kit/index.ts";
import {
  type GoogleMessage,
  type GooglePerson,
  type GoogleSpace,
  MARKDOWN,
  messagesOf,
  toChannel,
  toMessage,
  toUser,
} from "./records.ts";
import { writes } from "./writes.ts";

const MAX_PAGE_SIZE = 1000;

export default implement(chat, {
  // Users of the Chat API have the same ids as people in the directory.
  // https://developers.google.com/people/api/rest/v1/people/listDirectoryPeople
  listUsers: list({
    maxPageSize: MAX_PAGE_SIZE,
    items: (body: GooglePage & { people?: GooglePerson[] }) => body.people ?? [],
    next: googleNextPage,
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
    next: googleNextPage,
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
    next: googleNextPage,
    request: ({ input, limit, cursor }) =>
      get(
        messagesOf(input.channel_id),
        {},
        { orderBy: "create_time DESC", markupSyntax: MARKDOWN, pageSize: limit, pageToken: cursor },
      ),
    record: toMessage,
  }),
  ...writes,
});
