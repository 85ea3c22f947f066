import type { CustomFieldType, DescribedField } from "../../contracts/custom-fields.ts";
import { pointerParts, toPointer } from "../../contracts/json-pointer.ts";
import type { CustomFieldSource } from "../../contracts/provider.ts";
import { createReader } from "./read.ts";
import { toCustomValue, typeOf } from "./values.ts";

/** A field that records of a connection can have as a custom field. */
export interface OfferedField {
  path: string;
  label: string;
  type: CustomFieldType;
  /** Whether the account's own people have made it. */
  custom: boolean;
  /** A value of one of its records; null if none was found. */
  example: unknown;
}

const MAX_FIELDS = 500;
const MAX_DEPTH = 5;
const MAX_EXAMPLE_LENGTH = 200;

const shorten = (value: unknown) =>
  typeof value === "string" && value.length > MAX_EXAMPLE_LENGTH ? `${value.slice(0, MAX_EXAMPLE_LENGTH)}…` : value;

/** Every place in an item that has a value of a type. */
function* places(
  value: unknown,
  parts: readonly string[],
  named: CustomFieldSource["named"] = {},
): Generator<{ path: string; value: unknown }> {
  const entries = Array.isArray(value) ? named[toPointer(parts)] : undefined;
  if (entries) {
    for (const entry of value as Record<string, unknown>[])
      yield* places(entries.value(entry as never), [...parts, String(entry[entries.key])]);
    return;
  }
  if (typeOf(value) !== null) yield { path: toPointer(parts), value };
  else if (typeof value === "object" && value !== null && !Array.isArray(value) && parts.length < MAX_DEPTH)
    for (const [name, inner] of Object.entries(value)) yield* places(inner, [...parts, name], named);
}

const isBelow = (path: string, others: Iterable<string>) => {
  for (const other of others) if (path.startsWith(`${other}/`)) return true;
  return false;
};

/** What the provider describes and what is found in some of the account's items, the account's own fields first. */
export function offeredFields(
  described: readonly DescribedField[],
  items: readonly unknown[],
  source: CustomFieldSource | undefined,
): OfferedField[] {
  const fields = new Map<string, OfferedField>();
  for (const { path, label, type, custom } of described) {
    if (type === null) continue;
    const read = createReader([{ name: "value", type, path }], source);
    const example = items.map((item) => read(item).value).find((value) => value !== null) ?? null;
    fields.set(path, { path, label, type, custom, example: shorten(example) });
  }
  const paths = new Set(described.map(({ path }) => path));
  for (const item of items)
    for (const { path, value } of places(item, [], source?.named)) {
      if (fields.has(path) || paths.has(path) || isBelow(path, paths)) continue;
      const type = typeOf(value)!;
      const label = pointerParts(path).join(" ");
      fields.set(path, { path, label, type, custom: false, example: shorten(toCustomValue(type, value)) });
    }
  return [...fields.values()].sort((one, other) => Number(other.custom) - Number(one.custom)).slice(0, MAX_FIELDS);
}
