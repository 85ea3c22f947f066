import { changeableList, listsByKey, taskLists } from "../../../emulator-kit/index.ts";
import { withNote } from "./custom-fields.ts";
import type { SandboxTask, State } from "./data.ts";

const placesOf = ({ list, locations }: SandboxTask) => [list, ...locations].map(({ id }) => id);

const tasks = changeableList({
  items: ({ tasks }: State) => tasks,
  parameters: () => ({ project_id: undefined }),
  shows:
    (_, { project_id }) =>
    (task) =>
      project_id === undefined || placesOf(task).includes(project_id),
  keeps: ({ tasks }) => tasks.map(({ parent }) => parent),
  update: ({ title, now }, { custom_fields }) => ({
    name: title,
    custom_fields: withNote(custom_fields, title),
    date_updated: String(now.getTime()),
  }),
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
  keeps: ({ tasks }) => tasks.flatMap(placesOf),
  update: ({ title }) => ({ name: title }),
  create: ({ nth }) => ({ id: String(902_000_000 + nth) }),
});

const comments = changeableList({
  ...listsByKey("task_id", ({ comments }: State) => comments),
  update: ({ title }) => ({ comment: [{ text: title }], comment_text: title }),
  create: ({ nth, now }) => ({ id: String(90_160_000_000 + nth), date: String(now.getTime()) }),
  newestFirst: true,
});

export const changes = taskLists(tasks, lists, comments);
