import { isDeepStrictEqual } from "node:util";
import type { Problem } from "../../contracts/fault.ts";
import type { Fields, Kind } from "./kinds.ts";
import { type PlatformApi, Refusal } from "./platform.ts";
import type { Entry } from "./read-file.ts";
import { type FieldChange, fieldsOf, Hidden, type Ids, type Step } from "./steps.ts";

const SECRET = new Hidden("(secret)");
const ANOTHER = new Hidden("(another value)");

/** How the plan shows what the file says: a reference instead of the value that it stands for. */
function shown({ entry, references }: Entry, field: string): unknown {
  const reference = references.get(field);
  return reference === undefined ? (entry[field] ?? null) : new Hidden(reference);
}

export function createOf(entry: Entry, ids: Ids): Step {
  const body = fieldsOf(entry, ids);
  const fields = Object.keys(body).map((name) => ({ name, to: shown(entry, name) }));
  return { action: "create", kind: entry.kind, name: entry.name, body, fields, entry };
}

interface Context {
  ids: Ids;
  api: PlatformApi;
  report(problem: Problem): void;
}

/** The change of an existing one; undefined if it is as the file says. */
export async function changeOf(
  entry: Entry,
  existing: Fields,
  { ids, api, report }: Context,
): Promise<Step | undefined> {
  const { kind, name } = entry;
  const id = String(existing.id);
  const removed = kind.isWhole ? Object.fromEntries(Object.keys(existing).map((field) => [field, null])) : {};
  const wanted = { ...removed, ...fieldsOf(entry, ids) };
  const fields: FieldChange[] = [];
  for (const [field, value] of Object.entries(wanted)) {
    const isSame = kind.secrets?.includes(field)
      ? await isSameSecret({ path: `${kind.path}/${id}`, field, value }, existing, api)
      : isDeepStrictEqual(value, existing[field] ?? null);
    if (isSame) continue;
    if (kind.fixed?.includes(field)) {
      const message = `Cannot be changed: this one has ${JSON.stringify(existing[field])}`;
      report({ path: [...entry.path, field], message });
    } else fields.push({ name: field, from: before(entry, field, existing, ids), to: shown(entry, field) });
  }
  if (fields.length === 0) return undefined;
  const body = Object.fromEntries(fields.map((field) => [field.name, wanted[field.name]]));
  return { action: "change", kind, name, id, body, fields, entry };
}

/** How the plan shows what the workspace has. */
function before({ kind, references }: Entry, field: string, existing: Fields, ids: Ids): unknown {
  if (kind.secrets?.includes(field)) return hasSecret(existing, field) ? SECRET : null;
  if (references.has(field)) return ANOTHER;
  return kind.pointer?.field === field ? targetName(kind.pointer, existing[field], ids) : (existing[field] ?? null);
}

/** The name of what a pointer leads to, as in the file. */
const targetName = ({ to }: NonNullable<Kind["pointer"]>, value: unknown, ids: Ids): unknown =>
  value === null ? null : ([...ids[to]].find(([, id]) => id === value)?.[0] ?? value);

const hasSecret = (existing: Fields, field: string) => existing[`has_${field}`] === true;

/** Secrets cannot be read. A dry run that leaves `updated_at` as it is proves that the stored one is the same. */
async function isSameSecret(
  { path, field, value }: { path: string; field: string; value: unknown },
  existing: Fields,
  api: PlatformApi,
): Promise<boolean> {
  if (value === null || !hasSecret(existing, field)) return hasSecret(existing, field) === (value !== null);
  try {
    return (await api.dryRun("PATCH", path, { [field]: value })).updated_at === existing.updated_at;
  } catch (error) {
    // The dry run of the whole change says why.
    if (error instanceof Refusal) return false;
    throw error;
  }
}
