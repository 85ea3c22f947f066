import {
  firstTime,
  isoTime,
  orNull,
  type Project,
  plainToMarkdown,
  type Task,
  type TaskComment,
  toText,
} from "../../provider-kit/index.ts";

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

/** https://linear.app/docs/configuring-workflows */
export const STATUS_CATEGORY: Record<string, Task["status_category"]> = {
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
