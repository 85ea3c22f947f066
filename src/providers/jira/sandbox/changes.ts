import { changeableList, listsByKey, taskLists } from "../../../emulator-kit/index.ts";
import { jiraTime, makeIssue, type State, selfOf, textDocument } from "./data.ts";
import { NOTE } from "./fields.ts";

const newId = (nth: number) => String(500_000 + nth);

const issues = changeableList({
  items: ({ issues }: State) => issues,
  parameters: () => ({ project_id: undefined }),
  shows:
    (_, { project_id }) =>
    ({ fields: { project } }) =>
      project_id === undefined || project.id === project_id,
  keeps: ({ issues }) => issues.map(({ fields }) => fields.parent?.id),
  update: ({ title, now }, { fields }) => ({
    fields: { ...fields, summary: title, [NOTE]: title, updated: jiraTime(now) },
  }),
  create({ nth, now, title }, { fields: { parent: _, ...fields } }) {
    const created = jiraTime(now);
    const key = `${fields.project.key}-${10_000 + nth}`;
    return makeIssue(newId(nth), key, { ...fields, summary: title, [NOTE]: title, created, updated: created });
  },
  onCreate: ({ id }, { comments }) => void comments.set(id, []),
});

const projects = changeableList({
  items: ({ projects }: State) => projects,
  keeps: ({ issues }) => issues.map(({ fields }) => fields.project.id),
  update: ({ title }) => ({ name: title }),
  // The list is in the order of the keys: new ones come last.
  create: ({ nth }) => ({
    id: newId(nth),
    key: `ZZ${String(nth).padStart(6, "0")}`,
    self: selfOf(`project/${newId(nth)}`),
  }),
});

const comments = changeableList({
  ...listsByKey("task_id", ({ comments }: State) => comments),
  update: ({ title, now }) => ({ body: textDocument(title), updated: jiraTime(now) }),
  create: ({ nth, now }) => ({ id: newId(nth), created: jiraTime(now) }),
});

export const changes = taskLists(issues, projects, comments);
