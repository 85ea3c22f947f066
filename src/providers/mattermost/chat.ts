import {
  type Answer,
  type Attachment,
  attachmentText,
  type ChatChannel,
  type ChatMessage,
  type ChatUser,
  type Context,
  chat,
  get,
  implement,
  isoTime,
  joinName,
  list,
  orNull,
  pageNumber,
  path,
  replaceEmojiNames,
  toText,
} from "../../provider-kit/index.ts";
import { writes } from "./writes.ts";

// Only the fields that are read. A string that is not set is empty.
export interface MattermostUser {
  id: string;
  username: string;
  nickname?: string;
  first_name?: string;
  last_name?: string;
  /** Empty if the server hides email addresses from the user. */
  email?: string;
  is_bot?: boolean;
}
export interface MattermostChannel {
  id: string;
  type: string;
  name: string;
  display_name: string;
  header?: string;
  purpose?: string;
}
export interface MattermostPost {
  id: string;
  type?: string;
  message: string;
  user_id: string;
  create_at: number;
  root_id: string;
  /** Set by the author of the post, so it may contain anything. */
  props?: { override_username?: unknown; attachments?: unknown } | null;
}
export interface MattermostPosts {
  /** Newest first. `posts` may contain more than these: the roots of their threads. */
  order: string[];
  posts: Record<string, MattermostPost>;
  prev_post_id: string;
}

const API_PATH = /\/api\/v4$/;
/** Larger page sizes are silently reduced to this. */
const MAX_PAGE_SIZE = 200;
/** Public and private channels. The other types are direct and group messages, which have no name. */
const CHANNEL_TYPES = ["O", "P"];
/** Posts about what happened in the channel, such as who joined: `system_join_channel`. */
const SYSTEM_TYPE = /^system_/;

/** A picture is only served to those who have logged in, so it has no address that others could use. */
export const toUser = ({ id, username, email, is_bot, ...names }: MattermostUser): ChatUser => ({
  id,
  name: names.nickname || joinName(names.first_name, names.last_name) || username,
  email: orNull(email),
  avatar_url: null,
  // Left out if false.
  is_bot: is_bot ?? false,
});

/** Mattermost's text is Markdown, with names for emoji. */
const toMarkdown = (text: string | undefined): string | null => toText(text && replaceEmojiNames(text));

const toChannel = ({ id, type, name, display_name, header, purpose }: MattermostChannel): ChatChannel => ({
  id,
  name: display_name || name,
  is_private: type === "P",
  topic: toMarkdown(header) ?? toMarkdown(purpose),
});

/** A webhook's post belongs to whoever created the webhook, and has the name to show in its place. */
function authorOf({ user_id, props }: MattermostPost): ChatMessage["author"] {
  const name = typeof props?.override_username === "string" ? orNull(props.override_username) : null;
  return user_id || name ? { id: orNull(user_id), name } : null;
}

function toMessage(post: MattermostPost, { address }: Pick<Context, "address">): ChatMessage {
  const { id, message, props, create_at, root_id } = post;
  return {
    id,
    text: toMarkdown(message) ?? toMarkdown(attachmentText(props?.attachments as Attachment[])),
    author: authorOf(post),
    created_at: isoTime(create_at),
    thread_id: orNull(root_id),
    // Leads to the post in whichever team it is.
    url: `${address("api").replace(API_PATH, "")}/_redirect/pl/${id}`,
  };
}

export default implement(chat, {
  // https://developers.mattermost.com/api-documentation/#/operations/GetUsers
  listUsers: list({
    maxPageSize: MAX_PAGE_SIZE,
    items: (users: MattermostUser[]) => users,
    next: pageNumber<MattermostUser[]>(0, (users) => users),
    request: ({ limit, cursor }) => get("/users", {}, { page: cursor ?? 0, per_page: limit }),
    record: toUser,
  }),
  // Channels of all teams in one response. https://developers.mattermost.com/api-documentation/#/operations/GetChannelsForUser
  listChannels: list({
    maxPageSize: 1000,
    ignoresPageSize: true,
    items: (channels: MattermostChannel[]) => channels,
    next: () => null,
    keep: ({ type }) => CHANNEL_TYPES.includes(type),
    request: () => get("/users/me/channels"),
    record: toChannel,
  }),
  // Paged by id, not by page number: new posts would shift the pages.
  // https://developers.mattermost.com/api-documentation/#/operations/GetPostsForChannel
  listMessages: list({
    maxPageSize: MAX_PAGE_SIZE,
    items: ({ order, posts }: MattermostPosts) => order.flatMap((id) => posts[id] ?? []),
    next: ({ body }: Answer<MattermostPosts>) => (body.prev_post_id ? body.order.at(-1) : null),
    keep: ({ type = "" }) => !SYSTEM_TYPE.test(type),
    request: ({ input, limit, cursor }) =>
      get(
        path`/channels/${input.channel_id}/posts`,
        {},
        { per_page: limit, before: cursor, after: undefined, since: undefined, page: undefined },
      ),
    record: toMessage,
  }),
  ...writes,
});
