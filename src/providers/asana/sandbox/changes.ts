import { changeableList, firstFilled, taskLists } from "../../../emulator-kit/changes.ts";
import type { State } from "./data.ts";

/** Above all ids that the data starts with. */
const newId = (nth: number) => String(1_300_000_000_000_000 + nth);
const richText = (text: string) => `<body>${text}</body>`;

const tasks = changeableList({
  items: ({ tasks }: State) => tasks,
  parameters: () => ({ project_id: undefined }),
  shows:
    (_, { project_id }) =>
    ({ projects }) =>
      project_id === undefined || projects.some(({ gid }) => gid === project_id),
  keeps: ({ tasks }) => tasks.map(({ parent }) => parent?.gid),
  id: ({ gid }) => gid,
  update: ({ title, time }) => ({ name: title, modified_at: time }),
  create: ({ nth, time }, { gid, permalink_url }) => ({
    gid: newId(nth),
    permalink_url: permalink_url.replace(gid, newId(nth)),
    parent: null,
    created_at: time,
  }),
  onCreate: ({ gid }, { stories }) => void stories.set(gid, []),
});

const projects = changeableList({
  items: ({ projects }: State) => projects,
  keeps: ({ tasks }) => tasks.flatMap(({ projects }) => projects.map(({ gid }) => gid)),
  id: ({ gid }) => gid,
  update: ({ title }) => ({ name: title }),
  create: ({ nth }, { gid, permalink_url }) => ({
    gid: newId(nth),
    permalink_url: permalink_url.replace(gid, newId(nth)),
  }),
});

const comments = changeableList({
  items: ({ stories }: State, { task_id }) => stories.get(task_id!),
  parameters: ({ stories }) => ({ task_id: firstFilled(stories)?.key }),
  sample: ({ stories }) => firstFilled(stories)?.sample,
  shows:
    () =>
    ({ resource_subtype }) =>
      resource_subtype === "comment_added",
  id: ({ gid }) => gid,
  update: ({ title }) => ({ html_text: richText(title) }),
  create: ({ nth, time }) => ({
    gid: newId(nth),
    type: "comment",
    resource_subtype: "comment_added",
    created_at: time,
  }),
});

export const changes = taskLists(tasks, projects, comments);
