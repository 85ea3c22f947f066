import type { EmulatedReply, EmulatedRequest } from "../../../contracts/emulator.ts";
import { emulate, reply } from "../../../emulator-kit/emulator.ts";
import { changes } from "./changes.ts";
import { MERGED_ID, mailboxes, makeState, me, type State, type StoredConversation } from "./data.ts";
import { addNote, addReply, createConversation, patchConversation, replaceTags } from "./writes.ts";

const LOG_REF = "cb73aad3-9a81-44fd-bf70-48250ea256ff#12";

/** https://developer.helpscout.com/mailbox-api/overview/errors/ */
const problem = (status: number, message: string) =>
  reply(status, {
    logRef: LOG_REF,
    message,
    _links: { about: { href: "http://developer.helpscout.net/mailbox-api/overview/errors" } },
  });

const MESSAGES: Record<number, string> = {
  400: "Validation error",
  401: "Access token is missing, expired or invalid",
  403: "Access denied",
  404: "Not found",
};

function failure(status: number): EmulatedReply {
  if (status === 429) return reply(status, { message: "API rate limit exceeded" }, { "x-ratelimit-retry-after": "10" });
  return problem(status, MESSAGES[status] ?? "Internal error");
}

/** https://developer.helpscout.com/mailbox-api/overview/pagination/ */
function pageOf<Item>(request: EmulatedRequest, name: string, all: Item[], size: number): EmulatedReply {
  const number = Number(request.query.get("page") ?? 1);
  if (!Number.isInteger(number) || number < 1) return problem(400, "page: must be greater than or equal to 1");
  const totalPages = Math.ceil(all.length / size);
  const items = all.slice((number - 1) * size, number * size);
  const href = (page: number) => {
    const query = new URLSearchParams(request.query);
    query.set("page", String(page));
    return { href: `${request.origin}${request.path.split("?")[0]}?${query}` };
  };
  return reply(200, {
    // Missing if there is nothing.
    ...(items.length > 0 ? { _embedded: { [name]: items } } : {}),
    _links: {
      self: href(number),
      first: href(1),
      last: href(totalPages),
      ...(number < totalPages ? { next: href(number + 1) } : {}),
      ...(number > 1 ? { previous: href(number - 1) } : {}),
    },
    page: { size, totalElements: all.length, totalPages, number },
  });
}

const embedsThreads = ({ query }: EmulatedRequest) => query.get("embed") === "threads";

/** The conversation, with the number of its threads, and with the threads themselves if they are asked for. */
const shown = (request: EmulatedRequest, { conversation, threads }: StoredConversation) => ({
  ...conversation,
  threads: threads.filter(({ type, state }) => type !== "lineitem" && state === "published").length,
  ...(embedsThreads(request) ? { _embedded: { threads } } : {}),
});

function sorted<Item>({ query }: EmulatedRequest, all: Item[], keyOf: (item: Item) => string): Item[] {
  const direction = query.get("sortOrder") === "asc" ? 1 : -1;
  return all.toSorted((a, b) => (keyOf(a) === keyOf(b) ? 0 : keyOf(a) < keyOf(b) ? -direction : direction));
}

function listConversations(request: EmulatedRequest, { conversations }: State): EmulatedReply {
  const { query } = request;
  const status = query.get("status") ?? "active";
  const since = query.get("modifiedSince");
  if (since !== null && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(since)) return problem(400, "modifiedSince: invalid");
  const found = conversations.filter(
    ({ conversation, modifiedAt }) =>
      (status === "all" || conversation.status === status) && (since === null || modifiedAt >= since),
  );
  const byField = query.get("sortField") === "modifiedAt";
  const inOrder = sorted(request, found, (one) => (byField ? one.modifiedAt : one.conversation.createdAt));
  return pageOf(
    request,
    "conversations",
    inOrder.map((one) => shown(request, one)),
    25,
  );
}

/** What the request is about, or the reply if there is no such conversation. */
function withConversation(
  request: EmulatedRequest,
  { conversations }: State,
  work: (found: StoredConversation) => EmulatedReply,
): EmulatedReply {
  const { params } = request;
  const found = conversations.find(({ conversation }) => String(conversation.id) === params.conversation);
  return found ? work(found) : failure(404);
}

/** https://developer.helpscout.com/mailbox-api/endpoints/conversations/get/ */
function readConversation(request: EmulatedRequest, state: State): EmulatedReply {
  if (request.params.conversation === String(MERGED_ID))
    return reply(301, undefined, {
      location: `${request.origin}/v2/conversations/${state.conversations[0]!.conversation.id}`,
    });
  return withConversation(request, state, (found) => reply(200, shown(request, found)));
}

const change =
  (work: (request: EmulatedRequest, state: State, found: StoredConversation) => EmulatedReply) =>
  (request: EmulatedRequest, state: State): EmulatedReply =>
    withConversation(request, state, (found) => work(request, state, found));

const listThreads = (request: EmulatedRequest, state: State): EmulatedReply =>
  withConversation(request, state, ({ threads }) => pageOf(request, "threads", threads, 50));

const listCustomers = (request: EmulatedRequest, { customers }: State): EmulatedReply =>
  pageOf(
    request,
    "customers",
    sorted(request, customers, ({ updatedAt }) => updatedAt),
    50,
  );

export default emulate<State>({
  state: makeState,
  changes,
  failure,
  headers: () => ({ "x-ratelimit-limit-minute": "400", "x-ratelimit-remaining-minute": "399" }),
  routes: {
    "GET /v2/users/me": () => reply(200, me),
    "GET /v2/mailboxes": (request) => pageOf(request, "mailboxes", mailboxes, 50),
    "GET /v2/conversations": listConversations,
    "GET /v2/conversations/:conversation": readConversation,
    "GET /v2/conversations/:conversation/threads": listThreads,
    "GET /v2/customers": listCustomers,
    "POST /v2/conversations": createConversation,
    "PATCH /v2/conversations/:conversation": change(patchConversation),
    "PUT /v2/conversations/:conversation/tags": change(replaceTags),
    "POST /v2/conversations/:conversation/notes": change(addNote),
    "POST /v2/conversations/:conversation/reply": change(addReply),
  },
});
