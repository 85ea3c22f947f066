// Every record of every list, checked before it is serialized: a failure names the field.
import Type from "typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/categories/index.ts";
import type { BoundOperation } from "../../src/contracts/operation.ts";
import type { ListImplementation, PageContext, Provider } from "../../src/contracts/provider.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import { loadEmulators } from "../../src/providers/sandboxes.gen.ts";
import { startService, type TestService } from "../support/service.ts";
import { watchRecords } from "./record-problems.ts";

const watched = watchRecords(providers, operations);
let service: TestService;
beforeAll(async () => {
  service = await startService({
    env: { UNIFIED_RATE_LIMIT: "1000000/60", LOG_LEVEL: "fatal" },
    catalogue: { providers: watched.providers, loadEmulators },
  });
});
afterAll(() => service?.close());

async function get(provider: string, path: string): Promise<any> {
  const response = await fetch(`${service.url}/unified${path}`, {
    headers: { authorization: `Bearer ${service.apiKey}`, "SVC-Connection-ID": service.connections[provider]! },
  });
  const { response: page } = (await response.json()) as any;
  return page;
}

/** The operation's path, with the values of the first record that has them. */
async function samplePath(provider: string, { category, route, parameters }: BoundOperation): Promise<string> {
  let path = route;
  for (const { name, source } of parameters) {
    const list = operations.find(({ id }) => id === `${category}.${source.operation}`)!;
    const page = await get(provider, `${list.route}?limit=1`);
    path = path.replace(`:${name}`, encodeURIComponent(page?.data[0][source.field]));
  }
  return path;
}

const cases = providers.flatMap(({ manifest, categories }) =>
  categories.flatMap(({ category, operations: own }) =>
    operations
      .filter((operation) => operation.category === category && own[operation.name] && operation.kind === "list")
      .map((operation) => [`${manifest.id} ${operation.name}`, manifest.id, operation] as const),
  ),
);

describe.each(cases)("%s", (title, provider, operation) => {
  it(`${title} makes records in which no field is missing or wrong`, async () => {
    const path = await samplePath(provider, operation);
    const problems = watched.problems.get(`${provider} ${operation.id}`)!;
    let after: string | null | undefined = "";
    // Past a page that cannot be serialized there is no cursor: its problems are known by then.
    do {
      const page: any = await get(provider, `${path}?limit=100&after=${after}`);
      after = page?.metadata.next;
    } while (after);
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
