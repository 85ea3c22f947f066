import { firstTime, htmlToMarkdown, isoTime, orNull, type Task } from "plugboard/provider-kit";

// Only the fields that are read.
export interface Note {
  key: string;
  headline: string;
  text_html?: string | null;
  state: "draft" | "sent" | "answered";
  notebook?: number | null;
  assigned?: { user_id: number; full_name?: string | null } | null;
  written: number;
  edited: number;
  answered?: number | null;
  due?: string | null;
}

const CATEGORY = { draft: "todo", sent: "in_progress", answered: "done" } as const;
const seconds = (time: number) => new Date(time * 1000).toISOString();

export const toTask = (note: Note): Task => ({
  id: note.key,
  title: note.headline,
  description: htmlToMarkdown(note.text_html ?? ""),
  status: note.state,
  status_category: CATEGORY[note.state],
  project_id: note.notebook ? String(note.notebook) : null,
  assignee: note.assigned ? { id: String(note.assigned.user_id), name: orNull(note.assigned.full_name) } : null,
  priority: null,
  labels: [],
  due_at: isoTime(note.due),
  parent_id: null,
  url: `https://field-notes.example/notes/${note.key}`,
  created_at: firstTime(seconds(note.written)),
  updated_at: firstTime(seconds(note.edited)),
  completed_at: note.answered ? seconds(note.answered) : null,
});
