import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BoundOperation } from "../../src/contracts/operation.ts";
import type { Provider } from "../../src/contracts/provider.ts";
import type { TestService } from "../support/service.ts";
import { createClient } from "./client.ts";

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

/** The operation's sample with one error each, derived from the schema of its body. */
function invalidBodies({ body, sample }: BoundOperation): InvalidBody[] {
  const { properties, required = [] } = body as JsonSchema;
  return Object.entries<JsonSchema>(properties).flatMap(([field, schema]) => {
    const invalid = invalidValues(schema).map(([reason, value]) => ({
      reason: `\`${field}\` ${reason}`,
      field,
      body: { ...sample, [field]: value },
    }));
    const missing = { reason: `\`${field}\` is missing`, field, body: { ...sample, [field]: undefined } };
    return required.includes(field) ? [missing, ...invalid] : invalid;
  });
}

interface InvalidBodiesOptions {
  operations: readonly BoundOperation[];
  providers: readonly Provider[];
  start(env: Record<string, string>): Promise<TestService>;
}

/** Declares the tests of every operation that has a body. A body is refused before it matters whose connection it is for. */
export function describeInvalidBodies({ operations, providers, start }: InvalidBodiesOptions): void {
  let service: TestService;
  beforeAll(async () => {
    service = await start({ UNIFIED_RATE_LIMIT: "1000000/60", LOG_LEVEL: "error" });
  });
  afterAll(() => service?.close());

  describe.each(operations.filter(({ body }) => body).map((operation) => [operation.id, operation] as const))(
    "%s",
    (name, operation) => {
      const provider = providers.find(({ categories }) =>
        categories.some((one) => one.category === operation.category && one.operations[operation.name]),
      )!;

      it.each(invalidBodies(operation))(`${name} refuses a body in which $reason`, async ({ field, body }) => {
        const client = createClient(service, provider);
        const pathParams = Object.fromEntries(operation.parameters.map((parameter) => [parameter.name, "1"]));
        const seen = await client.requests(async () => {
          const answer = await client.call(operation, pathParams, {}, {}, body);
          const [{ code, path }] = answer.body.errors;
          expect([answer.status, code, path]).toEqual([400, 7001, ["body", field]]);
        });
        expect(seen).toEqual([]);
      });
    },
  );
}
