// The filters of lists: what a value looks like, and which records it leaves.
import Type from "typebox";
import { OneOf } from "./schema.ts";

export const updatedSince = {
  schema: Type.String({
    format: "date-time",
    description:
      "Only records that were updated at or after this time (ISO 8601). Records whose time of update the provider does not report are included",
  }),
  /** Both are in UTC with milliseconds. A record whose time of update is not known may have been updated. */
  matches: ({ updated_at }: { updated_at?: string | null }, time: string) => !updated_at || updated_at >= time,
};

export const statusCategory = <const Values extends readonly string[]>(values: Values) => ({
  schema: OneOf(values, "Only those whose `status_category` is this"),
  matches: ({ status_category }: { status_category: string }, value: string) => status_category === value,
});

export const state = <const Values extends readonly string[]>(values: Values) => ({
  schema: OneOf(values, "Only those in this state"),
  matches: (record: { state: string }, value: string) => record.state === value,
});

export const assigneeId = {
  schema: Type.String({
    minLength: 1,
    description: "Only those whose `assignee.id` is this, or `me`: the user whose connection it is",
  }),
  isId: true as const,
  acceptsMe: true as const,
  matches: ({ assignee }: { assignee: { id: string | null } | null }, value: string) => assignee?.id === value,
};

const isSameAddress = (address: string | null | undefined, other: string) =>
  address?.toLowerCase() === other.toLowerCase();

export const requester = {
  schema: Type.String({ format: "email", description: "Only those whose requester has this email address" }),
  matches: (record: { requester: { email: string | null } | null }, value: string) =>
    isSameAddress(record.requester?.email, value),
};

export const email = {
  schema: Type.String({ format: "email", description: "Only those with this email address" }),
  matches: (record: { email: string | null }, value: string) => isSameAddress(record.email, value),
};

/** A task may be in several projects, and its record has the first: only the provider knows all. */
export const projectId = {
  schema: Type.String({ minLength: 1, description: "Only tasks of this project: an `id` from the list of projects" }),
  isId: true as const,
};

/** What matches a text, and how well, is for the provider to say. */
export const fullText = {
  schema: Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: "[\\p{L}\\p{N}]",
    description: "Only what the provider's own search finds by this text. Refused if the provider has no search",
  }),
};
