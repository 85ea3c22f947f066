import { type Task, type TaskComment, tasks } from "../../categories/tasks.ts";
import type { Project } from "../../categories/ticketing.ts";
import type { CategoryImplementation } from "../../contracts/provider.ts";
import type { Answer } from "../../contracts/upstream.ts";
import { orNull } from "../../provider-kit/contact.ts";
import { implement, list, one } from "../../provider-kit/implement.ts";
import { graphql } from "../../provider-kit/request.ts";
import { plainToMarkdown, toText } from "../../provider-kit/text/plain.ts";
import { firstTime, isoTime } from "../../provider-kit/time.ts";
import {
  CREATE_COMMENT,
  CREATE_ISSUE,
  GET_ISSUE,
  LIST_COMMENTS,
  LIST_ISSUES,
  LIST_PROJECT_ISSUES,
  LIST_PROJECTS,
  UPDATE_ISSUE,
} from "./queries.ts";
import { issueFields, labelIds, stateIn, teamOfIssue, teamsOfProject, uuidOf } from "./writes.ts";

// Only the fields that are read.
interface LinearUser {
  id: string | null;
  name: string | null;
}
export interface LinearIssue {
  id: string;
  title: string;
  description?: string | null;
  url: string;
  /** 0 if it has none. */
  priority: number;
  priorityLabel: string;
  dueDate?: string | null;
  createdAt: string;
  updatedAt: string;
  completedAt?: string | null;
  canceledAt?: string | null;
  state: { name: string; type: string };
  project?: { id: string } | null;
  assignee?: LinearUser | null;
  parent?: { id: string } | null;
  labels: { nodes: { name: string }[] };
}
export interface LinearProject {
  id: string;
  name: string;
  description?: string | null;
  url: string;
}
export interface LinearComment {
  id: string;
  body?: string | null;
  createdAt: string;
  user?: LinearUser | null;
  /** Somebody in another service, such as Slack, whose words Linear repeats. */
  externalUser?: LinearUser | null;
  botActor?: LinearUser | null;
}
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

/** https://linear.app/docs/configuring-workflows */
const STATUS_CATEGORY: Record<string, Task["status_category"]> = {
  triage: "todo",
  backlog: "todo",
  unstarted: "todo",
  started: "in_progress",
  completed: "done",
  canceled: "done",
  duplicate: "done",
};

const toPerson = (user: LinearUser | null | undefined) => (user ? { id: user.id, name: orNull(user.name) } : null);

export const toTask = (issue: LinearIssue): Task => ({
  id: issue.id,
  title: issue.title,
  description: toText(issue.description),
  status: issue.state.name,
  status_category: STATUS_CATEGORY[issue.state.type] ?? "todo",
  project_id: issue.project?.id ?? null,
  assignee: toPerson(issue.assignee),
  priority: issue.priority === 0 ? null : issue.priorityLabel,
  labels: issue.labels.nodes.map(({ name }) => name),
  due_at: isoTime(issue.dueDate),
  parent_id: issue.parent?.id ?? null,
  url: issue.url,
  created_at: firstTime(issue.createdAt),
  updated_at: firstTime(issue.updatedAt, issue.createdAt),
  completed_at: isoTime(issue.completedAt ?? issue.canceledAt),
});

export const toProject = ({ id, name, description, url }: LinearProject): Project => ({
  id,
  name,
  description: plainToMarkdown(description),
  url,
});

export const toComment = ({ id, body, user, externalUser, botActor, createdAt }: LinearComment): TaskComment => ({
  id,
  text: toText(body),
  author: toPerson(user ?? externalUser ?? botActor),
  created_at: isoTime(createdAt),
});

const issuesOf = ({ data }: LinearIssues) => (data.project ?? data).issues as Connection<LinearIssue>;

export const operations: CategoryImplementation<typeof tasks.operations> = {
  listTasks: list({
    // Linear returns up to 250, but the labels of so many would exceed the complexity of a single query.
    // https://linear.app/developers/rate-limiting
    maxPageSize: 100,
    filtersUpdatedSince: true,
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

  // Linear takes the ID of what is created, so that a repeated request cannot create another one.
  createTask: one({
    requires: ["project_id"],
    async load({ input, upstream, writeKey }) {
      const { project_id: projectId } = input;
      const { team, stateId } = stateIn(await teamsOfProject(projectId, upstream), input.status);
      const issue = {
        ...issueFields(input),
        id: uuidOf(writeKey),
        teamId: team.id,
        stateId,
        labelIds: await labelIds(input.labels, team, upstream),
      };
      const { body } = await upstream<{ data: { issueCreate: { issue: LinearIssue } } }>(
        graphql(CREATE_ISSUE, { input: issue }),
      );
      return body.data.issueCreate.issue;
    },
    record: toTask,
  }),

  updateTask: one({
    async load({ input, upstream }) {
      const change: Record<string, unknown> = issueFields(input);
      if (input.status !== undefined || input.labels?.length) {
        const team = await teamOfIssue(input.task_id, upstream);
        change.stateId = stateIn([team], input.status).stateId;
        change.labelIds = await labelIds(input.labels, team, upstream);
      } else change.labelIds = input.labels;
      const { body } = await upstream<{ data: { issueUpdate: { issue: LinearIssue } } }>(
        graphql(UPDATE_ISSUE, { id: input.task_id, input: change }),
      );
      return body.data.issueUpdate.issue;
    },
    record: toTask,
  }),

  createComment: one({
    request: ({ input: { task_id, text }, writeKey }) =>
      graphql(CREATE_COMMENT, { input: { id: uuidOf(writeKey), issueId: task_id, body: text } }),
    record: ({ data }: { data: { commentCreate: { comment: LinearComment } } }) =>
      toComment(data.commentCreate.comment),
  }),
};

export default implement(tasks, operations);
