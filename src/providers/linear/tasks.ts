import {
  type Answer,
  type CategoryImplementation,
  defined,
  graphql,
  type InputOf,
  implement,
  list,
  one,
  type Task,
  tasks,
} from "../../provider-kit/index.ts";
import { GET_ISSUE, LIST_COMMENTS, LIST_ISSUES, LIST_PROJECT_ISSUES, LIST_PROJECTS, SEARCH_ISSUES } from "./queries.ts";
import {
  type LinearComment,
  type LinearIssue,
  type LinearProject,
  STATUS_CATEGORY,
  toComment,
  toProject,
  toTask,
} from "./records.ts";
import { writes } from "./writes.ts";

type Input = InputOf<typeof tasks.operations.listTasks>;

interface Connection<Node> {
  nodes: Node[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}
interface LinearIssues {
  data: {
    issues?: Connection<LinearIssue>;
    searchIssues?: Connection<LinearIssue>;
    project?: { issues: Connection<LinearIssue> };
  };
}
interface LinearProjects {
  data: { projects: Connection<LinearProject> };
}
interface LinearComments {
  data: { issue: { comments: Connection<LinearComment> } };
}

/** The last page has an end cursor as well. */
const nextOf = ({ pageInfo }: Connection<unknown>) => (pageInfo.hasNextPage ? pageInfo.endCursor : null);

const issuesOf = ({ data }: LinearIssues) =>
  data.searchIssues ?? ((data.project ?? data).issues as Connection<LinearIssue>);

/** A type of states that is not known counts as one of what is to do. */
const stateFilter = (category: Task["status_category"]) => {
  const types = (wanted: readonly string[]) =>
    Object.keys(STATUS_CATEGORY).filter((type) => wanted.includes(STATUS_CATEGORY[type]!));
  return { type: category === "todo" ? { nin: types(["in_progress", "done"]) } : { in: types([category]) } };
};

const issueFilter = ({ status_category, assignee_id, updated_since }: Input) =>
  defined({
    updatedAt: updated_since === undefined ? undefined : { gte: updated_since },
    state: status_category && stateFilter(status_category),
    assignee: assignee_id === undefined ? undefined : { id: { eq: assignee_id } },
  });

export const operations: CategoryImplementation<typeof tasks.operations> = {
  listTasks: list({
    // Linear returns up to 250, but the labels of so many would exceed the complexity of a single query.
    // https://linear.app/developers/rate-limiting
    maxPageSize: 100,
    filters: ["updated_since", "project_id", "status_category", "assignee_id", "query"],
    items: (body: LinearIssues) => issuesOf(body).nodes,
    next: ({ body }: Answer<LinearIssues>) => nextOf(issuesOf(body)),
    request: ({ limit, cursor, input }) => {
      const { project_id, query, updated_since, ...others } = input;
      const own = issueFilter(input);
      const filter = Object.keys(own).length > 0 ? own : undefined;
      // A client's own filter replaces ours, except if there is one besides the time.
      const isFiltered = Object.values(others).some((value) => value !== undefined);
      const page = { first: limit, after: cursor, ...(isFiltered ? { filter } : {}) };
      if (query !== undefined) {
        const found = {
          ...own,
          ...defined({ project: project_id === undefined ? undefined : { id: { eq: project_id } } }),
        };
        return graphql(SEARCH_ISSUES, {}, { ...page, term: query, filter: found });
      }
      return project_id === undefined
        ? graphql(LIST_ISSUES, { filter }, page)
        : graphql(LIST_PROJECT_ISSUES, { filter }, { ...page, project: project_id });
    },
    record: toTask,
  }),

  // Also found by its identifier.
  getTask: one({
    request: ({ input }) => graphql(GET_ISSUE, {}, { id: input.task_id }),
    record: ({ data }: { data: { issue: LinearIssue } }) => toTask(data.issue),
    original: ({ data }) => data.issue,
  }),

  listProjects: list({
    maxPageSize: 250,
    items: ({ data }: LinearProjects) => data.projects.nodes,
    next: ({ body }: Answer<LinearProjects>) => nextOf(body.data.projects),
    request: ({ limit, cursor }) => graphql(LIST_PROJECTS, {}, { first: limit, after: cursor }),
    record: toProject,
  }),

  listComments: list({
    maxPageSize: 250,
    items: ({ data }: LinearComments) => data.issue.comments.nodes,
    next: ({ body }: Answer<LinearComments>) => nextOf(body.data.issue.comments),
    request: ({ limit, cursor, input }) =>
      graphql(LIST_COMMENTS, {}, { first: limit, after: cursor, issue: input.task_id }),
    record: toComment,
  }),

  ...writes,
};

export default implement(tasks, operations);
