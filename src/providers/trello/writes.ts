import type { Upstream } from "../../contracts/upstream.ts";
import { get, path } from "../../provider-kit/request.ts";
import { isoTime } from "../../provider-kit/time.ts";
import { byName, refuseFields } from "../../provider-kit/write.ts";

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

interface Given {
  title?: string;
  description?: string;
  assignee_id?: string;
  priority?: string;
  due_at?: string;
  parent_id?: string;
}

/** The status of a card that is in no list any more, as far as its users see. */
export const ARCHIVED = "archived";

/** The fields that are set in the same way in a new card and in an existing one. */
export function cardFields({ title, description, assignee_id, priority, due_at, parent_id }: Given) {
  refuseFields({ priority, parent_id }, ["priority", "parent_id"], { provider: "Trello" });
  return { name: title, desc: description, idMembers: assignee_id, due: isoTime(due_at) ?? undefined };
}

/** The lists of a board that have not been archived, from left to right. */
export const openLists = async (board: string, upstream: Upstream): Promise<List[]> =>
  (await upstream<List[]>(get(path`/boards/${board}/lists`, { filter: "open", fields: "name" }))).body;

/** The IDs of labels, as one text. A label without a name is known by its color. */
export async function labelIds(names: string[] | undefined, board: string, upstream: Upstream) {
  if (!names?.length) return names && "";
  const { body } = await upstream<Label[]>(get(path`/boards/${board}/labels`, { limit: 1000 }));
  return names.map((name) => byName("labels", name, body, (label) => label.name || label.color || "").id).join(",");
}

/** A change of status: to another list, or to the archive. */
export async function statusFields(status: string | undefined, board: string, upstream: Upstream) {
  if (status === undefined) return {};
  const archive = { id: null, name: ARCHIVED };
  const { id } = byName("status", status, [...(await openLists(board, upstream)), archive], ({ name }) => name);
  return id === null ? { closed: "true" } : { closed: "false", idList: id };
}

export const boardOf = async (card: string, upstream: Upstream): Promise<string> =>
  (await upstream<{ idBoard: string }>(get(path`/cards/${card}`, { fields: "idBoard" }))).body.idBoard;
