/**
 * The fields of these records that ever have a value: not null, not an empty list. `author.name` is a field of a field.
 * What `custom` has is for each account to say.
 */
export function filledFields(records: readonly object[]): string[] {
  const filled = new Set<string>();
  const visit = (record: object, prefix: string) => {
    for (const [name, value] of Object.entries(record)) {
      if (value === null || name === "custom" || (Array.isArray(value) && value.length === 0)) continue;
      filled.add(prefix + name);
      if (typeof value !== "object") continue;
      for (const inner of [value].flat()) if (typeof inner === "object") visit(inner, `${prefix}${name}.`);
    }
  };
  for (const record of records) visit(record, "");
  return [...filled].sort();
}
