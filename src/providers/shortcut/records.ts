import {
  firstTime,
  get,
  isoTime,
  orNull,
  outsideCode,
  type Project,
  type Task,
  type TaskComment,
  toText,
  type Upstream,
} from "../../provider-kit/index.ts";
import type { ShortcutFieldValue } from "./custom-fields.ts";

// Only the fields that are read.
export interface ShortcutStory {
  id: number;
  name: string;
  description?: string | null;
  app_url: string;
  workflow_id: number;
  workflow_state_id: number;
  group_id?: string | null;
  owner_ids?: string[];
  labels?: { name: string }[];
  deadline?: string | null;
  parent_story_id?: number | null;
  completed?: boolean;
  created_at: string;
  updated_at?: string | null;
  completed_at?: string | null;
  completed_at_override?: string | null;
  custom_fields?: ShortcutFieldValue[];
}
export interface ShortcutComment {
  id: number;
  text?: string | null;
  deleted?: boolean;
  author_id?: string | null;
  created_at: string;
}
export interface ShortcutTeam {
  id: string;
  name: string;
  description?: string | null;
  app_url?: string | null;
}
export interface ShortcutMember {
  id: string;
  profile: { name?: string | null; mention_name?: string | null };
}
interface ShortcutState {
  id: number;
  name: string;
  type: string;
}
export interface ShortcutWorkflow {
  id: number;
  default_state_id: number;
  states: ShortcutState[];
}

/** What stories and comments only have the ID of. */
export interface Names {
  states: ReadonlyMap<number, ShortcutState>;
  people: ReadonlyMap<string, string | null>;
}
export type People = Pick<Names, "people">;

/** A story with the names that it needs. */
export interface NamedStory extends Names {
  story: ShortcutStory;
}

export const nameOf = ({ profile }: ShortcutMember) => orNull(profile.name, profile.mention_name);

export const readWorkflows = async (upstream: Upstream): Promise<ShortcutWorkflow[]> =>
  (await upstream<ShortcutWorkflow[]>(get("/workflows"))).body;

export const statesOf = (workflows: readonly ShortcutWorkflow[]): Names["states"] =>
  new Map(workflows.flatMap(({ states }) => states).map((state) => [state.id, state]));

export async function readPeople(upstream: Upstream): Promise<Names["people"]> {
  const { body } = await upstream<ShortcutMember[]>(get("/members"));
  return new Map(body.map((member) => [member.id, nameOf(member)]));
}

/** https://help.shortcut.com/hc/en-us/articles/205701199-Story-Workflows */
export const STATUS_CATEGORY: Record<string, Task["status_category"]> = {
  backlog: "todo",
  unstarted: "todo",
  started: "in_progress",
  done: "done",
};

/** Mentions are links that only Shortcut's own application opens: `[@ada](shortcutapp://members/…)` */
const MENTION = /\[(@[^\]\n]*)\]\(shortcutapp:\/\/[^)\s]*\)/g;

const textOf = (markdown: string | null | undefined): string | null =>
  toText(markdown && outsideCode(markdown, (part) => part.replace(MENTION, "$1")));

const toPerson = (id: string | null | undefined, { people }: People) =>
  id ? { id, name: people.get(id) ?? null } : null;

export function toTask(story: ShortcutStory, names: Names): Task {
  const state = names.states.get(story.workflow_state_id);
  return {
    id: String(story.id),
    title: story.name,
    description: textOf(story.description),
    status: state?.name ?? "",
    status_category: STATUS_CATEGORY[state?.type ?? ""] ?? (story.completed ? "done" : "todo"),
    project_id: story.group_id ?? null,
    assignee: toPerson(story.owner_ids?.[0], names),
    // A priority is a custom field, which a story only has the ID of.
    priority: null,
    labels: story.labels?.map(({ name }) => name) ?? [],
    due_at: isoTime(story.deadline),
    parent_id: story.parent_story_id ? String(story.parent_story_id) : null,
    url: story.app_url,
    created_at: firstTime(story.created_at),
    updated_at: firstTime(story.updated_at, story.created_at),
    completed_at: isoTime(story.completed_at_override ?? story.completed_at),
  };
}

export const toNamedTask = ({ story, ...names }: NamedStory): Task => toTask(story, names);

export const toComment = (comment: ShortcutComment, names: People): TaskComment => ({
  id: String(comment.id),
  text: textOf(comment.text),
  author: toPerson(comment.author_id, names),
  created_at: isoTime(comment.created_at),
});

export const toProject = ({ id, name, description, app_url }: ShortcutTeam): Project => ({
  id,
  name,
  description: toText(description),
  url: orNull(app_url),
});
