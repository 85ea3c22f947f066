import { executeGraphql } from "../../../emulator-kit/graphql.ts";
import {
  cut,
  type EmulatedHandshake,
  type EmulatedReply,
  type EmulatedRequest,
  type EmulatedTool,
  emulate,
  makeCursor,
  readCursor,
  reply,
} from "../../../emulator-kit/index.ts";
import { changes } from "./changes.ts";
import { TAGS } from "./columns.ts";
import { makeState, type SandboxBoard, type SandboxItem, type State } from "./data.ts";
import { expiredCursor, failure, invalidArgument, refusal } from "./errors.ts";
import { createWebhook, deleteWebhook, hooks } from "./hooks.ts";
import { schema } from "./schema.ts";
import { changeItem, createItem, createSubitem, createUpdate, type Input } from "./writes.ts";

const MAX_ITEMS = 500;

interface Paged {
  limit: number;
  page: number;
}
const pageOf = <Item>(items: readonly Item[], { limit, page }: Paged) => items.slice((page - 1) * limit, page * limit);

/** Those of the records that are named; all of them if none are. */
function named<Item extends { id: string }>(all: readonly Item[], ids: string[] | null | undefined): Item[] {
  for (const id of ids ?? []) if (!/^\d+$/.test(id)) throw invalidArgument(`Invalid ID: ${id}`);
  return all.filter(({ id }) => !ids || ids.includes(id));
}

/** The resolvers of the schema's Query and Mutation types. */
function root(state: State) {
  const readBoard = (board: SandboxBoard): object => ({
    ...board,
    items_page: ({ limit }: { limit: number }) => itemsPage(board.id, 0, limit),
  });
  const readItem = (item: SandboxItem): object => ({
    ...item,
    // Functions, so that only what a query selects is looked up.
    board: () => state.boards.filter(({ id }) => id === item.boardId).map(readBoard)[0],
    parent_item: () => state.items.filter(({ id }) => id === item.parentId).map(readItem)[0],
    subitems: () => state.items.filter(({ parentId }) => parentId === item.id).map(readItem),
    column_values: ({ types, ids }: { types?: string[]; ids?: string[] }) =>
      item.columnValues.filter(({ id, type }) => (!types || types.includes(type)) && (!ids || ids.includes(id))),
    updates: (paged: Paged) => pageOf(state.updates.get(item.id) ?? [], paged),
  });
  function itemsPage(board: string, start: number, limit: number): object {
    if (limit < 1 || limit > MAX_ITEMS) throw invalidArgument(`limit must be between 1 and ${MAX_ITEMS}`);
    const all = state.items.filter(({ boardId }) => boardId === board);
    const { items, next } = cut(all, start, limit);
    return { cursor: next === undefined ? null : makeCursor([board, next]), items: items.map(readItem) };
  }
  return {
    me: state.me,
    boards({ ids, state: wanted, ...paged }: Paged & { ids?: string[] | null; state: string | null }) {
      const found = named(state.boards, ids).filter(
        (board) => wanted === "all" || board.state === (wanted ?? "active"),
      );
      return pageOf(found, paged).map(readBoard);
    },
    items: ({ ids }: { ids: string[] }) => named(state.items, ids).map(readItem),
    tags: TAGS,
    create_item: (input: Input) => readItem(createItem(input, state)),
    create_subitem: (input: Input) => readItem(createSubitem(input, state)),
    change_multiple_column_values: (input: Input) => readItem(changeItem(input, state)),
    create_update: (input: Input) => createUpdate(input, state),
    next_items_page({ cursor, limit }: { cursor: string; limit: number }) {
      const [board, start] = readCursor<[string, number]>(cursor) ?? [];
      if (!board || !start) throw expiredCursor();
      return itemsPage(board, start, limit);
    },
  };
}

function run({ body }: EmulatedRequest, state: State): EmulatedReply {
  let made: { handshake: EmulatedHandshake } | undefined;
  const resolvers = {
    ...root(state),
    create_webhook(input: Input) {
      const { webhook, ...rest } = createWebhook(input, state);
      made = rest;
      return webhook;
    },
    delete_webhook: (input: Input) => deleteWebhook(input, state),
  };
  const { problem, data, errors } = executeGraphql(schema, resolvers, body);
  if (problem) return refusal(errors);
  return errors.length > 0 ? refusal(errors, data) : { ...reply(200, { data, extensions: {} }), ...made };
}

// Tool names as on monday.com's MCP server: https://github.com/mondaycom/mcp
const mcp: Record<string, EmulatedTool> = {
  get_user_context: {
    description: "Get the current user",
    input: {},
    request: () => ({ method: "POST", path: "/v2", body: { query: "query { me { id name email } }" } }),
  },
};

export default emulate<State>({
  state: makeState,
  changes,
  hooks,
  failure,
  mcp,
  routes: { "POST /v2": run },
  // https://developer.monday.com/apps/docs/oauth#step-3-exchange-the-code-for-a-token
  tokenAnswer: ({ access_token, scope }) => reply(200, { access_token, token_type: "Bearer", scope }),
});
