import {
  bearerToken,
  collection,
  type EmulatedReply,
  type EmulatedRequest,
  emulate,
  listAt,
  refuse,
  reply,
} from "../../../emulator-kit/index.ts";
import { changes } from "./changes.ts";
import { ME, makeState, newId, newPost, type Post, type State } from "./data.ts";

const MAX_TEXT_LENGTH = 16_383;
const MAX_PAGE_SIZE = 200;
const DEFAULT_PAGE_SIZE = 60;

const errorReply = (status_code: number, id: string, message: string) =>
  reply(status_code, { id, message, detailed_error: "", request_id: newId(status_code), status_code });

const invalidParameter = (name: string) =>
  errorReply(400, "api.context.invalid_url_param.app_error", `Invalid or missing ${name} parameter in request URL.`);

/** Invalid numbers silently become the default, and too large ones the maximum. */
function pageOf({ query }: EmulatedRequest): { page: number; size: number } {
  const number = (name: string, fallback: number) => {
    const given = Number.parseInt(query.get(name) ?? "", 10);
    return given >= 0 ? given : fallback;
  };
  return { page: number("page", 0), size: Math.min(number("per_page", DEFAULT_PAGE_SIZE), MAX_PAGE_SIZE) };
}

const channels = collection({
  items: ({ channels }: State) => channels,
  parameter: "channel",
  notFound: ({ params }) =>
    /^[a-z0-9]{26}$/.test(params.channel!)
      ? errorReply(404, "app.channel.get.existing.app_error", "Unable to find the existing channel.")
      : invalidParameter("channel_id"),
});

/** A list of posts with the roots of their threads, which are not in its `order`. */
function listOf(all: Post[], start: number, end: number): object {
  const page = all.slice(start, end);
  const roots = all.filter(({ id }) => page.some(({ root_id }) => root_id === id));
  return {
    order: page.map(({ id }) => id),
    posts: Object.fromEntries([...page, ...roots].map((post) => [post.id, post])),
    next_post_id: all[start - 1]?.id ?? "",
    prev_post_id: all[end]?.id ?? "",
    has_next: start > 0,
  };
}

function listPosts({ id }: { id: string }, request: EmulatedRequest, { posts }: State): EmulatedReply {
  const { query } = request;
  const all = posts.get(id) ?? [];
  const { page, size } = pageOf(request);
  const positionOf = (name: string) => all.findIndex((post) => post.id === query.get(name));
  if (["before", "after"].some((name) => query.has(name) && positionOf(name) < 0))
    refuse(errorReply(404, "app.post.get.app_error", "Unable to get the post."));
  if (query.has("after")) {
    const end = Math.max(0, positionOf("after") - page * size);
    return reply(200, listOf(all, Math.max(0, end - size), end));
  }
  const start = (query.has("before") ? positionOf("before") + 1 : 0) + page * size;
  return reply(200, listOf(all, start, start + size));
}

function createPost({ body }: EmulatedRequest, state: State): EmulatedReply {
  const { channel_id, message = "", root_id = "" } = body ?? {};
  if (!state.channels.some(({ id }) => id === channel_id)) refuse(failure(403));
  const invalid = (what: string, text: string) => refuse(errorReply(400, `${what}.app_error`, text));
  if ([...message].length > MAX_TEXT_LENGTH)
    invalid("model.post.is_valid.message_length", "Post Message property is longer than the maximum.");
  const posts = listAt(state.posts, channel_id, true)!;
  const root = posts.find(({ id }) => id === root_id);
  if (root_id && (!root || root.root_id)) invalid("api.post.create_post.root_id", "Invalid RootId parameter.");
  if (root) root.reply_count++;
  const post = { ...newPost(newId(Date.now() + posts.length), channel_id, ME, message, Date.now()), root_id };
  posts.unshift(post);
  return reply(201, post);
}

const ERRORS: Record<number, [id: string, message: string]> = {
  401: ["api.context.session_expired.app_error", "Invalid or expired session, please login again."],
  403: ["api.context.permissions.app_error", "You do not have the appropriate permissions."],
  404: ["api.context.404.app_error", "Sorry, we could not find the page."],
};

function failure(status: number): EmulatedReply {
  const headers = { "content-type": "text/plain; charset=utf-8", "retry-after": "1", "x-ratelimit-remaining": "0" };
  // https://github.com/mattermost/mattermost/blob/master/server/channels/app/ratelimit.go
  if (status === 429) return reply(429, "limit exceeded\n", headers);
  const [id, message] = ERRORS[status] ?? ["api.unknown.app_error", "An unknown error has occurred."];
  return errorReply(status, id, message);
}

const tokenError = (status: number, what: string, message: string) =>
  errorReply(status, `api.oauth.get_access_token.${what}.app_error`, message);

export default emulate<State>({
  state: makeState,
  changes,
  failure,
  headers: () => ({
    // Without a character set, for which the official client compares it.
    // https://github.com/mattermost/mattermost/blob/master/webapp/platform/client/src/client4.ts
    "content-type": "application/json",
    "x-ratelimit-limit": "101",
    "x-ratelimit-remaining": "100",
    "x-ratelimit-reset": "1",
    "x-version-id": "11.9.0.11.9.0.0123456789abcdef.false",
  }),
  routes: {
    "GET /api/v4/users/me": (_, { users }) => reply(200, { ...users.find(({ id }) => id === ME) }),
    "GET /api/v4/users": (request, { users }) => {
      const { page, size } = pageOf(request);
      return reply(200, users.slice(page * size, (page + 1) * size));
    },
    "POST /api/v4/users/logout": (request, _, tokens) => {
      tokens.revoke(bearerToken(request) ?? "");
      return reply(200, { status: "OK" });
    },
    "GET /api/v4/users/me/channels": (_, state) => reply(200, state.channels),
    "GET /api/v4/channels/:channel/posts": channels.below(listPosts),
    "GET /api/v4/posts/:post": ({ params }, { posts }) => {
      const post = [...posts.values()].flat().find(({ id }) => id === params.post);
      return post ? reply(200, post) : errorReply(404, "app.post.get.app_error", "Unable to get the post.");
    },
    "POST /api/v4/posts": createPost,
  },
  tokenFailure(error, _, { body }) {
    if (error === "invalid_client") return tokenError(403, "credentials", "Invalid client credentials.");
    return body?.grant_type === "refresh_token"
      ? tokenError(404, "refresh_token", "Invalid refresh token.")
      : tokenError(400, "expired_code", "Invalid or expired authorization code.");
  },
});
