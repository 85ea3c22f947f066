import {
  byName,
  type CategoryImplementation,
  type Context,
  graphql,
  type InputOf,
  invalidInput,
  markdownToHtml,
  markdownToPlain,
  one,
  type TaskFields,
  type tasks,
  type Upstream,
} from "../../provider-kit/index.ts";
import { type Column, chooseColumns, labelsOf, titled } from "./columns.ts";
import { columnVariables, customValues } from "./custom-fields.ts";
import {
  CREATE_ITEM,
  CREATE_SUBITEM,
  CREATE_UPDATE,
  GET_BOARD,
  GET_ITEM_BOARD,
  LIST_TAGS,
  UPDATE_ITEM,
} from "./queries.ts";
import { type MondayItem, type MondayReply, toComment, toTask } from "./records.ts";

type NewTask = InputOf<typeof tasks.operations.createTask>;
type TaskChange = InputOf<typeof tasks.operations.updateTask>;
type Fields = Omit<TaskFields, "title" | "project_id" | "parent_id">;

interface Board {
  id: string;
  columns: Column[];
}
interface ItemBoard {
  id: string;
  board: Board;
  parent_item?: { id: string; board: { id: string } } | null;
}

const refuse = (field: string, message: string) => invalidInput({ path: ["body", field], message });

const labelValue = (field: string, name: string, column: Column) => ({
  label: byName(field, name, labelsOf(column), (label) => label),
});

function dueValue(time: string, { type }: Column): object {
  const [date, clock] = new Date(time).toISOString().split("T") as [string, string];
  if (type === "timeline") return { from: date, to: date };
  return clock === "00:00:00.000Z" ? { date } : { date, time: clock.slice(0, 8) };
}

/** Tags belong to the account, and are given by their IDs. */
async function tagsValue(names: string[], upstream: Upstream): Promise<object> {
  const { body } = await upstream<{ data: { tags: { id: string; name: string }[] } }>(graphql(LIST_TAGS, {}));
  return { tag_ids: names.map((name) => Number(byName("labels", name, body.data.tags, (tag) => tag.name).id)) };
}

/** https://developer.monday.com/api-reference/reference/column-types-reference */
async function columnValues(input: Fields, columns: Column[], upstream: Upstream): Promise<Record<string, unknown>> {
  const chosen = chooseColumns(columns, titled);
  const values: Record<string, unknown> = {};
  const set = (field: keyof Fields, column: Column | undefined, toValue: (column: Column) => unknown) => {
    if (input[field] === undefined) return;
    if (!column) throw refuse(field, "cannot be set: the board has no column for it");
    values[column.id] = toValue(column);
  };
  set("status", chosen.status, (column) => labelValue("status", input.status!, column));
  set("priority", chosen.priority, (column) => labelValue("priority", input.priority!, column));
  set("assignee_id", chosen.assignee, () => ({
    personsAndTeams: [{ id: Number(input.assignee_id) || input.assignee_id, kind: "person" }],
  }));
  set("due_at", chosen.due, (column) => dueValue(input.due_at!, column));
  set("description", chosen.description, () => ({ text: markdownToPlain(input.description) }));
  const tags = input.labels && chosen.labels ? await tagsValue(input.labels, upstream) : {};
  set("labels", chosen.labels, () => tags);
  return values;
}

const readBoard = async (board: string, upstream: Upstream): Promise<Board> =>
  (await upstream<{ data: { board: Board[] } }>(graphql(GET_BOARD, {}, { board }))).body.data.board[0]!;

const readItemBoard = async (item: string, upstream: Upstream): Promise<ItemBoard> =>
  (await upstream<{ data: { item: ItemBoard[] } }>(graphql(GET_ITEM_BOARD, {}, { item }))).body.data.item[0]!;

/** Subitems are on a board of their own, which exists from the first subitem on. */
async function subitemColumns(parent: string, project: string, upstream: Upstream): Promise<Column[]> {
  const { board } = await readItemBoard(parent, upstream);
  if (board.id !== project) throw refuse("parent_id", "must be a task of the same project that is not a subitem");
  const [subitems] = board.columns.find(({ type }) => type === "subtasks")?.settings?.boardIds ?? [];
  return subitems === undefined ? [] : (await readBoard(String(subitems), upstream)).columns;
}

async function createItem(context: Context<NewTask & { project_id: string }>): Promise<MondayItem> {
  const { input, upstream, write, written, select } = context;
  const { title: name, project_id: board, parent_id: parent, ...fields } = input;
  const columns =
    parent === undefined ? (await readBoard(board, upstream)).columns : await subitemColumns(parent, board, upstream);
  const values = JSON.stringify({
    ...(await columnValues(fields, columns, upstream)),
    ...customValues(written, columns),
  });
  const { body } = await write<{ data: { create_item?: MondayItem; create_subitem?: MondayItem } }>(
    parent === undefined
      ? graphql(CREATE_ITEM, { board, name, values, ...columnVariables(select) })
      : graphql(CREATE_SUBITEM, { parent, name, values, ...columnVariables(select) }),
  );
  return (body.data.create_item ?? body.data.create_subitem)!;
}

async function updateItem(context: Context<TaskChange>): Promise<MondayItem> {
  const { input, upstream, write, written, select } = context;
  const { task_id: item, title, project_id, parent_id, ...fields } = input;
  const { board, parent_item: parent } = await readItemBoard(item, upstream);
  if (project_id !== undefined && project_id !== (parent?.board ?? board).id)
    throw refuse("project_id", "cannot be changed: the columns of an item belong to its board");
  if (parent_id !== undefined && parent_id !== parent?.id) throw refuse("parent_id", "cannot be changed");
  const values = {
    name: title,
    ...(await columnValues(fields, board.columns, upstream)),
    ...customValues(written, board.columns),
  };
  const { body } = await write<{ data: { change_multiple_column_values: MondayItem } }>(
    graphql(UPDATE_ITEM, { board: board.id, item, values: JSON.stringify(values), ...columnVariables(select) }),
  );
  return body.data.change_multiple_column_values;
}

export const writes: CategoryImplementation<typeof tasks.operations> = {
  createTask: one({ requires: ["project_id"], load: createItem, record: toTask }),

  updateTask: one({ load: updateItem, record: toTask }),

  createComment: one({
    request: ({ input }) => graphql(CREATE_UPDATE, { item: input.task_id, body: markdownToHtml(input.text) }),
    record: ({ data }: { data: { create_update: MondayReply } }) => toComment(data.create_update),
    original: ({ data }) => data.create_update,
  }),
};
