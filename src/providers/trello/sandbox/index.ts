import {
  collection,
  cut,
  type EmulatedReply,
  type EmulatedRequest,
  emulate,
  hasWords,
  refuse,
  reply,
  wholeNumber,
} from "../../../emulator-kit/index.ts";
import { changes } from "./changes.ts";
import { fieldsOf, setItem } from "./custom-fields.ts";
import { ME, MEMBERS, makeState, type SandboxBoard, type SandboxCard, type State } from "./data.ts";
import { hookRoutes, hooks } from "./hooks.ts";
import { addComment, changedCard, invalid, newCard } from "./writes.ts";

const MAX_PAGE_SIZE = 1000;

/** Most errors are a plain line of text. */
const ERRORS: Record<number, string> = {
  400: "invalid value",
  401: "invalid token",
  403: "unauthorized permission requested",
  404: "The requested resource was not found.",
};

/** https://developer.atlassian.com/cloud/trello/guides/rest-api/rate-limits/ */
const failure = (status: number): EmulatedReply =>
  status === 429
    ? reply(429, { error: "API_TOKEN_LIMIT_EXCEEDED", message: "Rate limit exceeded" })
    : reply(status, ERRORS[status] ?? "Server error");

/** An object with the requested fields, and always its id. */
function selectFields(item: object, { query }: EmulatedRequest, parameter = "fields"): object {
  const requested = query.get(parameter) ?? "all";
  const names = ["id", ...requested.split(",")];
  return Object.fromEntries(Object.entries(item).filter(([name]) => requested === "all" || names.includes(name)));
}

/** Boards, lists or cards: all, or those that are archived or not. */
function filtered<Item extends { closed: boolean }>(items: Item[], filter: string): Item[] {
  if (!["all", "open", "visible", "closed"].includes(filter)) refuse(invalid("filter"));
  return items.filter(({ closed }) => filter === "all" || closed === (filter === "closed"));
}

const limitOf = ({ query }: EmulatedRequest, fallback: number) =>
  wholeNumber(query.get("limit"), { fallback, max: MAX_PAGE_SIZE }, () => invalid("limit"));

const ID = /^[0-9a-f]{24}$/;

/** A test of which ids are within the bounds of the request. */
function withinBounds({ query }: EmulatedRequest): (item: { id: string }) => boolean {
  const [before, since] = [query.get("before") ?? "f".repeat(24), query.get("since") ?? "0".repeat(24)];
  if (!ID.test(before) || !ID.test(since)) refuse(invalid("before"));
  return ({ id }) => id < before && id > since;
}

const boards = collection({
  items: ({ boards }: State) => boards,
  parameter: "board",
  notFound: ({ params }) => (ID.test(params.board!) ? failure(404) : reply(400, "invalid id")),
  select: (all, { query }) => filtered(all, query.get("filter") ?? "all"),
  page: (found, _, show) => reply(200, found.map(show)),
  show({ lists, labels: _, ...board }, request) {
    const filter = request.query.get("lists");
    return { ...selectFields(board, request), ...(filter && { lists: filtered(lists, filter) }) };
  },
});

function showCard({ customFieldItems, ...card }: SandboxCard, request: EmulatedRequest, { boards }: State): object {
  const { query } = request;
  const members = MEMBERS.filter(({ id }) => card.idMembers.includes(id));
  const lists = boards.flatMap((board) => board.lists);
  return {
    ...selectFields(card, request),
    ...(query.get("members") === "true" && {
      members: members.map((member) => selectFields(member, request, "member_fields")),
    }),
    ...(query.get("customFieldItems") === "true" && { customFieldItems }),
    ...(query.get("list") === "true" && { list: lists.find(({ id }) => id === card.idList) }),
  };
}

const cards = collection({
  items: ({ cards }: State) => cards,
  parameter: "card",
  names: ({ id, shortLink }) => [id, shortLink],
  notFound: ({ params }) => (/^(?:\w{24}|\w{8})$/.test(params.card!) ? failure(404) : reply(400, "invalid id")),
  show: showCard,
  create: newCard,
  created: 200,
  update: changedCard,
});

/** The newest cards within the bounds, in their order on the board. */
function cardsOf(board: SandboxBoard, request: EmulatedRequest, state: State): EmulatedReply {
  const position = ({ idList, pos }: SandboxCard) => board.lists.findIndex(({ id }) => id === idList) * 1e9 + pos;
  const newest = filtered(state.cards, request.query.get("filter") ?? "visible")
    .filter(({ idBoard }) => idBoard === board.id)
    .filter(withinBounds(request))
    .sort((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, limitOf(request, MAX_PAGE_SIZE))
    .sort((one, other) => position(one) - position(other));
  const shown = newest.map((card) => showCard(card, request, state));
  return reply(200, shown);
}

/** https://developer.atlassian.com/cloud/trello/rest/api-group-search/#api-search-get */
function searchCards(request: EmulatedRequest, { cards }: State): EmulatedReply {
  const { query } = request;
  const text = query.get("query") ?? "";
  if (!text || /[^\p{L}\p{N}\p{M}. _-]/u.test(text)) refuse(invalid("query"));
  const boards = query.get("idBoards")?.split(",");
  const size = wholeNumber(query.get("cards_limit"), { fallback: 10, max: MAX_PAGE_SIZE }, () =>
    invalid("cards_limit"),
  );
  const page = wholeNumber(query.get("cards_page"), { fallback: 0, min: 0, max: 100 }, () => invalid("cards_page"));
  const found = cards.filter(
    ({ name, desc, idBoard }) => (boards === undefined || boards.includes(idBoard)) && hasWords(text, name, desc),
  );
  const shown = cut(found, page * size, size).items.map(({ customFieldItems: _, ...card }) => ({
    ...selectFields(card, request, "card_fields"),
    ...(query.get("card_members") === "true" && { members: MEMBERS.filter(({ id }) => card.idMembers.includes(id)) }),
  }));
  return reply(200, {
    cards: shown,
    options: { terms: [{ text }], modifiers: [], modelTypes: ["cards"], partial: false },
  });
}

function actionsOf({ id }: SandboxCard, request: EmulatedRequest, { actions }: State): EmulatedReply {
  const types = (request.query.get("filter") ?? "commentCard").split(",");
  const wanted = actions
    .get(id)!
    .filter(withinBounds(request))
    .filter(({ type }) => types.includes("all") || types.includes(type))
    .slice(0, limitOf(request, 50));
  const shown = wanted.map(({ memberCreator, ...action }) => ({
    ...action,
    memberCreator: memberCreator && selectFields(memberCreator, request, "memberCreator_fields"),
  }));
  return reply(200, shown);
}

const me = {
  ...ME,
  email: "sandbox@example.com",
  avatarUrl: `https://trello-members.s3.amazonaws.com/${ME.id}/0123456789abcdef`,
};

export default emulate<State>({
  state: makeState,
  changes,
  hooks,
  failure,
  // A token of the older kind is sent with its key, both in the query.
  credential: ({ headers, query }) =>
    headers.authorization?.split(/\s+/).at(-1) ?? (query.has("key") ? (query.get("token") ?? undefined) : undefined),
  unauthorized: ({ headers, query }) =>
    reply(401, headers.authorization || query.has("key") ? "invalid token" : "invalid key"),
  headers: () => ({ "x-rate-limit-api-token-max": "100", "x-rate-limit-api-token-remaining": "99" }),
  routes: {
    "GET /1/members/me": (request) => reply(200, selectFields(me, request)),
    "GET /1/members/me/boards": boards.list,
    "GET /1/boards/:board": boards.get,
    "GET /1/boards/:board/cards": boards.below(cardsOf),
    "GET /1/boards/:board/lists": boards.below(({ lists }, request) => {
      const wanted = filtered(lists, request.query.get("filter") ?? "open");
      return reply(
        200,
        wanted.map((list) => selectFields(list, request)),
      );
    }),
    "GET /1/boards/:board/customFields": boards.below(({ id }) => reply(200, fieldsOf(id))),
    "GET /1/boards/:board/labels": boards.below(({ labels }) => reply(200, labels)),
    "GET /1/search": searchCards,
    "GET /1/cards/:card": cards.get,
    "GET /1/cards/:card/actions": cards.below(actionsOf),
    "POST /1/cards": cards.create,
    "PUT /1/cards/:card": cards.update,
    "PUT /1/cards/:card/customField/:field/item": cards.below(setItem),
    "POST /1/cards/:card/actions/comments": cards.below(addComment),
    ...hookRoutes,
  },
  tokenFailure(error, error_description, { body }) {
    if (error === "invalid_client") return reply(401, { error: "access_denied", error_description: "Unauthorized" });
    if (error !== "invalid_grant") return reply(400, { error, error_description });
    const isRefresh = body?.grant_type === "refresh_token";
    return reply(403, {
      error,
      error_description: isRefresh ? "Unknown or invalid refresh token." : error_description,
    });
  },
});
