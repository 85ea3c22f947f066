import {
  adfToMarkdown,
  type Context,
  fieldNames,
  firstTime,
  isoTime,
  orNull,
  type Project,
  plainToMarkdown,
  type Task,
  type TaskComment,
} from "../../provider-kit/index.ts";

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

export interface JiraProject {
  id: string;
  key: string;
  name: string;
  description?: string | null;
}

export interface JiraComment {
  id: string;
  author?: JiraUser | null;
  body?: unknown;
  created?: string;
}

const FIELDS =
  "summary,status,description,project,assignee,priority,labels,duedate,parent,created,updated,resolutiondate";

/** Those of a task, and the custom fields that are declared. */
export const fieldsFor = ({ select }: Pick<Context, "select">): string =>
  [FIELDS, ...fieldNames(select, "fields")].join(",");

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
