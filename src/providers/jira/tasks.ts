import { type Task, type TaskComment, tasks } from "../../categories/tasks.ts";
import type { Project } from "../../categories/ticketing.ts";
import type { CategoryImplementation, Context } from "../../contracts/provider.ts";
import type { Answer, Upstream } from "../../contracts/upstream.ts";
import { orNull } from "../../provider-kit/contact.ts";
import { implement, list, one } from "../../provider-kit/implement.ts";
import { get, path, post, put } from "../../provider-kit/request.ts";
import { adfToMarkdown } from "../../provider-kit/text/from-adf.ts";
import { plainToMarkdown } from "../../provider-kit/text/plain.ts";
import { markdownToAdf } from "../../provider-kit/text/to-adf.ts";
import { firstTime, isoTime } from "../../provider-kit/time.ts";
import {
  currentState,
  doTransition,
  issueFields,
  issueType,
  knownStatus,
  refuseMove,
  requireTransition,
  tryTransition,
} from "./writes.ts";

type Settings = Pick<Context, "settings">;

// Only the fields that are read. Any of an issue's is missing if a client requests other fields.
interface JiraUser {
  accountId: string;
  displayName?: string | null;
}
export interface JiraIssue {
  id: string;
  key?: string;
  fields?: {
    summary?: string | null;
    status?: { name: string; statusCategory?: { key?: string } | null } | null;
    /** An Atlassian document. */
    description?: unknown;
    project?: { id: string } | null;
    assignee?: JiraUser | null;
    priority?: { name: string } | null;
    labels?: string[] | null;
    duedate?: string | null;
    parent?: { id: string } | null;
    created?: string;
    updated?: string;
    resolutiondate?: string | null;
  };
}
export interface JiraPage {
  issues: JiraIssue[];
  isLast?: boolean;
  /** Absent on the last page. */
  nextPageToken?: string;
}
export interface JiraProject {
  id: string;
  key: string;
  name: string;
  description?: string | null;
}
interface JiraProjects {
  values: JiraProject[];
  startAt: number;
  isLast: boolean;
}
export interface JiraComment {
  id: string;
  author?: JiraUser | null;
  body?: unknown;
  created?: string;
}
interface JiraComments {
  comments: JiraComment[];
  startAt: number;
  total: number;
}

const FIELDS =
  "summary,status,description,project,assignee,priority,labels,duedate,parent,created,updated,resolutiondate";

const siteOf = ({ settings }: Settings) => settings.site_url ?? `https://${settings.site}.atlassian.net`;

const toPerson = (user: JiraUser | null | undefined) =>
  user ? { id: user.accountId, name: orNull(user.displayName) } : null;

/** https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-workflow-status-categories/ */
const STATUS_CATEGORY: Record<string, Task["status_category"]> = {
  undefined: "todo",
  new: "todo",
  indeterminate: "in_progress",
  done: "done",
};

export const toTask = ({ id, key = id, fields = {} }: JiraIssue, context: Settings): Task => ({
  id,
  title: fields.summary ?? key,
  description: adfToMarkdown(fields.description),
  status: fields.status?.name ?? "",
  status_category: STATUS_CATEGORY[fields.status?.statusCategory?.key ?? "new"] ?? "todo",
  project_id: fields.project?.id ?? null,
  assignee: toPerson(fields.assignee),
  priority: orNull(fields.priority?.name),
  labels: fields.labels ?? [],
  due_at: isoTime(fields.duedate),
  parent_id: fields.parent?.id ?? null,
  url: `${siteOf(context)}/browse/${key}`,
  created_at: firstTime(fields.created),
  updated_at: firstTime(fields.updated, fields.created),
  completed_at: isoTime(fields.resolutiondate),
});

export const toProject = ({ id, key, name, description }: JiraProject, context: Settings): Project => ({
  id,
  name,
  description: plainToMarkdown(description),
  url: `${siteOf(context)}/browse/${key}`,
});

export const toComment = ({ id, body, author, created }: JiraComment): TaskComment => ({
  id,
  text: adfToMarkdown(body),
  author: toPerson(author),
  created_at: isoTime(created),
});

/** A number is an ID; anything else is a key or a name, and has to be quoted. */
const jqlValue = (value: string) => (/^\d+$/.test(value) ? value : `"${value.replace(/["\\]/g, "\\$&")}"`);

/** The time zone furthest behind UTC. */
const FURTHEST_BEHIND_MS = 12 * 3_600_000;

/**
 * JQL reads a time in the user's own time zone, which the request does not know. In every zone, this one is not later
 * than the time that is meant.
 */
const jqlTime = (time: string) =>
  new Date(Date.parse(time) - FURTHEST_BEHIND_MS).toISOString().slice(0, 16).replace("T", " ");

/** The search for tasks. A search without a restriction is refused. */
export function tasksJql({ project_id, updated_since }: { project_id?: string; updated_since?: string }): string {
  const clauses = [
    ...(project_id === undefined ? [] : [`project = ${jqlValue(project_id)}`]),
    ...(updated_since === undefined ? [] : [`updated >= "${jqlTime(updated_since)}"`]),
  ];
  return `${clauses.join(" AND ") || "project is not EMPTY"} ORDER BY created DESC`;
}

/** The start of the next page, unless this one reaches the end or is empty. */
const following = (startAt: number, count: number, isLast: boolean) => (isLast || count === 0 ? null : startAt + count);

/** After a write, which answers with the ID or with nothing. */
const readIssue = async (id: string, upstream: Upstream) =>
  (await upstream<JiraIssue>(get(path`/issue/${id}`, { fields: FIELDS }))).body;

export const operations: CategoryImplementation<typeof tasks.operations> = {
  listTasks: list({
    // The more fields are requested, the fewer issues a page may have, so a short page is not the last one.
    // https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-search/#api-rest-api-3-search-jql-get
    maxPageSize: 100,
    filtersUpdatedSince: true,
    items: (body: JiraPage) => body.issues,
    next: ({ body }: { body: JiraPage }) => (body.isLast ? null : body.nextPageToken),
    request: ({ limit, cursor, input }) => {
      const jql = tasksJql(input);
      // Without `fields` only ids are returned. A client's own search replaces ours, except for the project.
      return get(
        "/search/jql",
        { jql, fields: FIELDS },
        { maxResults: limit, nextPageToken: cursor, ...(input.project_id === undefined ? {} : { jql }) },
      );
    },
    record: toTask,
  }),

  // Also found by its key.
  getTask: one({
    request: ({ input }) => get(path`/issue/${input.task_id}`, { fields: FIELDS }),
    record: toTask,
  }),

  listProjects: list({
    maxPageSize: 50,
    items: (body: JiraProjects) => body.values,
    next: ({ body }: Answer<JiraProjects>) => following(body.startAt, body.values.length, body.isLast),
    // Descriptions are only included on request.
    request: ({ limit, cursor }) =>
      get("/project/search", { expand: "description" }, { maxResults: limit, startAt: cursor }),
    record: toProject,
  }),

  listComments: list({
    maxPageSize: 100,
    items: (body: JiraComments) => body.comments,
    next: ({ body: { startAt, comments, total } }: Answer<JiraComments>) =>
      following(startAt, comments.length, startAt + comments.length >= total),
    request: ({ limit, cursor, input }) =>
      get(path`/issue/${input.task_id}/comment`, { orderBy: "created" }, { maxResults: limit, startAt: cursor }),
    record: toComment,
  }),

  createTask: one({
    requires: ["project_id"],
    async load({ input, upstream }) {
      const { project_id: project } = input;
      const type = await issueType(project, input.parent_id, upstream);
      const status = input.status && (await knownStatus(project, type, input.status, upstream)).name;
      const fields = {
        ...(await issueFields(input, upstream)),
        project: /^\d+$/.test(project) ? { id: project } : { key: project },
        issuetype: { id: type.id },
      };
      const { body } = await upstream<{ id: string }>(post("/issue", { fields }));
      if (status) await tryTransition(body.id, status, upstream);
      return readIssue(body.id, upstream);
    },
    record: toTask,
  }),

  // Fields are edited, and the status is changed by a transition: two calls if both are given.
  updateTask: one({
    async load({ input, upstream }) {
      const { task_id, status, project_id, ...changes } = input;
      const isMoved = status !== undefined || project_id !== undefined;
      const current = isMoved ? await currentState(task_id, upstream) : undefined;
      if (current) refuseMove(project_id, current);
      const transition = status && current ? requireTransition(status, current) : undefined;
      if (Object.keys(changes).length > 0)
        await upstream(put(path`/issue/${task_id}`, { fields: await issueFields(changes, upstream) }));
      if (transition) await upstream(doTransition(task_id, transition));
      return readIssue(task_id, upstream);
    },
    record: toTask,
  }),

  createComment: one({
    request: ({ input }) => post(path`/issue/${input.task_id}/comment`, { body: markdownToAdf(input.text) }),
    record: toComment,
  }),
};

export default implement(tasks, operations);
