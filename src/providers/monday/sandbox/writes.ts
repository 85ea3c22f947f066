import { countWritten, toSecond } from "../../../emulator-kit/index.ts";
import { columnValue, type Given } from "./columns.ts";
import { itemId, newItem, post, type SandboxItem, type SandboxUpdate, type State } from "./data.ts";
import { invalidValue, notFound } from "./errors.ts";

/** Ids and texts: the schema has checked which of them are there. */
export type Input = Record<string, string>;

const now = () => toSecond(new Date());

/** Texts and numbers are given as they are, and null empties a column. */
type Written = Given | string | null;
const toGiven = (written: Written | undefined): Given =>
  typeof written === "string" ? { text: written } : (written ?? {});

/** Writes to an item: its name, and values by the ids of their columns. All are checked before any is written. */
function change(item: SandboxItem, written: string): SandboxItem {
  const { name, ...given } = JSON.parse(written) as { name?: string } & Record<string, Written>;
  const unknown = Object.keys(given).find((id) => !item.columnValues.some((own) => own.id === id));
  if (unknown) throw invalidValue(`This column ID doesn't exist for the board: ${unknown}`);
  const columnValues = item.columnValues.map((own) =>
    own.id in given ? columnValue(own.column, toGiven(given[own.id]), now()) : own,
  );
  return Object.assign(item, { name: name ?? item.name, columnValues, updated_at: now() });
}

function addItem(state: State, boardId: string | undefined, parentId: string | null, input: Input): SandboxItem {
  const board = state.boards.find(({ id }) => id === boardId);
  if (!board) throw notFound("Board not found");
  const blank = newItem(board, itemId(10_000 + countWritten(state)), () => ({}), now());
  const item = change({ ...blank, parentId, name: input.item_name! }, input.column_values ?? "{}");
  state.items.push(item);
  return item;
}

function itemWith(wanted: string | undefined, { items }: State): SandboxItem {
  const found = items.find(({ id }) => id === wanted);
  if (!found) throw notFound("Item not found in the account");
  return found;
}

export const createItem = (input: Input, state: State) => addItem(state, input.board_id, null, input);

export function createSubitem(input: Input, state: State): SandboxItem {
  const subitems = state.boards.find(({ type }) => type === "sub_items_board");
  return addItem(state, subitems?.id, itemWith(input.parent_item_id, state).id, input);
}

export function changeItem({ board_id, item_id, column_values }: Input, state: State): SandboxItem {
  const item = itemWith(item_id, state);
  if (item.boardId !== board_id) throw notFound("Item not found in the board");
  return change(item, column_values!);
}

export function createUpdate({ item_id, body }: Input, state: State): SandboxUpdate {
  const { id } = itemWith(item_id, state);
  const update = { ...post(5_000_000_000 + countWritten(state), body!, state.me, now()), replies: [] };
  state.updates.set(id, [update, ...(state.updates.get(id) ?? [])]);
  return update;
}
