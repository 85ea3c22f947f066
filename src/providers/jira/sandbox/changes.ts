import { changeableList, firstFilled, taskLists } from "../../../emulator-kit/changes.ts";
import { document, jiraTime, paragraph, SITE_URL, type State, text } from "./data.ts";

const newId = (nth: number) => String(500_000 + nth);

const issues = changeableList({
  items: ({ issues }: State) => issues,
  parameters: () => ({ project_id: undefined }),
  shows:
    (_, { project_id }) =>
    ({ fields: { project } }) =>
      project_id === undefined || project.id === project_id,
  keeps: ({ issues }) => issues.map(({ fields }) => fields.parent?.id),
  id: ({ id }) => id,
  update: ({ title, now }, { fields }) => ({ fields: { ...fields, summary: title, updated: jiraTime(now) } }),
  create({ nth, now, title }, { fields: { parent: _, ...fields } }) {
    const id = newId(nth);
    const created = jiraTime(now);
    return {
      id,
      key: `${fields.project.key}-${10_000 + nth}`,
      self: `${SITE_URL}/rest/api/3/issue/${id}`,
      fields: { ...fields, summary: title, created, updated: created },
    };
  },
  onCreate({ id }, { comments }) {
    comments[id] = [];
  },
});

const projects = changeableList({
  items: ({ projects }: State) => projects,
  keeps: ({ issues }) => issues.map(({ fields }) => fields.project.id),
  id: ({ id }) => id,
  update: ({ title }) => ({ name: title }),
  create({ nth }) {
    const id = newId(nth);
    // The list is in the order of the keys: new ones come last.
    return { id, key: `ZZ${String(nth).padStart(6, "0")}`, self: `${SITE_URL}/rest/api/3/project/${id}` };
  },
});

const comments = changeableList({
  items: ({ issues, comments }: State, { task_id }) =>
    comments[issues.find(({ id, key }) => id === task_id || key === task_id)?.id ?? ""],
  parameters: ({ comments }) => ({ task_id: firstFilled(Object.entries(comments))?.key }),
  sample: ({ comments }) => firstFilled(Object.entries(comments))?.sample,
  id: ({ id }) => id,
  update: ({ title, now }) => ({ body: document(paragraph(text(title))), updated: jiraTime(now) }),
  create: ({ nth, now }) => ({ id: newId(nth), created: jiraTime(now) }),
});

export const changes = taskLists(issues, projects, comments);
