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
import { type CommentPiece, commentToMarkdown } from "./comment-text.ts";

// Only the fields that are read here. A field that is missing from a response counts as null.
interface ClickUpUser {
  id: number;
  username?: string | null;
  email?: string | null;
}
export interface ClickUpTask {
  id: string;
  name: string;
  text_content?: string | null;
  markdown_description?: string | null;
  status?: { status: string; type?: string } | null;
  /** A Unix timestamp in milliseconds, as a string, like all times here. */
  date_created?: string | null;
  date_updated?: string | null;
  date_closed?: string | null;
  date_done?: string | null;
  due_date?: string | null;
  assignees?: ClickUpUser[];
  tags?: { name: string }[];
  priority?: { priority?: string | null } | null;
  parent?: string | null;
  list?: { id: string } | null;
  url?: string;
}

export interface ClickUpComment {
  id: string;
  comment?: CommentPiece[];
  comment_text?: string | null;
  user?: ClickUpUser | null;
  date: string;
}
export interface ClickUpList {
  id: string;
  name: string;
  content?: string | null;
}

const milliseconds = (text: string | null | undefined) => (text ? Number(text) : null);

const toPerson = (user: ClickUpUser | null | undefined) =>
  user ? { id: String(user.id), name: orNull(user.username, user.email) } : null;

/** By the type of a status. Each workspace names its own statuses; "custom" are the active ones. */
const CATEGORIES: Record<string, Task["status_category"]> = {
  open: "todo",
  unstarted: "todo",
  custom: "in_progress",
  done: "done",
  closed: "done",
};

export const toTask = (task: ClickUpTask): Task => ({
  id: task.id,
  title: task.name,
  description: toText(task.markdown_description) ?? plainToMarkdown(task.text_content),
  status: task.status?.status ?? "",
  status_category: CATEGORIES[task.status?.type ?? ""] ?? (task.date_closed ? "done" : "todo"),
  project_id: task.list?.id ?? null,
  assignee: toPerson(task.assignees?.[0]),
  priority: orNull(task.priority?.priority),
  labels: task.tags?.map(({ name }) => name) ?? [],
  due_at: isoTime(milliseconds(task.due_date)),
  parent_id: task.parent ?? null,
  url: task.url ?? `https://app.clickup.com/t/${task.id}`,
  created_at: firstTime(milliseconds(task.date_created)),
  updated_at: firstTime(milliseconds(task.date_updated), milliseconds(task.date_created)),
  completed_at: isoTime(milliseconds(task.date_done) ?? milliseconds(task.date_closed)),
});

export const toComment = (comment: ClickUpComment): TaskComment => ({
  id: comment.id,
  text: commentToMarkdown(comment.comment ?? []) ?? plainToMarkdown(comment.comment_text),
  author: toPerson(comment.user),
  created_at: isoTime(milliseconds(comment.date)),
});

export const toProject = ({ id, name, content }: ClickUpList, team: string): Project => ({
  id,
  name,
  description: plainToMarkdown(content),
  url: `https://app.clickup.com/${team}/v/li/${id}`,
});
