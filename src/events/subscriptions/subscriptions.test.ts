import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { describeDatabases } from "../../../test/support/databases.ts";
import { createSubscriptionHarness } from "../../../test/support/subscription-harness.ts";

const HOUR = 3_600_000;
const ids = (count: number, prefix = "e") =>
  Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(3, "0")}`);

await describeDatabases("subscriptions", (database) => {
  let harness: Awaited<ReturnType<typeof createSubscriptionHarness>>;
  beforeAll(async () => {
    harness = await createSubscriptionHarness(database.url);
  });
  afterAll(() => harness.close());
  beforeEach(() => {
    harness.clock.now = Date.UTC(2026, 5, 1);
  });
  const at = (seconds: number) => new Date(Date.UTC(2026, 5, 1) + seconds * 1000).toISOString();

  it("a subscription emits nothing in its first walk, and then one event for each change", async () => {
    const { provider, run, events, get } = await harness.subscribe();
    provider.add(...ids(25));
    await run();
    expect(await events()).toEqual([]);
    expect(await get()).toMatchObject({
      status: "active",
      last_run: { kind: "full", pages: 3, records: 25, created: 0 },
    });

    provider.add("new");
    provider.change("e003", { text: "other" });
    provider.remove("e020");
    await run();
    expect(await events()).toEqual(["updated e003", "created new", "deleted e020"]);
    expect((await get()).last_run).toMatchObject({ created: 1, updated: 1, deleted: 1, error: null });
    await run();
    expect(await events()).toHaveLength(3);
  });

  it("a subscription emits created events for existing records if that is asked for", async () => {
    const { provider, run, events } = await harness.subscribe({ include_existing: true });
    provider.add("a", "b");
    await run();
    await run();
    expect(await events()).toEqual(["created a", "created b"]);
  });

  it("a record that is created again under the same id is reported again", async () => {
    const { provider, run, events } = await harness.subscribe();
    provider.add("a", "b");
    await run();
    provider.remove("a");
    await run();
    provider.add("a");
    await run();
    expect(await events()).toEqual(["deleted a", "created a"]);
  });

  it("an event of a subscription has the connection, the user and the normalized record", async () => {
    const { provider, run, id, connection_id } = await harness.subscribe({ include_existing: true });
    provider.connection.record.external_id = "user-1";
    provider.entries.push({ extra: "not in the schema", updated_at: at(0), text: "hello", id: "a" } as never);
    await run();
    while ((await harness.store.events.publish(100)) > 0);
    const { events } = await harness.store.events.list(
      harness.workspace_id,
      { after: 0, limit: 500 },
      { connection_ids: [connection_id] },
    );
    expect(events.at(-1)).toMatchObject({ type: "entries.entry.created", connection_id });
    expect(events.at(-1)!.data).toEqual({
      subscription_id: id,
      connection_id,
      external_id: "user-1",
      record: { id: "a", text: "hello", updated_at: at(0) },
    });
  });

  it("records without an id are skipped, and the log says how many", async () => {
    const { provider, run, events, id, get, warnings } = await harness.subscribe({ include_existing: true });
    provider.add("a", "", "null", "undefined", "b");
    provider.entries.push({ id: null as never, text: "none", updated_at: null });
    await run();
    expect(await events()).toEqual(["created a", "created b"]);
    expect((await get()).last_run).toMatchObject({ records: 2, created: 2 });
    expect(warnings).toEqual([{ subscription_id: id, skipped: 4 }]);
    provider.entries = provider.entries.filter(({ text }) => text !== "none");
    provider.remove("", "null", "undefined");
    await run();
    expect(warnings).toHaveLength(1);
  });

  it("a subscription reads only what was updated, with an overlap, if the provider can filter", async () => {
    const { provider, run, events, get } = await harness.subscribe();
    provider.filters = true;
    provider.add(...ids(30));
    for (const [index, entry] of provider.entries.entries()) entry.updated_at = at(index - 1000);
    await run();
    provider.change("e002", { text: "other", updated_at: at(-10) });
    // The provider's search knows of this update late: its time is before the newest one seen.
    await run();
    provider.change("e003", { text: "late", updated_at: at(-60) });
    await run();
    expect(provider.reads).toEqual([{ offset: 0, since: at(-130) }]);
    expect(await events()).toEqual(["updated e002", "updated e003"]);
    expect((await get()).last_run).toMatchObject({ kind: "incremental", pages: 1, updated: 1 });
  });

  it("a list that was empty is read from the start until it has a time to go on from", async () => {
    const { provider, run, events, get } = await harness.subscribe();
    provider.filters = true;
    await run();
    await run();
    provider.add("a");
    provider.change("a", { updated_at: at(-10) });
    await run();
    expect(await events()).toEqual(["created a"]);
    expect((await get()).last_run).toMatchObject({ kind: "full", error: null });
  });

  it("the overlap is left out once no late update can appear", async () => {
    const { provider, run } = await harness.subscribe();
    provider.filters = true;
    provider.add("a");
    provider.change("a", { updated_at: at(-10) });
    await run();
    harness.clock.now += 60_000;
    await run();
    expect(provider.reads).toEqual([{ offset: 0, since: at(-130) }]);
    harness.clock.now += 120_000;
    await run();
    await run();
    expect(provider.reads).toEqual([{ offset: 0, since: at(-10) }]);
  });

  it("a record with a time in the future does not hide later updates", async () => {
    const { provider, run, events } = await harness.subscribe();
    provider.filters = true;
    provider.add("a", "b");
    provider.change("a", { updated_at: "2099-01-01T00:00:00.000Z" });
    for (const seconds of [60, 660, 1260]) {
      await run();
      provider.change("b", { text: `at ${seconds}`, updated_at: at(seconds) });
      harness.clock.now += 600_000;
    }
    await run();
    expect(await events()).toEqual(["updated b", "updated b", "updated b"]);
  });

  it("deletes are found by a full walk when it is due, and not before", async () => {
    const { provider, run, events, get } = await harness.subscribe({ full_walk_seconds: 7200 });
    provider.filters = true;
    provider.add("a", "b");
    for (const entry of provider.entries) entry.updated_at = at(0);
    await run();
    provider.remove("a");
    harness.clock.now += HOUR;
    await run();
    expect(await events()).toEqual([]);
    harness.clock.now += HOUR;
    await run();
    expect(await events()).toEqual(["deleted a"]);
    expect((await get()).last_run).toMatchObject({ kind: "full", deleted: 1 });
  });

  it("a subscription starts over with other parameters", async () => {
    const { provider, run, events, id, get } = await harness.subscribe();
    provider.add(...ids(15));
    await run();
    await harness.store.subscriptions.update(harness.workspace_id, id, { parameters: { project_id: "other" } });
    provider.entries = [];
    provider.add("x", "y");
    await run();
    expect(await events()).toEqual([]);
    expect(await harness.store.tracking.count(id)).toBe(2);
    expect((await get()).progress).toMatchObject({ clearing: false, walk: 2 });
  });

  it("a subscription leaves nothing behind when it or its connection is deleted", async () => {
    const one = await harness.subscribe();
    one.provider.add(...ids(15));
    await one.run();
    await harness.store.connections.delete(harness.workspace_id, one.connection_id);
    await one.run();
    expect(await harness.store.tracking.count(one.id)).toBe(0);
    expect(await database.run(`select id from jobs where id = '${one.id}'`)).toEqual([]);
  });

  it("a run writes nothing for what has not changed, and queries the store once for each page", async () => {
    const { provider, run, id } = await harness.subscribe({}, 100);
    provider.add(...ids(1000));
    await run();
    const before = await database.run(`select * from tracked_records where subscription_id = '${id}'`);
    const statements = harness.store.statements;
    await run();
    // One read per page, and for the run as a whole: reading it, its checkpoints, the count, and writing its end.
    expect(harness.store.statements - statements).toBeLessThanOrEqual(10 + 10);
    expect(await database.run(`select * from tracked_records where subscription_id = '${id}'`)).toEqual(before);
  });
});
