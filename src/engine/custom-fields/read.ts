import type { CustomFieldType, CustomValues, DeclaredField } from "../../contracts/custom-fields.ts";
import { pointerParts } from "../../contracts/json-pointer.ts";
import type { CustomFieldSource, NamedEntries } from "../../contracts/provider.ts";
import { toCustomValue } from "./values.ts";

/** Finds the value at a JSON Pointer in an item. */
type Find = (item: unknown) => unknown;

const INDEX = /^\d+$/;

/** Only own members are found, so that a pointer reaches nothing but what the provider sent. */
function member(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  if (Array.isArray(value) && !INDEX.test(name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

const memberAt = (value: unknown, parts: readonly string[]): unknown => {
  let found = value;
  for (const part of parts) {
    if (found === undefined) return undefined;
    found = member(found, part);
  }
  return found;
};

const startsWith = (parts: readonly string[], start: readonly string[]) =>
  parts.length > start.length && start.every((part, index) => parts[index] === part);

function findNamed(parts: readonly string[], depth: number, { key, value }: NamedEntries): Find {
  const [above, name, below] = [parts.slice(0, depth), parts[depth]!, parts.slice(depth + 1)];
  return (item) => {
    const entries = memberAt(item, above);
    if (!Array.isArray(entries)) return undefined;
    const entry = entries.find((one) => String(member(one, key)) === name);
    if (entry === undefined) return undefined;
    return below.length > 0 ? memberAt(entry, below) : value(entry as never);
  };
}

/** The function that finds a pointer's value; entries of named lists are found by their name. */
export function compilePointer(pointer: string, named: CustomFieldSource["named"] = {}): Find {
  const parts = pointerParts(pointer);
  for (const [list, entries] of Object.entries(named)) {
    const start = pointerParts(list);
    if (startsWith(parts, start)) return findNamed(parts, start.length, entries);
  }
  return (item) => memberAt(item, parts);
}

export type ReadCustom = (item: unknown) => CustomValues;

const NONE: CustomValues = Object.freeze({});
const readNone: ReadCustom = () => NONE;

/** The function that reads `custom` from a provider's item. */
export function createReader(fields: readonly DeclaredField[], source: CustomFieldSource | undefined): ReadCustom {
  if (fields.length === 0) return readNone;
  const compiled = fields.map(({ name, type, path }) => ({
    name,
    type,
    find: path === null ? undefined : compilePointer(path, source?.named),
  }));
  const convert = source?.convert;
  const readValue = (type: CustomFieldType, found: unknown) =>
    toCustomValue(type, convert && found !== undefined ? convert(found, type) : found);
  return (item) => {
    const custom: CustomValues = {};
    for (const { name, type, find } of compiled) custom[name] = find ? readValue(type, find(item)) : null;
    return custom;
  };
}
