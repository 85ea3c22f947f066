// Checks records before they are serialized: a missing field would otherwise only show as an internal error, and a null
// in a required text as an empty one.
import { serialize } from "node:v8";
import { Ajv, type ErrorObject } from "ajv";
import formats from "ajv-formats";
import type { BoundOperation } from "../../src/contracts/operation.ts";
import type { Implementation, Provider } from "../../src/contracts/provider.ts";

const ajv = new Ajv({ allErrors: true, strict: false });
formats.default(ajv, ["date-time"]);

/** `title is required`, `author.name must be string`. */
function toText({ instancePath, keyword, params, message }: ErrorObject): string {
  const path = instancePath.split("/").slice(1);
  if (keyword === "required") return `${[...path, params.missingProperty].join(".")} is required`;
  if (keyword === "additionalProperties")
    return `${[...path, params.additionalProperty].join(".")} is not a field of this record`;
  return `${path.join(".") || "the record"} ${message}`;
}

interface FieldSchema {
  type?: string | string[];
  properties?: Record<string, FieldSchema>;
  items?: FieldSchema;
}

/** What the schema of a record does not say: how texts are written, that addresses are addresses, the order of the fields. */
function* moreProblems(value: unknown, schema: FieldSchema = {}, path = ""): Generator<string> {
  if (typeof value === "string") {
    if (value.includes("\r")) yield `${path} has line ends with a carriage return`;
    if (value.trim() === "" && schema.type?.includes("null")) yield `${path} is blank instead of null`;
    else if (/\s$/.test(value) && schema.type?.includes("null")) yield `${path} ends with space`;
    if (path.endsWith("email") && !value.includes("@")) yield `${path} is no email address`;
    if (path.endsWith("url") && !/^https?:\/\//.test(value)) yield `${path} is no web address`;
  } else if (Array.isArray(value)) for (const item of value) yield* moreProblems(item, schema.items, path);
  else if (typeof value === "object" && value !== null) {
    const { properties = {} } = schema;
    const known = Object.keys(properties).filter((name) => name in value);
    const misplaced = Object.keys(value)
      .filter((name) => name in properties)
      .find((name, at) => name !== known[at]);
    if (misplaced) yield `${path ? `${path}.${misplaced}` : misplaced} is not in the place that it has in the table`;
    for (const [name, field] of Object.entries(value))
      yield* moreProblems(field, properties[name], path ? `${path}.${name}` : name);
  }
}

/**
 * The same providers, which note what is wrong with the records that they make: `problems` has an entry for each field,
 * by provider and operation.
 */
export function watchRecords(providers: readonly Provider[], operations: readonly BoundOperation[]) {
  const problems = new Map<string, Set<string>>();

  function watched(provider: Provider, operation: BoundOperation, implementation: Implementation): Implementation {
    if (!("record" in implementation)) return implementation;
    const found = new Set<string>();
    /** Most records are made many times, and one that was checked has nothing new. */
    const checked = new Set<string>();
    const validate = ajv.compile(operation.record);
    // The engine adds it.
    const added = "custom" in ((operation.record as FieldSchema).properties ?? {}) ? { custom: {} } : {};
    problems.set(`${provider.manifest.id} ${operation.id}`, found);
    return {
      ...implementation,
      record(item: unknown, context: never) {
        const record = (implementation.record as (item: unknown, context: never) => unknown)(item, context);
        const bytes = serialize(record).toString("latin1");
        if (checked.has(bytes)) return record;
        checked.add(bytes);
        if (!validate({ ...(record as object), ...added }))
          for (const error of validate.errors!) found.add(toText(error));
        for (const problem of moreProblems(record, operation.record as FieldSchema)) found.add(problem);
        return record;
      },
    } as Implementation;
  }

  return {
    problems,
    providers: providers.map(
      (provider): Provider => ({
        ...provider,
        categories: provider.categories.map(({ category, operations: own, customFields }) => ({
          category,
          ...(customFields && { customFields }),
          operations: Object.fromEntries(
            Object.entries(own).map(([name, implementation]) => {
              const operation = operations.find(({ id }) => id === `${category}.${name}`)!;
              return [name, watched(provider, operation, implementation)];
            }),
          ),
        })),
      }),
    ),
  };
}
