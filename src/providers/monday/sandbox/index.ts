import type { EmulatedReply, EmulatedRequest, EmulatedTool } from "../../../contracts/emulator.ts";
import { emulate, reply } from "../../../emulator-kit/emulator.ts";
import { executeGraphql } from "../../../emulator-kit/graphql.ts";
import { changes } from "./changes.ts";
import { makeState, type SandboxBoard, type SandboxItem, type State, TAGS } from "./data.ts";
import { expiredCursor, failure, invalidArgument, refusal } from "./errors.ts";
import { schema } from "./schema.ts";
import {
  type ChangedItem,
  changeItem,
  createItem,
  createSubitem,
  createUpdate,
  type NewItem,
  type NewSubitem,
  type NewUpdate,
} from "./writes.ts";

const MAX_ITEMS = 500;

interface Paged {
  ids?: string[] | null;
  limit: number;
  page: number;
}

function checkIds(ids: readonly string[]): void {
  for (const id of ids) if (!/^\d+$/.test(id)) throw invalidArgument(`Invalid ID: ${id}`);
}

const pageOf = <Item>(items: readonly Item[], { limit, page }: Paged): Item[] =>
  items.slice((page - 1) * limit, page * limit);

/** The resolvers of the schema's Query and Mutation types. */
function root(state: State) {
  const readBoard = (board: SandboxBoard): object => ({
    ...board,
    columns: ({ types }: { types?: string[] | null }) =>
      board.columns.filter(({ type }) => !types || types.includes(type)),
    items_page: ({ limit }: { limit: number }) => itemsPage(board.id, 0, limit),
  });
  const readItem = (item: SandboxItem): object => ({
    ...item,
    // Functions, so that only what a query selects is looked up.
    board: () => state.boards.filter(({ id }) => id === item.boardId).map(readBoard)[0] ?? null,
    parent_item: () => state.items.filter(({ id }) => id === item.parentId).map(readItem)[0] ?? null,
    subitems: () => state.items.filter(({ parentId }) => parentId === item.id).map(readItem),
    column_values: ({ ids, types }: { ids?: string[] | null; types?: string[] | null }) =>
      item.columnValues.filter(({ id, type }) => (!ids || ids.includes(id)) && (!types || types.includes(type))),
    updates: (paged: Paged) => pageOf(state.updates.get(item.id) ?? [], paged),
  });
  function itemsPage(board: string, start: number, limit: number): object {
    if (limit < 1 || limit > MAX_ITEMS) throw invalidArgument(`limit must be between 1 and ${MAX_ITEMS}`);
    const all = state.items.filter(({ boardId }) => boardId === board);
    const end = start + limit;
    const cursor = end < all.length ? Buffer.from(`${board}:${end}`).toString("base64url") : null;
    return { cursor, items: all.slice(start, end).map(readItem) };
  }
  return {
    me: state.me,
    boards({ ids, state: wanted, ...paged }: Paged & { state: string | null }) {
      checkIds(ids ?? []);
      const found = state.boards.filter(
        (board) => (!ids || ids.includes(board.id)) && (wanted === "all" || board.state === (wanted ?? "active")),
      );
      return pageOf(found, { ...paged, ids }).map(readBoard);
    },
    items({ ids, ...paged }: Paged) {
      checkIds(ids ?? []);
      return pageOf(
        state.items.filter(({ id }) => ids?.includes(id)),
        paged,
      ).map(readItem);
    },
    tags: TAGS,
    create_item: (input: NewItem) => readItem(createItem(input, state)),
    create_subitem: (input: NewSubitem) => readItem(createSubitem(input, state)),
    change_multiple_column_values: (input: ChangedItem) => readItem(changeItem(input, state)),
    create_update: (input: NewUpdate) => createUpdate(input, state),
    next_items_page({ cursor, limit }: { cursor: string; limit: number }) {
      const [, board, start] = /^(\d+):(\d+)$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
      if (!board) throw expiredCursor();
      return itemsPage(board, Number(start), limit);
    },
  };
}

function run({ body }: EmulatedRequest, state: State): EmulatedReply {
  const { problem, data, errors } = executeGraphql(schema, root(state), body);
  if (problem) return refusal(errors);
  return errors.length > 0 ? refusal(errors, data) : reply(200, { data, extensions: {} });
}

const query = (text: string, variables: object = {}) => ({
  method: "POST",
  path: "/v2",
  body: { query: text, variables },
});

// Tool names as on monday.com's MCP server: https://github.com/mondaycom/mcp
const mcp: Record<string, EmulatedTool> = {
  get_user_context: {
    description: "Get the current user",
    input: {},
    request: () => query("query { me { id name email } }"),
  },
  get_board_info: {
    description: "Get a board with its columns",
    input: { boardId: { type: "number" } },
    request: ({ boardId }) =>
      query("query ($board: ID!) { boards(ids: [$board]) { id name columns { id title type } } }", { board: boardId }),
  },
  get_board_items_page: {
    description: "Get a page of a board's items",
    input: { boardId: { type: "number" } },
    optional: { limit: { type: "number" } },
    request: ({ boardId, limit = 25 }) =>
      query(
        `query ($board: ID!, $limit: Int!) {
          boards(ids: [$board]) { items_page(limit: $limit) { cursor items { id name url } } }
        }`,
        { board: boardId, limit },
      ),
  },
};

export default emulate<State>({
  state: makeState,
  changes,
  failure,
  mcp,
  routes: { "POST /v2": run },
  // https://developer.monday.com/apps/docs/oauth#step-3-exchange-the-code-for-a-token
  tokenAnswer: ({ access_token, scope }) => reply(200, { access_token, token_type: "Bearer", scope }),
});
