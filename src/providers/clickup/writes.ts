import {
  byName,
  type CategoryImplementation,
  get,
  invalidInput,
  isoTime,
  one,
  path,
  post,
  put,
  remove,
  type TaskFields,
  type tasks,
  type Upstream,
  type UpstreamRequest,
} from "../../provider-kit/index.ts";
import { type ClickUpField, customValues, fieldsOfList } from "./custom-fields.ts";
import { type ClickUpComment, type ClickUpTask, toComment, toTask } from "./records.ts";
import { markdownToComment } from "./to-comment.ts";

/** After a write, whose answer has no Markdown. */
const readTask = async (id: string, upstream: Upstream) =>
  (await upstream<ClickUpTask>(get(path`/task/${id}`, { include_markdown_description: true }))).body;

// Only the fields that are read.
interface Status {
  status: string;
}
interface Current {
  list: { id: string };
  assignees: { id: number }[];
  tags: { name: string }[];
  custom_fields?: ClickUpField[];
}

/** Each priority's number is its position, from 1. */
const PRIORITIES = ["urgent", "high", "normal", "low"];

/** Users have numbers. Anything else is refused by ClickUp. */
const userId = (id: string): string | number => (/^\d+$/.test(id) ? Number(id) : id);

/** The fields that are set in the same way in a new task and in an existing one. */
function taskFields({ title, description, priority, due_at, parent_id }: TaskFields) {
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
async function statusIn(list: string, status: string | undefined, upstream: Upstream) {
  if (status === undefined) return undefined;
  const { body } = await upstream<{ statuses: Status[] }>(get(path`/list/${list}`));
  return byName("status", status, body.statuses, (one) => one.status).status;
}

const readCurrent = async (task: string, upstream: Upstream): Promise<Current> =>
  (await upstream<Current>(get(path`/task/${task}`))).body;

/** A task's list cannot be changed with this version of the API. */
function refuseMove(list: string | undefined, current: Current): void {
  if (list === undefined || list === current.list.id) return;
  throw invalidInput({ path: ["body", "project_id"], message: "cannot be changed at ClickUp: move the task there" });
}

/** The person given, in place of all others. */
const newAssignee = (id: string, { assignees }: Current) => ({
  add: [userId(id)],
  rem: assignees.map((one) => one.id).filter((one) => one !== userId(id)),
});

/** Tags are changed one by one. */
function tagChanges(task: string, labels: string[] | undefined, { tags }: Current): UpstreamRequest[] {
  if (labels === undefined) return [];
  const known = tags.map(({ name }) => name);
  return [
    ...labels.filter((name) => !known.includes(name)).map((name) => post(path`/task/${task}/tag/${name}`, {})),
    ...known.filter((name) => !labels.includes(name)).map((name) => remove(path`/task/${task}/tag/${name}`)),
  ];
}

/** A field is emptied by a call of its own as well. */
const fieldChange = (task: string, field: string, value: { value: unknown }): UpstreamRequest =>
  value.value === null ? remove(path`/task/${task}/field/${field}`) : post(path`/task/${task}/field/${field}`, value);

export const writes: CategoryImplementation<typeof tasks.operations> = {
  createTask: one({
    requires: ["project_id"],
    async load({ input, upstream, write, written }) {
      const { project_id: project } = input;
      const custom = written.length > 0 ? customValues(written, await fieldsOfList(project, upstream)) : [];
      const task = {
        ...taskFields(input),
        status: await statusIn(project, input.status, upstream),
        assignees: input.assignee_id === undefined ? undefined : [userId(input.assignee_id)],
        tags: input.labels,
        custom_fields: custom.length > 0 ? custom.map(([id, value]) => ({ id, ...value })) : undefined,
      };
      const { body } = await write<ClickUpTask>(post(path`/list/${project}/task`, task));
      return readTask(body.id, upstream);
    },
    record: toTask,
  }),

  // Fields are changed by one call, and each tag and each custom field by a call of its own.
  updateTask: one({
    async load({ input, upstream, write, written, addsToBody }) {
      const { task_id, status, project_id, assignee_id, labels, ...changes } = input;
      const current = await readCurrent(task_id, upstream);
      refuseMove(project_id, current);
      const custom = customValues(written, current.custom_fields ?? []);
      const fields = {
        ...taskFields(changes),
        status: await statusIn(current.list.id, status, upstream),
        assignees: assignee_id === undefined ? undefined : newAssignee(assignee_id, current),
      };
      if (addsToBody || Object.values(fields).some((value) => value !== undefined))
        await write(put(path`/task/${task_id}`, fields));
      for (const change of tagChanges(task_id, labels, current)) await upstream(change);
      for (const [field, value] of custom) await upstream(fieldChange(task_id, field, value));
      return readTask(task_id, upstream);
    },
    record: toTask,
  }),

  // The answer has only the ID; a new comment is the first one of the list.
  createComment: one({
    async load({ input: { task_id, text }, upstream, write }) {
      const comment = markdownToComment(text);
      const { body } = await write<{ id: string | number; date: number }>(
        post(path`/task/${task_id}/comment`, { comment, notify_all: false }),
      );
      const found = await upstream<{ comments: ClickUpComment[] }>(get(path`/task/${task_id}/comment`));
      const created = found.body.comments.find(({ id }) => id === String(body.id));
      return created ?? { id: String(body.id), comment, date: String(body.date) };
    },
    record: toComment,
  }),
};
