import { changeableList, firstFilled, taskLists } from "../../../emulator-kit/changes.ts";
import type { SandboxTask, State } from "./data.ts";

const isIn = (list: string) => (task: SandboxTask) =>
  task.list.id === list || task.locations.some(({ id }) => id === list);
const allTasks = ({ workspaces }: State) => workspaces.flatMap(({ tasks }) => tasks);

/** Of the workspace with the list; by default, of the first one. */
const tasks = changeableList({
  items: ({ workspaces }: State, { project_id }) =>
    workspaces.find((one) => project_id === undefined || one.tasks.some(isIn(project_id)))?.tasks,
  parameters: () => ({ project_id: undefined }),
  shows: (_, { project_id }) => (project_id === undefined ? () => true : isIn(project_id)),
  keeps: (state) => allTasks(state).map(({ parent }) => parent),
  id: ({ id }) => id,
  update: ({ title, now }) => ({ name: title, date_updated: String(now.getTime()) }),
  create({ nth, now }) {
    const id = `87${(1_000_000 + nth).toString(36)}`;
    const url = `https://app.clickup.com/t/${id}`;
    return { id, custom_id: null, parent: null, url, date_created: String(now.getTime()) };
  },
  onCreate: ({ id }, { comments }) => void comments.set(id, []),
  newestFirst: true,
});

const lists = changeableList({
  items: ({ lists }: State) => lists,
  keeps: (state) => allTasks(state).flatMap(({ list, locations }) => [list.id, ...locations.map(({ id }) => id)]),
  id: ({ id }) => id,
  update: ({ title }) => ({ name: title }),
  create: ({ nth }) => ({ id: String(902_000_000 + nth) }),
});

const comments = changeableList({
  items: ({ comments }: State, { task_id }) => comments.get(task_id!),
  parameters: ({ comments }) => ({ task_id: firstFilled(comments)?.key }),
  sample: ({ comments }) => firstFilled(comments)?.sample,
  id: ({ id }) => id,
  update: ({ title }) => ({ comment: [{ text: title }], comment_text: title }),
  create: ({ nth, now }) => ({ id: String(90_160_000_000 + nth), date: String(now.getTime()) }),
  newestFirst: true,
});

export const changes = taskLists(tasks, lists, comments);
