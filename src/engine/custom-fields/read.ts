import type { CustomFieldType, CustomValues, DeclaredField } from "../../contracts/custom-fields.ts";
import { pointerParts } from "../../contracts/json-pointer.ts";
import type { CustomFieldSource, NamedEntries } from "../../contracts/provider.ts";
import { conversionTo } from "./values.ts";

/** Finds the value at a JSON Pointer in an item. */
type Find = (item: unknown) => unknown;

type Step = (value: unknown) => unknown;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/**
 * The function that finds a member. Only own members are found, so that a pointer reaches nothing but what the provider
 * sent: what objects or lists inherit is known by its name.
 */
function compileStep(name: string): Step {
  const isInherited = name in Object.prototype || name in Array.prototype;
  if (!isInherited) return (value) => (isObject(value) ? value[name] : undefined);
  return (value) => (isObject(value) && !Array.isArray(value) && Object.hasOwn(value, name) ? value[name] : undefined);
}

function compileSteps(parts: readonly string[]): Step {
  const [first, second, ...rest] = parts.map(compileStep);
  if (!first) return (value) => value;
  if (!second) return first;
  if (rest.length === 0) return (value) => second(first(value));
  const steps = [first, second, ...rest];
  return (value) => {
    let found = value;
    for (const step of steps) found = step(found);
    return found;
  };
}

const startsWith = (parts: readonly string[], start: readonly string[]) =>
  parts.length > start.length && start.every((part, index) => parts[index] === part);

function findNamed(parts: readonly string[], depth: number, { key, value }: NamedEntries): Find {
  const above = compileSteps(parts.slice(0, depth));
  const below = parts.length > depth + 1 ? compileSteps(parts.slice(depth + 1)) : undefined;
  const keyOf = compileStep(key);
  const name = parts[depth]!;
  return (item) => {
    const entries = above(item);
    if (!Array.isArray(entries)) return undefined;
    const entry = entries.find((one) => String(keyOf(one)) === name);
    if (entry === undefined) return undefined;
    return below ? below(entry) : value(entry as never);
  };
}

/** The function that finds a pointer's value; entries of named lists are found by their name. */
export function compilePointer(pointer: string, named: CustomFieldSource["named"] = {}): Find {
  const parts = pointerParts(pointer);
  for (const [list, entries] of Object.entries(named)) {
    const start = pointerParts(list);
    if (startsWith(parts, start)) return findNamed(parts, start.length, entries);
  }
  return compileSteps(parts);
}

export type ReadCustom = (item: unknown) => CustomValues;

const NONE: CustomValues = Object.freeze({});
const readNone: ReadCustom = () => NONE;

function createValueReader(type: CustomFieldType, path: string, source: CustomFieldSource | undefined) {
  const find = compilePointer(path, source?.named);
  const toValue = conversionTo(type);
  const convert = source?.convert;
  if (!convert) return (item: unknown) => toValue(find(item));
  return (item: unknown) => {
    const found = find(item);
    return toValue(found === undefined ? found : convert(found, type));
  };
}

/** The function that reads `custom` from a provider's item. */
export function createReader(fields: readonly DeclaredField[], source: CustomFieldSource | undefined): ReadCustom {
  if (fields.length === 0) return readNone;
  const none: CustomValues = Object.fromEntries(fields.map(({ name }) => [name, null]));
  const compiled = fields.flatMap(({ name, type, path }) =>
    path === null ? [] : [{ name, read: createValueReader(type, path, source) }],
  );
  return (item) => {
    // Copies of one object, so that all have the same form.
    const custom = { ...none };
    for (const { name, read } of compiled) {
      const value = read(item);
      if (value !== null) custom[name] = value;
    }
    return custom;
  };
}
