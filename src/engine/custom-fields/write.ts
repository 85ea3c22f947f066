import type { CustomValue, DescribedField, WrittenField } from "../../contracts/custom-fields.ts";
import { invalidInput, type Problem } from "../../contracts/fault.ts";
import type { UpstreamRequest } from "../../contracts/upstream.ts";
import { likelyName } from "../../runtime/likely-name.ts";
import type { RecordFields } from "./record-fields.ts";
import { valueProblem } from "./values.ts";

/** What a client adds to a write besides the fields of its body. */
export interface WriteAdditions {
  custom: Record<string, unknown>;
  provider: Record<string, unknown>;
}

/** Separates what is added from the fields of the body. */
export function splitBody(body: Record<string, unknown> = {}): { fields: Record<string, unknown> } & WriteAdditions {
  const { custom = {}, provider = {}, ...fields } = body as Record<string, unknown> & Partial<WriteAdditions>;
  return { fields, custom, provider };
}

function problemOf(name: string, value: unknown, { declared, source }: RecordFields, provider: string) {
  const field = declared.find((one) => one.name === name);
  if (!field) {
    const names = declared.map((one) => one.name);
    const likely = likelyName(name, names);
    const known = names.length > 0 ? `: there is ${names.join(", ")}` : ": none is declared for this record";
    return `is not a custom field${likely ? `; did you mean ${likely}?` : known}`;
  }
  if (field.path === null) return `has no path for ${provider}: declare one, or leave it out`;
  if (!source?.write && !source?.writesItself) return `cannot be written at ${provider}: leave it out`;
  return valueProblem(field.type, value);
}

/** Refuses custom fields that cannot be written, all together. */
export function assertWritable(custom: Record<string, unknown>, fields: RecordFields, provider: string): void {
  const problems = Object.entries(custom).flatMap(([name, value]): Problem[] => {
    const message = problemOf(name, value, fields, provider);
    return message === undefined ? [] : [{ path: ["body", "custom", name], message }];
  });
  if (problems.length > 0) throw invalidInput(...problems);
}

export const toWritten = (
  custom: Record<string, unknown>,
  { declared }: RecordFields,
  described: readonly DescribedField[],
): WrittenField[] =>
  Object.entries(custom).map(([name, value]) => {
    const field = declared.find((one) => one.name === name)!;
    const path = field.path!;
    return { ...field, path, value: value as CustomValue, described: described.find((one) => one.path === path) };
  });

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What identifies an entry of a list, such as the value of a custom field. */
const idOf = (entry: unknown): unknown => (isObject(entry) ? (entry.id ?? entry.field_id) : undefined);

/** By ID if every entry has one, and otherwise entry by entry: the list is then as long as the added one. */
function mergeLists(before: unknown[], added: unknown[]): unknown[] {
  if (added.length === 0 || [...before, ...added].some((entry) => idOf(entry) === undefined))
    return added.map((value, index) => (isObject(value) ? mergeValue(before[index], value) : value));
  const merged = new Map(before.map((entry) => [String(idOf(entry)), entry]));
  for (const entry of added) {
    const id = String(idOf(entry));
    merged.set(id, mergeValue(merged.get(id), entry));
  }
  return [...merged.values()];
}

function mergeValue(before: unknown, added: unknown): unknown {
  if (isObject(before) && isObject(added)) return merge(before, added);
  return Array.isArray(before) && Array.isArray(added) ? mergeLists(before, added) : added;
}

/** Objects are merged, also those in lists; everything else is replaced. */
function merge(base: Record<string, unknown>, added: Record<string, unknown>): Record<string, unknown> {
  const names = new Set([...Object.keys(base), ...Object.keys(added)]);
  return Object.fromEntries(
    Array.from(names, (name) => [
      name,
      Object.hasOwn(added, name)
        ? mergeValue(Object.hasOwn(base, name) ? base[name] : undefined, added[name])
        : base[name],
    ]),
  );
}

/** The request with what is added to its body, or to the variables of a GraphQL mutation. Locked values stay. */
export function withAdded(request: UpstreamRequest, additions: readonly object[]): UpstreamRequest {
  if (additions.length === 0) return request;
  const inVariables = request.paramsIn === "variables";
  const before = ((inVariables ? request.body?.variables : request.body) ?? {}) as Record<string, unknown>;
  const after = additions.reduce<Record<string, unknown>>((body, added) => merge(body, { ...added }), before);
  const kept = { ...after, ...request.locked };
  return { ...request, body: inVariables ? { ...request.body, variables: kept } : kept };
}
