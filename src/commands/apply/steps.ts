import type { Fields, Kind, Section } from "./kinds.ts";
import type { Entry } from "./read-file.ts";

/** A value that is never shown: a secret, or one that is not in the file itself. */
export class Hidden {
  /** What is shown instead. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export interface FieldChange {
  name: string;
  from?: unknown;
  to?: unknown;
}

export interface Step {
  action: "create" | "change" | "delete";
  kind: Kind;
  name: string;
  id?: string;
  /** What is sent. A pointer may have the name of something that an earlier step creates. */
  body: Fields;
  fields: FieldChange[];
  /** Undefined of what only the workspace has. */
  entry?: Entry;
  isDone?: boolean;
}

/** What pointers can lead to. */
export type Target = "integrations" | "tool_packs";

/** The ids of what has a name in the file or in the workspace. Undefined if it has yet to be created. */
export type Ids = Record<Target, Map<string, string | undefined>>;

export interface Plan {
  steps: Step[];
  unchanged: number;
  /** What only the workspace has. */
  others: { kind: Kind; name: string }[];
  ids: Ids;
}

export const isTarget = (section: Section): section is Target => section === "integrations" || section === "tool_packs";

/** With the id instead of the name of what a pointer leads to, if it exists. */
export function withTargetId({ pointer }: Kind, fields: Fields, ids: Ids): Fields {
  const target = pointer && fields[pointer.field];
  const id = pointer && typeof target === "string" ? ids[pointer.to].get(target) : undefined;
  return id === undefined ? fields : { ...fields, [pointer!.field]: id };
}

/** The fields of an entry as they are sent. */
export function fieldsOf({ kind, entry }: Entry, ids: Ids): Fields {
  const { id: _, ...withoutId } = entry;
  return withTargetId(kind, kind.byId ? withoutId : entry, ids);
}
