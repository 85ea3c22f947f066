import { countWritten } from "../../../emulator-kit/emulator.ts";
import {
  type Column,
  dateValue,
  itemId,
  people,
  type SandboxItem,
  type SandboxUpdate,
  type State,
  statusValue,
  TAGS,
} from "./data.ts";
import { invalidValue, notFound } from "./errors.ts";

export interface NewItem {
  board_id: string;
  item_name: string;
  column_values?: string | null;
}
export interface NewSubitem {
  parent_item_id: string;
  item_name: string;
  column_values?: string | null;
}
export interface ChangedItem {
  board_id: string;
  item_id: string;
  column_values: string;
}
export interface NewUpdate {
  item_id: string;
  body: string;
}

/** The formats of https://developer.monday.com/api-reference/reference/column-types-reference */
interface Given {
  label?: string;
  date?: string;
  time?: string;
  from?: string;
  to?: string;
  text?: string;
  tag_ids?: number[];
  personsAndTeams?: { id: number | string; kind: string }[];
}

const now = () => new Date().toISOString().replace(/\.\d+Z$/, "Z");

function labelValue({ settings }: Column, label: string | undefined) {
  const { labels = [] } = settings as { labels?: { index: number; label: string; is_done?: boolean }[] };
  const found = labels.find((known) => known.label === label);
  if (label !== undefined && !found)
    throw invalidValue(
      `This status label doesn't exist, possible statuses are: {${labels.map((known) => `${known.index}: ${known.label}`).join(", ")}}`,
    );
  const value = statusValue(0, { label: found?.label ?? null, is_done: found?.is_done ?? null }, found?.index ?? 5);
  return { ...value, updated_at: found ? now() : null };
}

function peopleValue(entities: NonNullable<Given["personsAndTeams"]>) {
  const known = entities.map(({ id, kind }) => {
    const person = people.find((one) => one.id === String(id));
    if (!person) throw invalidValue(`User ${id} is not a member of the account`);
    return { entity: { id: person.id, kind }, name: person.name };
  });
  return {
    __typename: "PeopleValue",
    persons_and_teams: known.map(({ entity }) => entity),
    text: known.map(({ name }) => name).join(", "),
    value: null,
  };
}

/** The value of a column; an empty one if nothing is given. */
function valueFor(column: Column, given: Given): object {
  switch (column.type) {
    case "status":
      return labelValue(column, given.label);
    case "date":
      return dateValue(given.date ?? null, given.time ?? null);
    case "timeline": {
      const { from = null, to = null } = given;
      return { __typename: "TimelineValue", from, to, text: from ? `${from} - ${to}` : "", value: null };
    }
    case "people":
      return peopleValue(given.personsAndTeams ?? []);
    case "tags": {
      const tags = TAGS.filter(({ id }) => given.tag_ids?.includes(Number(id)));
      const text = tags.map(({ name }) => name).join(", ");
      return { __typename: "TagsValue", tags, tag_ids: tags.map(({ id }) => Number(id)), text, value: null };
    }
    case "long_text":
      return { __typename: "LongTextValue", text: given.text ?? null, value: null };
    default:
      return { __typename: "NumbersValue", text: "", value: null };
  }
}

const placed = (column: Column, given: Given) => ({
  ...valueFor(column, given),
  id: column.id,
  type: column.type,
  column,
});

function change(item: SandboxItem, written: string): void {
  const { name, ...given } = JSON.parse(written) as { name?: string } & Record<string, Given>;
  const values = new Map<string, SandboxItem["columnValues"][number]>();
  for (const [id, value] of Object.entries(given)) {
    const known = item.columnValues.find((own) => own.id === id);
    if (!known) throw invalidValue(`This column ID doesn't exist for the board: ${id}`);
    values.set(id, placed(known.column, value));
  }
  if (name !== undefined) item.name = name;
  item.columnValues = item.columnValues.map((own) => values.get(own.id) ?? own);
  item.updated_at = now();
}

function addItem(boardId: string, name: string, written: string, parentId: string | null, state: State): SandboxItem {
  const board = state.boards.find(({ id }) => id === boardId);
  if (!board) throw notFound("Board not found");
  const id = itemId(10_000 + countWritten(state));
  const item: SandboxItem = {
    id,
    name,
    state: "active",
    url: `${board.url}/pulses/${id}`,
    created_at: now(),
    updated_at: now(),
    group: { id: "topics", title: "Später" },
    boardId,
    parentId,
    columnValues: board.columns.filter(({ type }) => type !== "subtasks").map((column) => placed(column, {})),
  };
  change(item, written);
  state.items.push(item);
  return item;
}

const itemNamed = (id: string, { items }: State): SandboxItem => {
  const found = items.find((item) => item.id === id);
  if (!found) throw notFound("Item not found in the account");
  return found;
};

export const createItem = ({ board_id, item_name, column_values }: NewItem, state: State): SandboxItem =>
  addItem(board_id, item_name, column_values ?? "{}", null, state);

export function createSubitem({ parent_item_id, item_name, column_values }: NewSubitem, state: State): SandboxItem {
  const parent = itemNamed(parent_item_id, state);
  const subitems = state.boards.find(({ type }) => type === "sub_items_board")!;
  return addItem(subitems.id, item_name, column_values ?? "{}", parent.id, state);
}

export function changeItem({ board_id, item_id, column_values }: ChangedItem, state: State): SandboxItem {
  const item = itemNamed(item_id, state);
  if (item.boardId !== board_id) throw notFound("Item not found in the board");
  change(item, column_values);
  return item;
}

export function createUpdate({ item_id, body }: NewUpdate, state: State): SandboxUpdate {
  const item = itemNamed(item_id, state);
  const known = state.updates.get(item.id) ?? [];
  const update: SandboxUpdate = {
    id: String(5_000_000_000 + countWritten(state)),
    body,
    text_body: "",
    creator: state.me,
    created_at: now(),
    updated_at: now(),
    replies: [],
  };
  state.updates.set(item.id, [update, ...known]);
  return update;
}
