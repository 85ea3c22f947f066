import { tasks } from "../../categories/tasks.ts";
import type { CategoryImplementation } from "../../contracts/provider.ts";
import type { Answer } from "../../contracts/upstream.ts";
import { implement, list, one } from "../../provider-kit/implement.ts";
import { graphql } from "../../provider-kit/request.ts";
import { GET_ISSUE, LIST_COMMENTS, LIST_ISSUES, LIST_PROJECT_ISSUES, LIST_PROJECTS } from "./queries.ts";
import { type LinearComment, type LinearIssue, type LinearProject, toComment, toProject, toTask } from "./records.ts";
import { writes } from "./writes.ts";

interface Connection<Node> {
  nodes: Node[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}
interface LinearIssues {
  data: { issues?: Connection<LinearIssue>; project?: { issues: Connection<LinearIssue> } };
}
interface LinearProjects {
  data: { projects: Connection<LinearProject> };
}
interface LinearComments {
  data: { issue: { comments: Connection<LinearComment> } };
}

/** The last page has an end cursor as well. */
const nextOf = ({ pageInfo }: Connection<unknown>) => (pageInfo.hasNextPage ? pageInfo.endCursor : null);

const issuesOf = ({ data }: LinearIssues) => (data.project ?? data).issues as Connection<LinearIssue>;

export const operations: CategoryImplementation<typeof tasks.operations> = {
  listTasks: list({
    // Linear returns up to 250, but the labels of so many would exceed the complexity of a single query.
    // https://linear.app/developers/rate-limiting
    maxPageSize: 100,
    filters: ["updated_since", "project_id"],
    items: (body: LinearIssues) => issuesOf(body).nodes,
    next: ({ body }: Answer<LinearIssues>) => nextOf(issuesOf(body)),
    request: ({ limit, cursor, input: { project_id, updated_since } }) => {
      const filter = updated_since === undefined ? undefined : { updatedAt: { gte: updated_since } };
      const page = { first: limit, after: cursor };
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
