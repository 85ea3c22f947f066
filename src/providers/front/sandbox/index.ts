import {
  collection,
  cutAfter,
  type EmulatedReply,
  type EmulatedRequest,
  emulate,
  hasWords,
  reply,
  wholeNumber,
} from "../../../emulator-kit/index.ts";
import { changes } from "./changes.ts";
import { channels, HOST, makeState, me, type State, tags } from "./data.ts";
import { listFields } from "./fields.ts";
import { hooks } from "./hooks.ts";
import { addComment, changeConversation, failure, importMessage, readMessage, sendReply } from "./writes.ts";

/** https://dev.frontapp.com/docs/pagination */
function pageOf<Item extends { id: string }>(
  all: Item[],
  { query, path }: EmulatedRequest,
  show: (item: Item) => unknown = (item) => item,
): EmulatedReply {
  const limit = wholeNumber(query.get("limit"), { fallback: 50, max: 100 }, () => failure(400, "limit: invalid"));
  const { items, next } = cutAfter(all, query.get("page_token"), limit, () => failure(400, "page_token: invalid"));
  const self = `${HOST}${path}`;
  return reply(200, {
    _pagination: { next: next ? `${self}?limit=${limit}&page_token=${next}` : null },
    _links: { self },
    _results: items.map(show),
  });
}

/** A list that comes in one response. */
const wholeList = ({ path }: EmulatedRequest, _results: object[]) =>
  reply(200, { _links: { self: `${HOST}${path}` }, _results });

/** From oldest to newest, or newest first, which is the default. */
const inOrder = <Item>({ query }: EmulatedRequest, items: Item[]): Item[] =>
  query.get("sort_order") === "asc" ? items : items.toReversed();

const conversations = collection({
  items: ({ conversations }: State) => conversations,
  notFound: () => failure(404),
  page: pageOf,
  show: ({ messages, comments, ...conversation }) => conversation,
});

export default emulate<State>({
  state: makeState,
  changes,
  hooks,
  failure: (status) => failure(status),
  headers: () => ({ "x-ratelimit-limit": "100", "x-ratelimit-remaining": "99", "x-front-tier": "1" }),
  routes: {
    "GET /me": () => reply(200, me),
    "GET /channels": (request) => wholeList(request, channels),
    "GET /tags": (request) => pageOf(tags, request),
    "GET /conversations": conversations.list,
    "GET /conversations/search/:query": (request, state) => {
      const text = request.params.query!;
      if (/[:"]/.test(text)) return failure(400, "query: filters are not emulated");
      const found = state.conversations.filter(({ subject, messages }) =>
        hasWords(text, subject, ...messages.map(({ body }) => body)),
      );
      const answer = pageOf(found, request, ({ messages, comments, ...conversation }) => conversation);
      return { ...answer, body: { ...(answer.body as object), _total: found.length } };
    },
    "GET /conversations/custom_fields": listFields,
    "GET /contacts/custom_fields": listFields,
    "GET /conversations/:id": conversations.get,
    "GET /conversations/:id/messages": conversations.below(({ messages }, request) =>
      pageOf(inOrder(request, messages), request),
    ),
    "GET /conversations/:id/comments": conversations.below(({ comments }, request) =>
      wholeList(request, comments.toReversed()),
    ),
    "GET /contacts": (request, { contacts }) => pageOf(inOrder(request, contacts), request),
    "GET /messages/:message": readMessage,
    "POST /inboxes/:inbox/imported_messages": importMessage,
    "PATCH /conversations/:id": conversations.below(changeConversation),
    "POST /conversations/:id/comments": conversations.below(addComment),
    "POST /conversations/:id/messages": conversations.below(sendReply),
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
