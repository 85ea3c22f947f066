import {
  type Answer,
  type CategoryImplementation,
  get,
  type InputOf,
  implement,
  list,
  one,
  path,
  type Task,
  tasks,
} from "../../provider-kit/index.ts";
import { customFields } from "./custom-fields.ts";
import {
  fieldsFor,
  type JiraComment,
  type JiraIssue,
  type JiraProject,
  toComment,
  toProject,
  toTask,
} from "./records.ts";
import { writes } from "./writes.ts";

export interface JiraPage {
  issues: JiraIssue[];
  isLast?: boolean;
  /** Absent on the last page. */
  nextPageToken?: string;
}

interface JiraProjects {
  values: JiraProject[];
  startAt: number;
  isLast: boolean;
}

interface JiraComments {
  comments: JiraComment[];
  startAt: number;
  total: number;
}

const quoted = (text: string) => `"${text.replace(/["\\]/g, "\\$&")}"`;

/** A number is an ID; anything else is a key or a name, and has to be quoted. */
const jqlValue = (value: string) => (/^\d+$/.test(value) ? value : quoted(value));

/**
 * A text of which nothing is an operator, inside the quotes of JQL. In capitals, some words are operators.
 * https://support.atlassian.com/jira-software-cloud/docs/search-syntax-for-text-fields/
 */
const jqlText = (text: string) => quoted(text.toLowerCase().replace(/[-+&|!(){}[\]^~*?\\/:"]/g, "\\$&"));

/** By the names that the categories have in JQL. There is one without a category. */
const STATUS_CLAUSES: Record<Task["status_category"], string> = {
  todo: 'statusCategory not in ("In Progress", Done)',
  in_progress: 'statusCategory = "In Progress"',
  done: "statusCategory = Done",
};

/** The time zone furthest behind UTC. */
const FURTHEST_BEHIND_MS = 12 * 3_600_000;

/**
 * JQL reads a time in the user's own time zone, which the request does not know. In every zone, this one is not later
 * than the time that is meant.
 */
const jqlTime = (time: string) =>
  new Date(Date.parse(time) - FURTHEST_BEHIND_MS).toISOString().slice(0, 16).replace("T", " ");

type Input = InputOf<typeof tasks.operations.listTasks>;

/** The search for tasks. A search without a restriction is refused. */
export function tasksJql({ project_id, status_category, assignee_id, query, updated_since }: Input): string {
  const clauses = [
    ...(project_id === undefined ? [] : [`project = ${jqlValue(project_id)}`]),
    ...(status_category === undefined ? [] : [STATUS_CLAUSES[status_category]]),
    ...(assignee_id === undefined ? [] : [`assignee = ${quoted(assignee_id)}`]),
    ...(query === undefined ? [] : [`text ~ ${jqlText(query)}`]),
    ...(updated_since === undefined ? [] : [`updated >= "${jqlTime(updated_since)}"`]),
  ];
  return `${clauses.join(" AND ") || "project is not EMPTY"} ORDER BY created DESC`;
}

/** The start of the next page, unless this one reaches the end or is empty. */
const following = (startAt: number, count: number, isLast: boolean) => (isLast || count === 0 ? null : startAt + count);

export const operations: CategoryImplementation<typeof tasks.operations> = {
  listTasks: list({
    // The more fields are requested, the fewer issues a page may have, so a short page is not the last one.
    // https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-search/#api-rest-api-3-search-jql-get
    maxPageSize: 100,
    filters: ["updated_since", "project_id", "status_category", "assignee_id", "query"],
    items: (body: JiraPage) => body.issues,
    next: ({ body }: { body: JiraPage }) => (body.isLast ? null : body.nextPageToken),
    request: ({ limit, cursor, input, select }) => {
      const jql = tasksJql(input);
      // Without `fields` only ids are returned. A client's own search replaces ours, except if there is a filter.
      const { updated_since: _, ...filters } = input;
      const locked = Object.values(filters).some((value) => value !== undefined) ? { jql } : {};
      return get(
        "/search/jql",
        { jql, fields: fieldsFor({ select }) },
        { maxResults: limit, nextPageToken: cursor, ...locked },
      );
    },
    record: toTask,
  }),

  // Also found by its key.
  getTask: one({
    request: ({ input, select }) => get(path`/issue/${input.task_id}`, { fields: fieldsFor({ select }) }),
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

  ...writes,
};

export default implement(tasks, operations, { task: customFields });
