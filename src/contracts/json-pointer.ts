/** The names in a JSON Pointer (RFC 6901). */
export const pointerParts = (pointer: string): string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));

export const toPointer = (parts: readonly string[]): string =>
  parts.map((part) => `/${part.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** The value at a JSON Pointer; undefined if there is none. Only a value's own members are found. */
export function valueAt(value: unknown, pointer: string): unknown {
  let found = value;
  for (const name of pointerParts(pointer)) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

/** The smallest value of JSON that has these values at their JSON Pointers. */
export function withValues(values: Record<string, unknown>): object {
  const tree = new Map<string, Record<string, unknown>>();
  for (const [pointer, value] of Object.entries(values)) {
    const [name = "", ...rest] = pointerParts(pointer);
    tree.set(name, { ...tree.get(name), [toPointer(rest)]: value });
  }
  const members = [...tree].map(([name, below]) => [name, "" in below ? below[""] : withValues(below)] as const);
  const isList = members.length > 0 && members.every(([name], index) => name === String(index));
  return isList ? members.map(([, value]) => value) : Object.fromEntries(members);
}
