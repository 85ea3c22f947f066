import type { Upstream } from "../../contracts/upstream.ts";
import { orNull } from "../../provider-kit/contact.ts";
import { get } from "../../provider-kit/request.ts";

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
}
export interface ShortcutComment {
  id: number;
  text?: string | null;
  deleted?: boolean;
  author_id?: string | null;
  created_at: string;
}
export interface ShortcutMember {
  id: string;
  profile: { name?: string | null; mention_name?: string | null };
}
export interface ShortcutState {
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

export const nameOf = ({ profile }: ShortcutMember) => orNull(profile.name) ?? orNull(profile.mention_name);

export const readWorkflows = async (upstream: Upstream): Promise<ShortcutWorkflow[]> =>
  (await upstream<ShortcutWorkflow[]>(get("/workflows"))).body;

export const statesOf = (workflows: readonly ShortcutWorkflow[]): Names["states"] =>
  new Map(workflows.flatMap(({ states }) => states).map((state) => [state.id, state]));

export async function readPeople(upstream: Upstream): Promise<Names["people"]> {
  const { body } = await upstream<ShortcutMember[]>(get("/members"));
  return new Map(body.map((member) => [member.id, nameOf(member)]));
}
