import { invalidInput } from "../../contracts/fault.ts";
import type { Upstream, UpstreamRequest } from "../../contracts/upstream.ts";
import { get, path, post, remove } from "../../provider-kit/request.ts";
import { isoTime } from "../../provider-kit/time.ts";
import { byName } from "../../provider-kit/write.ts";

// Only the fields that are read.
interface Status {
  status: string;
}
interface Current {
  list: { id: string };
  assignees: { id: number }[];
  tags: { name: string }[];
}

interface Given {
  title?: string;
  description?: string;
  priority?: string;
  due_at?: string;
  parent_id?: string;
}

/** Each priority's number is its position, from 1. */
const PRIORITIES = ["urgent", "high", "normal", "low"];

/** Users have numbers. Anything else is refused by ClickUp. */
export const userId = (id: string): string | number => (/^\d+$/.test(id) ? Number(id) : id);

/** The fields that are set in the same way in a new task and in an existing one. */
export function taskFields({ title, description, priority, due_at, parent_id }: Given) {
  const due = isoTime(due_at);
  return {
    name: title,
    markdown_content: description,
    priority:
      priority === undefined
        ? undefined
        : 1 + PRIORITIES.indexOf(byName("priority", priority, PRIORITIES, (name) => name)),
    due_date: due === null ? undefined : Date.parse(due),
    // Without this only the day counts, in the user's time zone.
    due_date_time: due === null ? undefined : true,
    parent: parent_id,
  };
}

/** Each list has statuses of its own, or those of its folder or space. */
export async function statusIn(list: string, status: string | undefined, upstream: Upstream) {
  if (status === undefined) return undefined;
  const { body } = await upstream<{ statuses: Status[] }>(get(path`/list/${list}`));
  return byName("status", status, body.statuses, (one) => one.status).status;
}

export const readCurrent = async (task: string, upstream: Upstream): Promise<Current> =>
  (await upstream<Current>(get(path`/task/${task}`))).body;

/** A task's list cannot be changed with this version of the API. */
export function refuseMove(list: string | undefined, current: Current): void {
  if (list === undefined || list === current.list.id) return;
  throw invalidInput({ path: ["body", "project_id"], message: "cannot be changed at ClickUp: move the task there" });
}

/** The person given, in place of all others. */
export const newAssignee = (id: string, { assignees }: Current) => ({
  add: [userId(id)],
  rem: assignees.map((one) => one.id).filter((one) => one !== userId(id)),
});

/** Tags are changed one by one. */
export function tagChanges(task: string, labels: string[] | undefined, { tags }: Current): UpstreamRequest[] {
  if (labels === undefined) return [];
  const known = tags.map(({ name }) => name);
  return [
    ...labels.filter((name) => !known.includes(name)).map((name) => post(path`/task/${task}/tag/${name}`, {})),
    ...known.filter((name) => !labels.includes(name)).map((name) => remove(path`/task/${task}/tag/${name}`)),
  ];
}
