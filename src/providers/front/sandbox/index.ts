import type { EmulatedReply, EmulatedRequest } from "../../../contracts/emulator.ts";
import { emulate, reply } from "../../../emulator-kit/emulator.ts";
import { changes } from "./changes.ts";
import { channels, HOST, makeState, me, type State, type StoredConversation, tags } from "./data.ts";
import { addComment, changeConversation, importMessage, readMessage, sendReply } from "./writes.ts";

const MAX_PAGE_SIZE = 100;
const DEFAULT_PAGE_SIZE = 50;

const TITLES: Record<number, [title: string, message: string]> = {
  400: ["Bad request", "Invalid request"],
  401: ["Unauthenticated", "JSON Web Token error"],
  403: ["Forbidden", "Access to the resource is not allowed"],
  404: ["Not found", "Requested resource was not found"],
  422: ["Unprocessable entity", "The request could not be processed"],
  429: ["Too many requests", "Rate limit exceeded"],
};

const problem = (status: number, message: string, headers?: Record<string, string>) =>
  reply(status, { _error: { status, title: TITLES[status]?.[0] ?? "Internal error", message } }, headers);

const failure = (status: number): EmulatedReply =>
  problem(
    status,
    TITLES[status]?.[1] ?? "An internal error occurred",
    status === 429 ? { "retry-after": "12" } : undefined,
  );

const makeToken = (id: string) => Buffer.from(id).toString("base64url");

/** https://dev.frontapp.com/docs/pagination */
function pageOf<Item extends { id: string }>({ query, path }: EmulatedRequest, all: Item[]): EmulatedReply {
  const limit = Number(query.get("limit") ?? DEFAULT_PAGE_SIZE);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE_SIZE)
    return problem(400, `limit: expected a number from 1 to ${MAX_PAGE_SIZE}`);
  const token = query.get("page_token");
  const before = all.findIndex(({ id }) => makeToken(id) === token);
  if (token !== null && before < 0) return problem(400, "page_token: invalid");
  const items = all.slice(before + 1, before + 1 + limit);
  const last = items.at(-1);
  const isEnd = before + 1 + limit >= all.length || !last;
  const link = `${HOST}${path.split("?")[0]}`;
  return reply(200, {
    _pagination: { next: isEnd ? null : `${link}?limit=${limit}&page_token=${makeToken(last.id)}` },
    _links: { self: link },
    _results: items,
  });
}

/** A list that comes at once. */
const all = ({ path }: EmulatedRequest, _results: object[]) =>
  reply(200, { _links: { self: `${HOST}${path.split("?")[0]}` }, _results });

/** What the request is about, or the reply if there is no such conversation. */
function withConversation(
  { params }: EmulatedRequest,
  { conversations }: State,
  work: (found: StoredConversation) => EmulatedReply,
): EmulatedReply {
  const found = conversations.find(({ conversation }) => conversation.id === params.conversation);
  return found ? work(found) : failure(404);
}

/** From oldest to newest, or newest first, which is the default. */
const inOrder = <Item>({ query }: EmulatedRequest, items: Item[]): Item[] =>
  query.get("sort_order") === "asc" ? items : items.toReversed();

const listConversations = (request: EmulatedRequest, { conversations }: State): EmulatedReply =>
  pageOf(
    request,
    conversations.map(({ conversation }) => conversation),
  );

const readConversation = (request: EmulatedRequest, state: State): EmulatedReply =>
  withConversation(request, state, ({ conversation }) => reply(200, conversation));

const change =
  (work: (request: EmulatedRequest, state: State, found: StoredConversation) => EmulatedReply) =>
  (request: EmulatedRequest, state: State): EmulatedReply =>
    withConversation(request, state, (found) => work(request, state, found));

const listMessages = (request: EmulatedRequest, state: State): EmulatedReply =>
  withConversation(request, state, ({ messages }) => pageOf(request, inOrder(request, messages)));

const listComments = (request: EmulatedRequest, state: State): EmulatedReply =>
  withConversation(request, state, ({ comments }) => all(request, comments.toReversed()));

export default emulate<State>({
  state: makeState,
  changes,
  failure,
  headers: () => ({
    "x-ratelimit-limit": "100",
    "x-ratelimit-remaining": "99",
    "x-ratelimit-reset": "1701292649.333",
    "x-front-tier": "1",
  }),
  routes: {
    "GET /me": () => reply(200, me),
    "GET /channels": (request) => all(request, channels),
    "GET /tags": (request) => pageOf(request, tags),
    "GET /conversations": listConversations,
    "GET /conversations/:conversation": readConversation,
    "GET /conversations/:conversation/messages": listMessages,
    "GET /conversations/:conversation/comments": listComments,
    "GET /contacts": (request, { contacts }) => pageOf(request, inOrder(request, contacts)),
    "GET /messages/:message": readMessage,
    "POST /inboxes/:inbox/imported_messages": importMessage,
    "PATCH /conversations/:conversation": change(changeConversation),
    "POST /conversations/:conversation/comments": change(addComment),
    "POST /conversations/:conversation/messages": change(sendReply),
  },
  // https://dev.frontapp.com/docs/oauth
  tokenAnswer: ({ access_token, refresh_token, expires_in }) =>
    reply(200, {
      access_token,
      refresh_token,
      expires_at: Math.floor(Date.now() / 1000) + Number(expires_in),
      token_type: "Bearer",
    }),
});
