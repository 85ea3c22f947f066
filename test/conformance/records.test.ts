// Every record of every list, checked before it is serialized: a failure names the field.
import Type from "typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/categories/index.ts";
import type { BoundOperation } from "../../src/contracts/operation.ts";
import type { ListImplementation, PageContext, Provider } from "../../src/contracts/provider.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import { emulators } from "../../src/providers/sandboxes.gen.ts";
import { startService, type TestService } from "../support/service.ts";
import { createClient } from "./client.ts";
import { watchRecords } from "./record-problems.ts";

const watched = watchRecords(providers, operations);
let service: TestService;
beforeAll(async () => {
  service = await startService({
    env: { UNIFIED_RATE_LIMIT: "1000000/60", LOG_LEVEL: "fatal" },
    catalogue: { providers: watched.providers, emulators },
  });
});
afterAll(() => service?.close());

const cases = providers.flatMap((provider) =>
  provider.categories.flatMap(({ category, operations: own }) =>
    operations
      .filter((operation) => operation.category === category && own[operation.name] && operation.kind === "list")
      .map((operation) => [`${provider.manifest.id} ${operation.id}`, provider, operation] as const),
  ),
);

describe.each(cases)("%s", (title, provider, operation) => {
  it(`${title} makes records in which no field is missing or wrong`, async () => {
    const client = createClient(service, provider);
    const problems = watched.problems.get(title)!;
    // A page that cannot be serialized ends the walk: its problems are known by then.
    await client
      .sampleParams(operation, operations)
      .then((pathParams) => client.walk(operation, pathParams, [100]))
      .catch((error: unknown) => {
        if (problems.size === 0) throw error;
      });
    expect([...problems]).toEqual([]);
  });
});

describe("the check of records", () => {
  const record = Type.Object(
    { id: Type.String(), author: Type.Object({ name: Type.String() }), sent_at: Type.String({ format: "date-time" }) },
    { additionalProperties: false },
  );
  const operation = { id: "toys.listToys", name: "listToys", category: "toys", record } as unknown as BoundOperation;

  function problemsOf(made: unknown): string[] {
    const implementation = { record: () => made } as unknown as ListImplementation;
    const provider = {
      manifest: { id: "toy" },
      categories: [{ category: "toys", operations: { listToys: implementation } }],
    } as unknown as Provider;
    const { problems, providers: wrapped } = watchRecords([provider], [operation]);
    const { record: make } = wrapped[0]!.categories[0]!.operations.listToys as ListImplementation;
    expect(make({}, {} as PageContext)).toBe(made);
    return [...problems.get("toy toys.listToys")!];
  }

  it("names a field that is missing, has a wrong type, or does not belong to the record", () => {
    expect(problemsOf({ id: "1", author: { name: "Ada" }, sent_at: "2024-01-01T00:00:00Z" })).toEqual([]);
    expect(problemsOf({ id: undefined, author: {}, sent_at: "yesterday", extra: 1 }).sort()).toEqual([
      "author.name is required",
      "extra is not a field of this record",
      "id is required",
      'sent_at must match format "date-time"',
    ]);
    expect(problemsOf({ id: null, author: { name: 5 }, sent_at: "2024-01-01T00:00:00Z" }).sort()).toEqual([
      "author.name must be string",
      "id must be string",
    ]);
  });
});
