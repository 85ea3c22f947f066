import {
  firstTime,
  htmlToMarkdown,
  isoTime,
  orNull,
  type Project,
  type Task,
  type TaskComment,
} from "../../provider-kit/index.ts";

// Only the fields that are requested below.
interface AsanaUser {
  gid: string;
  name?: string | null;
}
export interface AsanaTask {
  gid: string;
  name?: string | null;
  html_notes?: string | null;
  completed?: boolean;
  completed_at?: string | null;
  created_at?: string;
  modified_at?: string;
  /** A date, also if there is a time. */
  due_on?: string | null;
  due_at?: string | null;
  permalink_url?: string;
  projects?: { gid: string }[];
  assignee?: AsanaUser | null;
  tags?: { name?: string | null }[];
  parent?: { gid: string } | null;
}
export interface AsanaStory {
  gid: string;
  resource_subtype?: string;
  html_text?: string | null;
  created_at?: string;
  /** Null if Asana itself wrote the story. */
  created_by?: AsanaUser | null;
}
export interface AsanaProject {
  gid: string;
  name?: string | null;
  html_notes?: string | null;
  permalink_url?: string | null;
}

/** The fields read here, and one that a client may want from the raw response: by default a task has only its name. */
export const TASK_FIELDS =
  "name,html_notes,completed,completed_at,created_at,modified_at,due_on,due_at,permalink_url,projects,resource_subtype,assignee.name,tags.name,parent";

export const STORY_FIELDS = "resource_subtype,html_text,created_at,created_by.name";

const toPerson = (user: AsanaUser | null | undefined) => (user ? { id: user.gid, name: orNull(user.name) } : null);

/** Whether somebody works on a task is not recorded: sections and custom fields have no fixed meaning. */
export const toTask = (task: AsanaTask): Task => ({
  id: task.gid,
  title: task.name ?? "",
  description: htmlToMarkdown(task.html_notes),
  status: task.completed ? "completed" : "incomplete",
  status_category: task.completed ? "done" : "todo",
  project_id: task.projects?.[0]?.gid ?? null,
  assignee: toPerson(task.assignee),
  // A priority is a custom field, which a project may name and fill as it likes.
  priority: null,
  labels: task.tags?.flatMap(({ name }) => name || []) ?? [],
  due_at: isoTime(task.due_at ?? task.due_on),
  parent_id: task.parent?.gid ?? null,
  url: task.permalink_url ?? `https://app.asana.com/0/0/${task.gid}`,
  created_at: firstTime(task.created_at),
  updated_at: firstTime(task.modified_at, task.created_at),
  completed_at: isoTime(task.completed_at),
});

export const toComment = (story: AsanaStory): TaskComment => ({
  id: story.gid,
  text: htmlToMarkdown(story.html_text),
  author: toPerson(story.created_by),
  created_at: isoTime(story.created_at),
});

export const toProject = (project: AsanaProject): Project => ({
  id: project.gid,
  name: project.name ?? "",
  description: htmlToMarkdown(project.html_notes),
  url: orNull(project.permalink_url),
});
