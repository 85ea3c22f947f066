import type { EmulatedReply, EmulatedRequest } from "../../../contracts/emulator.ts";
import { emulate, reply } from "../../../emulator-kit/emulator.ts";
import { changes } from "./changes.ts";
import { makeState, me, type SandboxBoard, type SandboxCard, type State } from "./data.ts";
import { cardRoute, failure, selectFields, shownCard } from "./replies.ts";
import { createCard, createComment, updateCard } from "./writes.ts";

const MAX_PAGE_SIZE = 1000;

/** A board with the requested fields and lists. */
const shownBoard =
  (request: EmulatedRequest) =>
  ({ lists, labels, ...board }: SandboxBoard): object => {
    const filter = request.query.get("lists") ?? "none";
    const wanted = lists.filter(({ closed }) => filter === "all" || (filter === "closed") === closed);
    return { ...selectFields(board, request), ...(filter === "none" ? {} : { lists: wanted }) };
  };

function listBoards(request: EmulatedRequest, { boards }: State): EmulatedReply {
  const filter = request.query.get("filter") ?? "all";
  const wanted = boards.filter(({ closed }) => filter === "all" || (filter === "closed") === closed);
  return reply(200, wanted.map(shownBoard(request)));
}

/** A route below one board, which refuses an invalid or unknown board id. */
function boardRoute(handle: (board: SandboxBoard, request: EmulatedRequest, state: State) => EmulatedReply) {
  return (request: EmulatedRequest, state: State) => {
    const { board: id = "" } = request.params;
    if (!/^[0-9a-f]{24}$/.test(id)) return reply(400, "invalid id");
    const board = state.boards.find((board) => board.id === id);
    return board ? handle(board, request, state) : failure(404);
  };
}

/** An id, or a time, which becomes the first id of its second. */
function readKey(text: string): string | undefined {
  if (/^[0-9a-f]{24}$/.test(text)) return text;
  const time = Date.parse(text);
  return Number.isNaN(time)
    ? undefined
    : Math.floor(time / 1000)
        .toString(16)
        .padEnd(24, "0");
}

const FILTERS: Record<string, (card: SandboxCard, { lists }: SandboxBoard) => boolean> = {
  all: () => true,
  open: ({ closed }) => !closed,
  closed: ({ closed }) => closed,
  visible: ({ closed, idList }, { lists }) => !closed && !lists.find(({ id }) => id === idList)?.closed,
};

/** The newest cards within the bounds, in their order on the board. */
const listCards = boardRoute((board, request, { cards }) => {
  const { query } = request;
  const limit = Number(query.get("limit") ?? MAX_PAGE_SIZE);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE_SIZE) return reply(400, "invalid value for limit");
  const before = readKey(query.get("before") ?? "f".repeat(24));
  const since = readKey(query.get("since") ?? "0".repeat(24));
  if (!before || !since) return reply(400, "invalid value for before");
  const filter = FILTERS[query.get("filter") ?? "visible"];
  if (!filter) return reply(400, "invalid value for filter");
  const newest = cards
    .filter((card) => card.idBoard === board.id && filter(card, board) && card.id < before && card.id > since)
    .sort((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, limit);
  const position = ({ idList, pos }: SandboxCard) => board.lists.findIndex(({ id }) => id === idList) * 1e9 + pos;
  newest.sort((one, other) => position(one) - position(other));
  return reply(200, newest.map(shownCard(request)));
});

const getCard = cardRoute((card, request, { boards }) => {
  const lists = boards.find(({ id }) => id === card.idBoard)!.lists;
  const list = lists.find(({ id }) => id === card.idList);
  return reply(200, { ...shownCard(request)(card), ...(request.query.get("list") === "true" ? { list } : {}) });
});

const listActions = cardRoute((card, request, { actions }) => {
  const { query } = request;
  const limit = Number(query.get("limit") ?? 50);
  if (!Number.isInteger(limit) || limit < 0 || limit > MAX_PAGE_SIZE) return reply(400, "invalid value for limit");
  const before = readKey(query.get("before") ?? "f".repeat(24));
  if (!before) return reply(400, "invalid value for before");
  const types = (query.get("filter") ?? "commentCard").split(",");
  const wanted = actions
    .get(card.id)!
    .filter(({ id, type }) => id < before && (types.includes("all") || types.includes(type)));
  return reply(
    200,
    wanted.slice(0, limit).map(({ memberCreator, ...action }) => ({
      ...action,
      memberCreator: memberCreator && selectFields(memberCreator, request, "memberCreator_fields"),
    })),
  );
});

const getBoard = boardRoute((board, request) => reply(200, shownBoard(request)(board)));

const listLists = boardRoute(({ lists }, request) => {
  const filter = request.query.get("filter") ?? "open";
  const wanted = lists.filter(({ closed }) => filter === "all" || (filter === "closed") === closed);
  return reply(
    200,
    wanted.map((list) => selectFields(list, request)),
  );
});

export default emulate<State>({
  state: makeState,
  changes,
  failure,
  // A token of the older kind is sent with its key, both in the query.
  credential: ({ headers, query }) =>
    headers.authorization?.split(/\s+/).at(-1) ?? (query.has("key") ? (query.get("token") ?? undefined) : undefined),
  unauthorized: ({ headers, query }) =>
    reply(401, headers.authorization || query.has("key") ? "invalid token" : "invalid key"),
  headers: () => ({
    "x-rate-limit-api-token-interval-ms": "10000",
    "x-rate-limit-api-token-max": "100",
    "x-rate-limit-api-token-remaining": "99",
    "x-rate-limit-api-key-interval-ms": "10000",
    "x-rate-limit-api-key-max": "300",
    "x-rate-limit-api-key-remaining": "299",
  }),
  routes: {
    "GET /1/members/me": (request) => reply(200, selectFields(me, request)),
    "GET /1/members/me/boards": listBoards,
    "GET /1/boards/:board": getBoard,
    "GET /1/boards/:board/cards": listCards,
    "GET /1/boards/:board/lists": listLists,
    "GET /1/cards/:card": getCard,
    "GET /1/cards/:card/actions": listActions,
    "GET /1/boards/:board/labels": boardRoute(({ labels }) => reply(200, labels)),
    "POST /1/cards": createCard,
    "PUT /1/cards/:card": updateCard,
    "POST /1/cards/:card/actions/comments": createComment,
  },
  tokenFailure(error, description, { body }) {
    if (error === "invalid_grant" && body?.grant_type === "refresh_token")
      return reply(403, { error, error_description: "Unknown or invalid refresh token." });
    if (error === "invalid_client") return reply(401, { error: "access_denied", error_description: "Unauthorized" });
    return reply(error === "invalid_grant" ? 403 : 400, { error, error_description: description });
  },
});
