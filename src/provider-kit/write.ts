import { invalidInput } from "../contracts/fault.ts";

/** The error for a value that is not one of the provider's, such as the name of a status. */
export function unknownValue(field: string, value: string, valid: readonly string[]): Error {
  const names = [...new Set(valid)].map((name) => `"${name}"`).join(", ");
  return invalidInput({
    path: ["body", field],
    message: `must be one of ${names || "none: nothing can be chosen here"}, not "${value}"`,
  });
}

const sameName = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase();

/** The one of the provider's values that has this name, in any case; otherwise an error that lists the valid names. */
export function byName<Value>(
  field: string,
  name: string,
  values: readonly Value[],
  nameOf: (value: Value) => string,
): Value {
  const found = values.find((value) => nameOf(value) === name) ?? values.find((value) => sameName(nameOf(value), name));
  if (found === undefined) throw unknownValue(field, name, values.map(nameOf));
  return found;
}

/** Refuses fields that this provider has nothing to write to, instead of ignoring them. */
export function refuseFields(body: object, fields: readonly string[], { name }: { name: string }): void {
  const given = fields.filter((field) => (body as Record<string, unknown>)[field] !== undefined);
  if (given.length > 0)
    throw invalidInput(
      ...given.map((field) => ({ path: ["body", field], message: `is not supported by ${name}: leave it out` })),
    );
}
