import type { BoundOperation } from "../../src/contracts/operation.ts";

type JsonSchema = Record<string, any>;

interface InvalidBody {
  /** "`text` is too short" */
  reason: string;
  field: string;
  body: object;
}

/** Values of another type that a lenient reader would convert. */
const convertible: Record<string, unknown> = { string: 5, integer: "5", number: "5", boolean: "true", array: "5" };

/** Values that each break one rule of a schema. */
function invalidValues(schema: JsonSchema): [reason: string, value: unknown][] {
  const values: [string, unknown][] = [
    ["has a wrong type", schema.type === "object" ? "not an object" : { not: "of this type" }],
  ];
  if (schema.type in convertible) values.push(["has a type that would have to be converted", convertible[schema.type]]);
  if (schema.enum) values.push(["is not one of the allowed values", "none-of-the-allowed-values"]);
  if (schema.minLength > 0) values.push(["is too short", "x".repeat(schema.minLength - 1)]);
  if (schema.maxLength !== undefined) values.push(["is too long", "x".repeat(schema.maxLength + 1)]);
  if (schema.minimum !== undefined) values.push(["is too small", schema.minimum - 1]);
  if (schema.maximum !== undefined) values.push(["is too large", schema.maximum + 1]);
  return values;
}

/** The operation's sample with one error each, derived from the schema of its body and what the provider `requires`. */
export function invalidBodies({ body, sample }: BoundOperation, requires: readonly string[]): InvalidBody[] {
  const { properties, required = [] } = body as JsonSchema;
  return Object.entries<JsonSchema>(properties).flatMap(([field, schema]) => {
    const invalid = invalidValues(schema).map(([reason, value]) => ({
      reason: `\`${field}\` ${reason}`,
      field,
      body: { ...sample, [field]: value },
    }));
    const missing = { reason: `\`${field}\` is missing`, field, body: { ...sample, [field]: undefined } };
    return [...required, ...requires].includes(field) ? [missing, ...invalid] : invalid;
  });
}
