// What every list has to do: records, pages, filters, cursors.
import { expect, it } from "vitest";
import { PROBE } from "../support/contract/index.ts";
import { type CheckedOperation, retryAtOnce } from "./checked-operation.ts";
import { carriesProbe } from "./client.ts";

/** Lists that have few records at real providers as well: they need not fill several pages. */
const SHORT_LISTS = new Set([
  "git.listIssueComments",
  "ticketing.listProjects",
  "tasks.listProjects",
  "tasks.listComments",
  "helpdesk.listComments",
  "calendar.listCalendars",
]);

/** Records are taken one at a time where the pages of providers end: after 10, 20, 50 and 100. */
const ANY_LIMITS = [1, 1, 7, 1, 1, 8, 1, 1, 28, 1, 1, 48, 1, 1, 100, 3, 100, 100];
/** For further lists of a provider: pages that end there, and one record behind. */
const FEWER_LIMITS = [1, 9, 1, 9, 1, 29, 1, 49, 1, 99, 100, 100];

export function checkList(checked: CheckedOperation): void {
  const { title, operation, isRepresentative, checksEngine } = checked;

  it(`${title} fills the fields that docs/coverage.md says`, () => checked.expectFilledFields(checked.all));

  it(`${title} makes records in which no field is missing or wrong`, () => {
    expect([...checked.problems]).toEqual([]);
    for (const record of checked.all) checked.expectTimes(record);
  });

  it(`${title} returns each record once`, () => {
    const ids = checked.all.map((record) => record.id ?? record.name ?? record.sha);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(SHORT_LISTS.has(operation.id) ? 2 : 250);
  });

  it(`${title} returns the same records with any limits`, async () => {
    const limits = isRepresentative ? ANY_LIMITS : FEWER_LIMITS;
    expect(await checked.client.walk(operation, checked.pathParams, limits)).toEqual(checked.all);
  });

  if ("updated_since" in operation.query)
    it(`${title} returns exactly the records that were updated since a time`, async () => {
      const known = checked.all.flatMap(({ updated_at }) => updated_at ?? []).sort();
      const updated_since = known[Math.floor(known.length * 0.7)] ?? "2025-01-01T00:00:00.000Z";
      const found = await checked.client.walk(operation, checked.pathParams, [100], { updated_since });
      const byId = (records: any[]) => records.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      expect(byId(found)).toEqual(
        byId(checked.all.filter(({ updated_at }) => !updated_at || updated_at >= updated_since)),
      );
    });

  it(`${title} returns the provider's own response on request`, async () => {
    for (const { query, headers, included } of checked.rawRequests) {
      const { answer, exchanges } = await checked.watch(() => checked.call({ limit: 3, ...query }, headers));
      const { _raw, data } = answer.body.response;
      expect(data).toHaveLength(3);
      if (!included) expect(_raw).toBeUndefined();
      else expect(exchanges.map(({ reply }) => reply.body)).toContainEqual(_raw.pages?.[0] ?? _raw);
    }
  });

  it(`${title} passes \`params\` on to the provider`, async () => {
    const query = { limit: 5, params: JSON.stringify({ [PROBE]: "1" }) };
    expect((await checked.client.exchanges(() => checked.call(query))).some(carriesProbe)).toBe(true);
  });

  if (!checksEngine) return;

  it(`${title} succeeds after one broken connection or body if retries are allowed`, async () => {
    retryAtOnce();
    for (const broken of [{ drop: true }, { truncate: true }]) {
      await checked.client.fault({ ...broken, times: 1 });
      const { body } = await checked.call({ limit: 5 }, { "SVC-Max-Retries": "1" });
      expect(body.response.data).toEqual(checked.all.slice(0, 5));
    }
  });

  it(`${title} refuses a cursor that was changed`, async () => {
    const { next } = (await checked.call({ limit: 1 })).body.response.metadata;
    const change = (at: number) => next.slice(0, at) + (next[at] === "A" ? "B" : "A") + next.slice(at + 1);
    const changed = [change(0), change(next.length - 1), change(next.length >> 1)];
    for (const after of [...changed, `${next}A`, next.slice(1), "x"]) {
      const { status, body } = await checked.call({ after });
      expect([status, body.errors[0].path]).toEqual([400, ["query", "after"]]);
    }
  });
}
