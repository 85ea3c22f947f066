import {
  byName,
  type CategoryImplementation,
  get,
  isoTime,
  one,
  path,
  post,
  put,
  refuseFields,
  type TaskFields,
  type tasks,
  type Upstream,
} from "../../provider-kit/index.ts";
import { type FieldChange, fieldChanges, readFields } from "./custom-fields.ts";
import manifest from "./manifest.ts";
import { ARCHIVED, readCard, type TrelloCard, toComment, toTask } from "./records.ts";

// Only the fields that are read.
interface List {
  id: string;
  name: string;
}
interface Label {
  id: string;
  name?: string;
  color?: string | null;
}

/** The fields that are set in the same way in a new card and in an existing one. */
function cardFields({ title, description, assignee_id, priority, due_at, parent_id }: TaskFields) {
  refuseFields({ priority, parent_id }, ["priority", "parent_id"], manifest);
  return { name: title, desc: description, idMembers: assignee_id, due: isoTime(due_at) ?? undefined };
}

/** The lists of a board that have not been archived, from left to right. */
const openLists = async (board: string, upstream: Upstream): Promise<List[]> =>
  (await upstream<List[]>(get(path`/boards/${board}/lists`, { filter: "open", fields: "name" }))).body;

/** The IDs of labels, as one text. A label without a name is known by its color. */
async function labelIds(names: string[] | undefined, board: string, upstream: Upstream) {
  if (!names?.length) return names && "";
  const { body } = await upstream<Label[]>(get(path`/boards/${board}/labels`, { limit: 1000 }));
  return names.map((name) => byName("labels", name, body, (label) => label.name || label.color || "").id).join(",");
}

/** A change of status: to another list, or to the archive. */
async function statusFields(status: string | undefined, board: string, upstream: Upstream) {
  if (status === undefined) return {};
  const archive = { id: null, name: ARCHIVED };
  const { id } = byName("status", status, [...(await openLists(board, upstream)), archive], ({ name }) => name);
  return id === null ? { closed: "true" } : { closed: "false", idList: id };
}

const boardOf = async (card: string, upstream: Upstream): Promise<string> =>
  (await upstream<{ idBoard: string }>(get(path`/cards/${card}`, { fields: "idBoard" }))).body.idBoard;

/** Each custom field is written by a call of its own, after the card. */
async function setFields(card: string, changes: FieldChange[], upstream: Upstream): Promise<void> {
  for (const [field, change] of changes) await upstream(put(path`/cards/${card}/customField/${field}/item`, change));
}

export const writes: CategoryImplementation<typeof tasks.operations> = {
  createTask: one({
    requires: ["project_id"],
    async load(context) {
      const { input, upstream, write, written } = context;
      const { project_id: board } = input;
      const given = written.filter(({ value }) => value !== null);
      const custom = given.length > 0 ? fieldChanges(given, await readFields(board, upstream)) : [];
      const fields = cardFields(input);
      const lists = await openLists(board, upstream);
      const { status } = input;
      const list = status === undefined ? lists[0] : byName("status", status, lists, ({ name }) => name);
      const card = { ...fields, idList: list?.id, idLabels: await labelIds(input.labels, board, upstream) };
      const { id } = (await write<TrelloCard>(post("/cards", card))).body;
      await setFields(id, custom, upstream);
      // The answer to a write has neither the name of the list nor the members.
      return readCard(id, context);
    },
    record: (card: TrelloCard) => toTask(card, card.list?.name),
  }),

  updateTask: one({
    async load(context) {
      const { input, upstream, write, written, addsToBody } = context;
      const { task_id, status, labels, project_id } = input;
      const change: Record<string, string | undefined> = { ...cardFields(input), idBoard: project_id };
      let custom: FieldChange[] = [];
      if (status !== undefined || labels !== undefined || written.length > 0) {
        const board = project_id ?? (await boardOf(task_id, upstream));
        if (written.length > 0) custom = fieldChanges(written, await readFields(board, upstream));
        Object.assign(change, await statusFields(status, board, upstream));
        change.idLabels = await labelIds(labels, board, upstream);
      }
      if (addsToBody || custom.length === 0 || Object.values(change).some((value) => value !== undefined))
        await write(put(path`/cards/${task_id}`, change));
      await setFields(task_id, custom, upstream);
      return readCard(task_id, context);
    },
    record: (card: TrelloCard) => toTask(card, card.list?.name),
  }),

  createComment: one({
    request: ({ input }) => post(path`/cards/${input.task_id}/actions/comments`, { text: input.text }),
    record: toComment,
  }),
};
