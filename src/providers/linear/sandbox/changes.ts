import { changeableList, taskLists } from "../../../emulator-kit/changes.ts";
import { uuid } from "../../../emulator-kit/data.ts";
import type { State } from "./data.ts";

const newId = (nth: number) => uuid(1_000_000 + nth);

const issues = changeableList({
  parameters: () => ({ project_id: undefined }),
  items: ({ issues }: State) => issues,
  shows:
    (_, { project_id }) =>
    ({ archivedAt, project }) =>
      !archivedAt && (project_id === undefined || project?.id === project_id),
  // Without it, its parts would change as well.
  keeps: ({ issues }) => issues.map(({ parentId }) => parentId),
  id: ({ id }) => id,
  update: ({ title, time }) => ({ title, updatedAt: time }),
  create({ nth, time }, { team }) {
    const number = 10_000 + nth;
    const identifier = `${team.key}-${number}`;
    const url = `https://linear.app/sandbox/issue/${identifier}/${number}`;
    return { id: newId(nth), number, identifier, url, parentId: null, createdAt: time };
  },
  newestFirst: true,
});

const projects = changeableList({
  items: ({ projects }: State) => projects,
  keeps: ({ issues }) => issues.map(({ project }) => project?.id),
  id: ({ id }) => id,
  update: ({ title, time }) => ({ name: title, updatedAt: time }),
  create: ({ nth, time }) => ({ id: newId(nth), slugId: String(nth).padStart(12, "0"), createdAt: time }),
  newestFirst: true,
});

const comments = changeableList({
  items({ issues, commentsOf }: State, { task_id }) {
    const issue = issues.find(({ id, identifier }) => id === task_id || identifier === task_id);
    return issue && commentsOf(issue);
  },
  parameters: ({ issues, commentsOf }) => ({
    task_id: issues.find((issue) => !issue.archivedAt && commentsOf(issue).length > 0)?.id,
  }),
  id: ({ id }) => id,
  update: ({ title, time }) => ({ body: title, updatedAt: time }),
  create: ({ nth, time }) => ({ id: newId(nth), createdAt: time }),
});

export const changes = taskLists(issues, projects, comments);
