import {
  collection,
  cut,
  type EmulatedReply,
  type EmulatedRequest,
  emulate,
  hasWords,
  linkTo,
  refuse,
  reply,
  wholeNumber,
} from "../../../emulator-kit/index.ts";
import { changes } from "./changes.ts";
import { type Conversation, MERGED_ID, mailboxes, makeState, me, type State } from "./data.ts";
import { FIELDS } from "./fields.ts";
import { hookRoutes, hooks } from "./hooks.ts";
import { addThread, changeConversation, created, newConversation, replaceFields, replaceTags } from "./writes.ts";

const MESSAGES: Record<number, string> = {
  400: "Validation error",
  401: "Access token is missing, expired or invalid",
  403: "Access denied",
  404: "Not found",
};

/** https://developer.helpscout.com/mailbox-api/overview/errors/ */
function failure(status: number, message = MESSAGES[status] ?? "Internal error"): EmulatedReply {
  if (status === 429) return reply(status, { message: "API rate limit exceeded" }, { "x-ratelimit-retry-after": "10" });
  return reply(status, {
    logRef: "cb73aad3-9a81-44fd-bf70-48250ea256ff#12",
    message,
    _links: { about: { href: "http://developer.helpscout.net/mailbox-api/overview/errors" } },
  });
}

/** https://developer.helpscout.com/mailbox-api/overview/pagination/ */
const pageOf =
  (name: string, size: number) =>
  <Item>(all: Item[], request: EmulatedRequest, show: (item: Item) => unknown = (item) => item): EmulatedReply => {
    const number = wholeNumber(request.query.get("page"), { fallback: 1 }, () => failure(400, "page: is not valid"));
    const { items, next } = cut(all, (number - 1) * size, size);
    const to = (page: number) => ({ href: linkTo(request, { page }) });
    return reply(200, {
      // Missing if there is nothing.
      ...(items.length > 0 && { _embedded: { [name]: items.map(show) } }),
      _links: { self: to(number), first: to(1), ...(next !== undefined && { next: to(number + 1) }) },
      page: { size, totalElements: all.length, totalPages: Math.ceil(all.length / size), number },
    });
  };

function sorted<Item>({ query }: EmulatedRequest, all: Item[], keyOf: (item: Item) => string): Item[] {
  const direction = query.get("sortOrder") === "asc" ? 1 : -1;
  return all.toSorted((a, b) => (keyOf(a) === keyOf(b) ? 0 : keyOf(a) < keyOf(b) ? -direction : direction));
}

/** Only a search for text in subjects and bodies is emulated. */
function searchedText(query: string | null): string {
  if (query === null) return "";
  const [, subject, body] = /^\(subject:"([^"\\]*)" OR body:"([^"\\]*)"\)$/.exec(query) ?? [];
  return subject !== undefined && subject === body ? subject : refuse(failure(400, "query: is not valid"));
}

const conversations = collection({
  items: ({ conversations }: State) => conversations,
  notFound: () => failure(404),
  select(all, request) {
    const status = request.query.get("status") ?? "active";
    const since = request.query.get("modifiedSince") ?? "";
    if (since && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(since)) refuse(failure(400, "modifiedSince: invalid"));
    const assignee = request.query.get("assigned_to");
    if (assignee !== null && !/^\d+$/.test(assignee)) refuse(failure(400, "assigned_to: invalid"));
    const text = searchedText(request.query.get("query"));
    const found = all.filter(
      (one) =>
        (status === "all" || one.status === status) &&
        one.modifiedAt >= since &&
        (assignee === null || String(one.assignee?.id) === assignee) &&
        (hasWords(text, one.subject) || hasWords(text, ...one.threads.map(({ body }) => body))),
    );
    const field = request.query.get("sortField") === "modifiedAt" ? "modifiedAt" : "createdAt";
    return sorted(request, found, (one) => one[field]);
  },
  page: pageOf("conversations", 25),
  show: ({ threads, modifiedAt, ...conversation }, { query }) => ({
    ...conversation,
    threads: threads.filter(({ type, state }) => type !== "lineitem" && state === "published").length,
    ...(query.get("embed") === "threads" && { _embedded: { threads } }),
  }),
  create: newConversation,
  one: (shown, status) => (status === 201 ? created(shown as Conversation) : reply(status, shown)),
});

export default emulate<State>({
  state: makeState,
  changes,
  hooks,
  failure: (status) => failure(status),
  headers: () => ({ "x-ratelimit-limit-minute": "400", "x-ratelimit-remaining-minute": "399" }),
  routes: {
    "GET /v2/users/me": () => reply(200, me),
    ...hookRoutes(failure),
    "GET /v2/mailboxes": (request) => pageOf("mailboxes", 50)(mailboxes, request),
    "GET /v2/mailboxes/:mailbox/fields": (request) =>
      pageOf("fields", 50)(request.params.mailbox === String(mailboxes[0]!.id) ? FIELDS : [], request),
    "GET /v2/conversations": conversations.list,
    "POST /v2/conversations": conversations.create,
    [`GET /v2/conversations/${MERGED_ID}`]: ({ origin }, { conversations: [first] }) =>
      reply(301, undefined, { location: `${origin}/v2/conversations/${first!.id}` }),
    "GET /v2/conversations/:id": conversations.get,
    "PATCH /v2/conversations/:id": conversations.below(changeConversation),
    "GET /v2/conversations/:id/threads": conversations.below(({ threads }, request) =>
      pageOf("threads", 50)(threads, request),
    ),
    "PUT /v2/conversations/:id/fields": conversations.below(replaceFields),
    "PUT /v2/conversations/:id/tags": conversations.below(replaceTags),
    "POST /v2/conversations/:id/notes": conversations.below(addThread("note")),
    "POST /v2/conversations/:id/reply": conversations.below(addThread("message")),
    "GET /v2/customers": (request, { customers }) =>
      pageOf("customers", 50)(
        sorted(request, customers, ({ createdAt, updatedAt }) =>
          request.query.get("sortField") === "modifiedAt" ? updatedAt : createdAt,
        ),
        request,
      ),
  },
});
