import { changeableList, taskLists, uuid } from "../../../emulator-kit/index.ts";
import { issueNumber, type State } from "./data.ts";

const newRecord = (nth: number, createdAt: string) => ({ id: uuid(1_000_000 + nth), createdAt });

const issues = changeableList({
  parameters: () => ({ project_id: undefined }),
  items: ({ issues }: State) => issues,
  shows:
    (_, { project_id }) =>
    ({ archivedAt, project }) =>
      !archivedAt && (project_id === undefined || project?.id === project_id),
  // Without it, its parts would change as well.
  keeps: ({ issues }) => issues.map(({ parentId }) => parentId),
  update: ({ title, time }) => ({ title, updatedAt: time }),
  create: ({ nth, time }, { team }) => ({
    ...issueNumber(team, 10_000 + nth),
    ...newRecord(nth, time),
    parentId: null,
  }),
  newestFirst: true,
});

const projects = changeableList({
  items: ({ projects }: State) => projects,
  keeps: ({ issues }) => issues.map(({ project }) => project?.id),
  update: ({ title, time }) => ({ name: title, updatedAt: time }),
  create: ({ nth, time }) => newRecord(nth, time),
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
  update: ({ title, time }) => ({ body: title, updatedAt: time }),
  create: ({ nth, time }) => newRecord(nth, time),
});

export const changes = taskLists(issues, projects, comments);
