// Checks records before they are serialized: a missing field would otherwise only show as an internal error, and a null
// in a required text as an empty one.
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

/**
 * The same providers, which note what is wrong with the records that they make: `problems` has an entry for each field,
 * by provider and operation.
 */
export function watchRecords(providers: readonly Provider[], operations: readonly BoundOperation[]) {
  const problems = new Map<string, Set<string>>();

  function watched(provider: Provider, operation: BoundOperation, implementation: Implementation): Implementation {
    if (!("record" in implementation)) return implementation;
    const found = new Set<string>();
    const validate = ajv.compile(operation.record);
    problems.set(`${provider.manifest.id} ${operation.id}`, found);
    return {
      ...implementation,
      record(item: unknown, context: never) {
        const record = (implementation.record as (item: unknown, context: never) => unknown)(item, context);
        if (!validate(record)) for (const error of validate.errors!) found.add(toText(error));
        return record;
      },
    } as Implementation;
  }

  return {
    problems,
    providers: providers.map(
      (provider): Provider => ({
        ...provider,
        categories: provider.categories.map(({ category, operations: own }) => ({
          category,
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
