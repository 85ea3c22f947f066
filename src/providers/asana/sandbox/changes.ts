import { changeableList, listsByKey, taskLists } from "../../../emulator-kit/index.ts";
import { withNote } from "./custom-fields.ts";
import type { State } from "./data.ts";

/** Above all ids that the data starts with. */
const newId = (nth: number) => String(1_300_000_000_000_000 + nth);

const newPlace = (nth: number, { gid, permalink_url }: { gid: string; permalink_url: string }) => ({
  gid: newId(nth),
  permalink_url: permalink_url.replace(gid, newId(nth)),
});

const tasks = changeableList({
  items: ({ tasks }: State) => tasks,
  parameters: () => ({ project_id: undefined }),
  shows:
    (_, { project_id }) =>
    ({ projects }) =>
      project_id === undefined || projects.some(({ gid }) => gid === project_id),
  keeps: ({ tasks }) => tasks.map(({ parent }) => parent?.gid),
  id: ({ gid }) => gid,
  update: ({ title, time }, { custom_fields }) => ({
    name: title,
    custom_fields: withNote(custom_fields, title),
    modified_at: time,
  }),
  create: ({ nth, time }, copied) => ({ ...newPlace(nth, copied), parent: null, created_at: time }),
  onCreate: ({ gid }, { stories }) => void stories.set(gid, []),
});

const projects = changeableList({
  items: ({ projects }: State) => projects,
  keeps: ({ tasks }) => tasks.flatMap(({ projects }) => projects.map(({ gid }) => gid)),
  id: ({ gid }) => gid,
  update: ({ title }) => ({ name: title }),
  create: ({ nth }, copied) => newPlace(nth, copied),
});

const comments = changeableList({
  ...listsByKey("task_id", ({ stories }: State) => stories),
  isShown: ({ type }) => type === "comment",
  id: ({ gid }) => gid,
  update: ({ title }) => ({ html_text: `<body>${title}</body>` }),
  create: ({ nth, time }) => ({
    gid: newId(nth),
    type: "comment",
    resource_subtype: "comment_added",
    created_at: time,
  }),
});

export const changes = taskLists(tasks, projects, comments);
