import type { WrittenField } from "../contracts/custom-fields.ts";
import { invalidInput } from "../contracts/fault.ts";
import { pointerParts, toPointer } from "../contracts/json-pointer.ts";

/** The JSON Pointer to a member of an item: `pointerTo("properties", "tier")`. */
export const pointerTo = (...parts: string[]): string => toPointer(parts);

/** The error for a custom field that the provider has no such value for. */
export const customProblem = ({ name }: WrittenField, message: string): Error =>
  invalidInput({ path: ["body", "custom", name], message });

/** The choice of a field that has this name, or this ID; otherwise an error that lists the valid names. */
export function chosen(field: WrittenField, name: string): { id: string; label: string } {
  const { choices = [] } = field.described ?? {};
  const found = choices.find(({ id, label }) => id === name || label === name);
  if (found) return found;
  const names = choices.map(({ label }) => `"${label}"`).join(", ");
  throw customProblem(field, `must be one of ${names || "none: nothing can be chosen here"}, not "${name}"`);
}

/** The name of the member below `above` that a JSON Pointer leads to, or through; undefined if it leads elsewhere. */
function nameBelow(above: readonly string[], pointer: string): string | undefined {
  const parts = pointerParts(pointer);
  return above.every((part, index) => part === parts[index]) ? parts[above.length] : undefined;
}

/** The names of the fields below a member of an item, for requests that have to name them. */
export function fieldNames(select: readonly string[], ...above: string[]): string[] {
  return [...new Set(select.flatMap((pointer) => nameBelow(above, pointer) ?? []))];
}

/**
 * The values to write, by the name of the field below a member of an item. `toValue` makes the provider's own value, and
 * may throw an error that names the field.
 */
export function writeTo(
  fields: readonly WrittenField[],
  above: readonly string[],
  toValue: (field: WrittenField) => unknown = ({ value }) => value,
): Record<string, unknown> {
  return Object.fromEntries(
    fields.map((field) => {
      const name = nameBelow(above, field.path);
      if (name === undefined)
        throw customProblem(
          field,
          `is at ${field.path}, which cannot be written: only fields below ${toPointer(above)} can`,
        );
      return [name, toValue(field)];
    }),
  );
}
