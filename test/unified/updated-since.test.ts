import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { counterCatalogue, updatedAt } from "../support/counter-provider.ts";
import { startService, type TestService } from "../support/service.ts";

const COUNT = 450;
const SINCE = 205;

describe.each([
  ["the engine filters", false],
  ["the provider filters", true],
])("updated_since: %s", (name, filters) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({
      env: { UNIFIED_RATE_LIMIT: "100000/60", LOG_LEVEL: "warn" },
      catalogue: counterCatalogue(COUNT, { filters }),
    });
  });
  afterAll(() => service?.close());

  async function read(query: Record<string, string>) {
    const response = await fetch(`${service.url}/unified/v1/entries/entries?${new URLSearchParams(query)}`, {
      headers: { authorization: `Bearer ${service.apiKey}`, "SVC-Connection-ID": service.connections.counter! },
    });
    return { status: response.status, body: (await response.json()) as any };
  }

  async function walk(first: Record<string, string>, further: Record<string, string>): Promise<number[]> {
    const found: number[] = [];
    let query = first;
    for (;;) {
      const { status, body } = await read(query);
      expect(status).toBe(200);
      const { data, metadata } = body.response;
      found.push(...data.map(({ id }: { id: string }) => Number(id)));
      if (metadata.next === null) return found;
      expect(data).toHaveLength(Number(query.limit));
      query = { ...further, after: metadata.next };
    }
  }

  it(`a time that does not exist, or has no four digits for its year, is refused by name where ${name}`, async () => {
    for (const time of ["2026-12-31T23:59:60Z", "2026-02-30T00:00:00Z", "9999-12-31T23:59:59-12:00"]) {
      const { status, body } = await read({ updated_since: time });
      expect([status, body.errors[0].path]).toEqual([400, ["query", "updated_since"]]);
    }
  });

  const since = updatedAt(SINCE)!;
  const expected = Array.from({ length: COUNT }, (_, index) => index).filter(
    (index) => updatedAt(index) === null || index >= SINCE,
  );

  it(`${name}: exactly the records updated at or after the time are returned, and those without a time`, async () => {
    const query = { updated_since: since, limit: "37" };
    expect(await walk(query, query)).toEqual(expected);
  });

  it(`${name}: the cursor carries the time`, async () => {
    expect(await walk({ updated_since: since, limit: "37" }, { limit: "37" })).toEqual(expected);
  });

  it(`${name}: a time with an offset means the same moment`, async () => {
    const shifted = new Date(Date.parse(since) + 2 * 3_600_000).toISOString().replace("Z", "+02:00");
    const query = { updated_since: shifted, limit: "100" };
    expect(await walk(query, { limit: "100" })).toEqual(expected);
  });

  it(`${name}: another time than the cursor's is refused by name`, async () => {
    const { body } = await read({ updated_since: since, limit: "5" });
    const { next } = body.response.metadata;
    const changed = await read({ updated_since: updatedAt(1)!, after: next });
    expect([changed.status, changed.body.errors[0].path]).toEqual([400, ["query", "updated_since"]]);
  });

  it.each(["yesterday", "2026-01-01", "2026-02-30T00:00:00Z", "1767225600"])(
    `${name}: %s is refused by name`,
    async (updated_since) => {
      const { status, body } = await read({ updated_since });
      expect([status, body.errors[0].path]).toEqual([400, ["query", "updated_since"]]);
    },
  );
});
