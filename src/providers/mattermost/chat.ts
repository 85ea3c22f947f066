import { type ChatChannel, type ChatMessage, type ChatUser, chat } from "../../categories/chat.ts";
import type { Answer } from "../../contracts/upstream.ts";
import { implement, list } from "../../provider-kit/implement.ts";
import { pageNumber } from "../../provider-kit/paging.ts";
import { get, path, post } from "../../provider-kit/request.ts";
import { isoTime } from "../../provider-kit/time.ts";

// Only the fields that are read. A string that is not set is empty.
export interface MattermostUser {
  id: string;
  username: string;
  nickname?: string;
  first_name?: string;
  last_name?: string;
}
export interface MattermostChannel {
  id: string;
  type: string;
  name: string;
  display_name: string;
}
export interface MattermostPost {
  id: string;
  message: string;
  user_id: string;
  create_at: number;
  root_id: string;
}
export interface MattermostPosts {
  /** Newest first. `posts` may contain more than these: the roots of their threads. */
  order: string[];
  posts: Record<string, MattermostPost>;
  prev_post_id: string;
}

/** Larger page sizes are silently reduced to this. */
const MAX_PAGE_SIZE = 200;
/** Public and private channels. The other types are direct and group messages, which have no name. */
const CHANNEL_TYPES = ["O", "P"];

const toUser = ({ id, username, nickname, first_name, last_name }: MattermostUser): ChatUser => ({
  id,
  name: nickname || [first_name, last_name].filter(Boolean).join(" ") || username,
});

const toChannel = ({ id, name, display_name }: MattermostChannel): ChatChannel => ({ id, name: display_name || name });

const toMessage = ({ id, message, user_id, create_at, root_id }: MattermostPost): ChatMessage => ({
  id,
  text: message,
  author: user_id ? { id: user_id, name: null } : null,
  created_at: isoTime(create_at),
  thread_id: root_id || null,
});

export default implement(chat, {
  // https://developers.mattermost.com/api-documentation/#/operations/GetUsers
  listUsers: list({
    maxPageSize: MAX_PAGE_SIZE,
    items: (users: MattermostUser[]) => users,
    next: pageNumber<MattermostUser[]>(0, (users) => users),
    request: ({ limit, cursor }) => get("/users", {}, { page: cursor ?? 0, per_page: limit }),
    record: toUser,
  }),
  // Channels of all teams at once. https://developers.mattermost.com/api-documentation/#/operations/GetChannelsForUser
  listChannels: list({
    maxPageSize: 1000,
    ignoresPageSize: true,
    items: (channels: MattermostChannel[]) => channels.filter(({ type }) => CHANNEL_TYPES.includes(type)),
    next: () => null,
    request: () => get("/users/me/channels"),
    record: toChannel,
  }),
  // Paged by id, not by page number: new posts would shift the pages.
  // https://developers.mattermost.com/api-documentation/#/operations/GetPostsForChannel
  listMessages: list({
    maxPageSize: MAX_PAGE_SIZE,
    items: ({ order, posts }: MattermostPosts) => order.map((id) => posts[id]),
    next: ({ body }: Answer<MattermostPosts>) => (body.prev_post_id ? body.order.at(-1) : null),
    request: ({ input, limit, cursor }) =>
      get(
        path`/channels/${input.channel_id}/posts`,
        {},
        { per_page: limit, before: cursor, after: undefined, since: undefined, page: undefined },
      ),
    record: toMessage,
  }),
  sendMessage: {
    request: ({ input }) => post("/posts", { channel_id: input.channel_id, message: input.text }),
  },
});
