import type { EmulatedReply, EmulatedRequest, EmulatedTokens } from "../../../contracts/emulator.ts";
import { emulate, reply } from "../../../emulator-kit/emulator.ts";
import { changes } from "./changes.ts";
import { ME, makeState, newId, newPost, type Post, type State } from "./data.ts";

const MAX_TEXT_LENGTH = 16_383;
const MAX_PAGE_SIZE = 200;
const DEFAULT_PAGE_SIZE = 60;

const errorReply = (status_code: number, id: string, message: string) =>
  reply(status_code, {
    id,
    message,
    detailed_error: "",
    request_id: newId(Math.floor(performance.now() * 1000)),
    status_code,
  });

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

function listUsers(request: EmulatedRequest, { users }: State): EmulatedReply {
  const { page, size } = pageOf(request);
  return reply(200, users.slice(page * size, (page + 1) * size));
}

function checkChannel(id: string, { channels }: State): EmulatedReply | undefined {
  if (!/^[a-z0-9]{26}$/.test(id)) return invalidParameter("channel_id");
  if (channels.some((channel) => channel.id === id)) return undefined;
  return errorReply(404, "app.channel.get.existing.app_error", "Unable to find the existing channel.");
}

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

function listPosts(request: EmulatedRequest, state: State): EmulatedReply {
  const refusal = checkChannel(request.params.channel!, state);
  if (refusal) return refusal;
  const { query } = request;
  const all = state.posts.get(request.params.channel!) ?? [];
  const { page, size } = pageOf(request);
  const since = Number(query.get("since") ?? 0);
  if (since > 0) {
    const changed = all.filter(({ update_at }) => update_at > since);
    return reply(200, { ...listOf(changed, 0, changed.length), next_post_id: "", prev_post_id: "" });
  }
  const [before, after] = ["before", "after"].map((name) => all.findIndex(({ id }) => id === query.get(name)));
  if ((query.has("before") && before === -1) || (query.has("after") && after === -1))
    return errorReply(404, "app.post.get.app_error", "Unable to get the post.");
  if (query.has("after")) {
    const end = Math.max(0, after! - page * size);
    return reply(200, listOf(all, Math.max(0, end - size), end));
  }
  const start = (query.has("before") ? before! + 1 : 0) + page * size;
  return reply(200, listOf(all, start, start + size));
}

function createPost({ body }: EmulatedRequest, state: State): EmulatedReply {
  const text = (name: string) => String(body?.[name] ?? "");
  const [channel_id, message, root_id] = [text("channel_id"), text("message"), text("root_id")];
  if (checkChannel(channel_id, state))
    return errorReply(403, "api.context.permissions.app_error", "You do not have the appropriate permissions.");
  if ([...message].length > MAX_TEXT_LENGTH)
    return errorReply(
      400,
      "model.post.is_valid.message_length.app_error",
      "Post Message property is longer than the maximum.",
    );
  const posts = state.posts.get(channel_id) ?? [];
  state.posts.set(channel_id, posts);
  const root = root_id && posts.find(({ id }) => id === root_id);
  if (root_id && !root) return errorReply(400, "api.post.create_post.root_id.app_error", "Invalid RootId parameter.");
  if (root) root.reply_count++;
  const post = { ...newPost(newId(Date.now() + posts.length), channel_id, ME, message, Date.now()), root_id };
  posts.unshift(post);
  return reply(201, post);
}

function logOut({ headers }: EmulatedRequest, _: State, tokens: EmulatedTokens): EmulatedReply {
  tokens.revoke(headers.authorization?.split(" ").at(-1) ?? "");
  return reply(200, { status: "OK" });
}

const ERRORS: Record<number, [id: string, message: string]> = {
  401: ["api.context.session_expired.app_error", "Invalid or expired session, please login again."],
  403: ["api.context.permissions.app_error", "You do not have the appropriate permissions."],
  404: ["api.context.404.app_error", "Sorry, we could not find the page."],
};

function failure(status: number): EmulatedReply {
  // https://github.com/mattermost/mattermost/blob/master/server/channels/app/ratelimit.go
  if (status === 429)
    return reply(429, "limit exceeded\n", {
      "content-type": "text/plain; charset=utf-8",
      "retry-after": "1",
      "x-ratelimit-remaining": "0",
    });
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
    "x-request-id": newId(Math.floor(performance.now() * 1000)),
    "x-version-id": "11.9.0.11.9.0.0123456789abcdef.false",
    vary: "Origin, Accept-Encoding",
  }),
  routes: {
    "GET /api/v4/users/me": (_, { users }) =>
      reply(
        200,
        users.find(({ id }) => id === ME),
      ),
    "GET /api/v4/users": listUsers,
    "POST /api/v4/users/logout": logOut,
    "GET /api/v4/users/me/channels": (_, { channels }) => reply(200, channels),
    "GET /api/v4/channels/:channel/posts": listPosts,
    "POST /api/v4/posts": createPost,
  },
  tokenFailure(error, description, { body }) {
    if (error === "invalid_client") return tokenError(403, "credentials", "Invalid client credentials.");
    if (error === "unsupported_grant_type") return tokenError(400, "bad_grant", "Bad grant_type.");
    if (body?.grant_type === "refresh_token") return tokenError(404, "refresh_token", "Invalid refresh token.");
    return description.includes("redirect_uri")
      ? tokenError(400, "redirect_uri", "Supplied redirect_uri does not match authorization code redirect_uri.")
      : tokenError(400, "expired_code", "Invalid or expired authorization code.");
  },
});
