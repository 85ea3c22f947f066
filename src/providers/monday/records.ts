import {
  firstTime,
  htmlToMarkdown,
  isoTime,
  orNull,
  type Project,
  plainToMarkdown,
  type Task,
  type TaskComment,
} from "../../provider-kit/index.ts";
import { type MondayValue, readColumns } from "./columns.ts";

// Only the fields that are read.
export interface MondayItem {
  id: string;
  name: string;
  url: string;
  created_at?: string | null;
  updated_at?: string | null;
  board?: { id: string } | null;
  parent_item?: { id: string; board?: { id: string } | null } | null;
  column_values: MondayValue[];
  subitems?: (MondayItem | null)[] | null;
}
export interface MondayBoard {
  id: string;
  name: string;
  description?: string | null;
  url?: string | null;
  type?: string | null;
}
export interface MondayReply {
  id: string;
  body?: string | null;
  created_at?: string | null;
  creator?: { id: string; name?: string | null } | null;
}

export function toTask(item: MondayItem): Task {
  const columns = readColumns(item.column_values);
  return {
    id: item.id,
    title: item.name,
    description: columns.description,
    status: columns.status,
    status_category: columns.status_category,
    // Subitems are on a board of their own, which is not a project.
    project_id: (item.parent_item?.board ?? item.board)?.id ?? null,
    assignee: columns.assignee,
    priority: columns.priority,
    labels: columns.labels,
    due_at: columns.due_at,
    parent_id: item.parent_item?.id ?? null,
    url: item.url,
    created_at: firstTime(item.created_at),
    updated_at: firstTime(item.updated_at, item.created_at),
    completed_at: columns.completed_at,
  };
}

export const toProject = ({ id, name, description, url }: MondayBoard): Project => ({
  id,
  name,
  description: plainToMarkdown(description),
  url: orNull(url),
});

export const toComment = ({ id, body, creator, created_at }: MondayReply): TaskComment => ({
  id,
  text: htmlToMarkdown(body),
  author: creator ? { id: creator.id, name: orNull(creator.name) } : null,
  created_at: isoTime(created_at),
});
