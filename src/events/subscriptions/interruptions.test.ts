import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { describeDatabases } from "../../../test/support/databases.ts";
import {
  answered,
  createSubscriptionHarness,
  MAX_PAGES,
  rateLimited,
} from "../../../test/support/subscription-harness.ts";
import { JobLost } from "../../contracts/events.ts";
import { Fault } from "../../contracts/fault.ts";

const ids = (count: number) => Array.from({ length: count }, (_, index) => `e${String(index).padStart(3, "0")}`);

await describeDatabases("interrupted runs", (database) => {
  let harness: Awaited<ReturnType<typeof createSubscriptionHarness>>;
  beforeAll(async () => {
    harness = await createSubscriptionHarness(database.url);
  });
  afterAll(() => harness.close());
  beforeEach(() => {
    harness.clock.now = Date.UTC(2026, 5, 1);
  });

  /** Throws once, before the page at an offset is read. */
  const failOnce = (offset: number, error: Error) => {
    let isDone = false;
    return (read: number) => {
      if (read !== offset || isDone) return;
      isDone = true;
      throw error;
    };
  };

  it("an interrupted run continues where it stopped, and still finds deletes", async () => {
    const { provider, run, events, get } = await harness.subscribe({}, 10);
    provider.add(...ids(60));
    await run();
    provider.remove("e001", "e055");
    provider.change("e002", { text: "other" });
    provider.beforePage = failOnce(30, answered(502));
    expect(await run()).toBe(5_000);
    expect(await get()).toMatchObject({
      status: "active",
      last_run: { finished_at: null, pages: 3, error: "the provider answered 502" },
    });
    await run();
    expect(provider.reads[0]).toEqual({ offset: 30 });
    expect(await events()).toEqual(["updated e002", "deleted e001", "deleted e055"]);
    expect(await harness.store.tracking.checkpoints((await get()).id, 0, 10)).toEqual([]);
  });

  it("a run continues from its checkpoint in another process if the first one died", async () => {
    const { provider, run, runner, claim, events, id } = await harness.subscribe({}, 10);
    provider.add(...ids(300));
    await run();
    provider.change("e005", { text: "other" });
    provider.change("e295", { text: "other" });
    provider.remove("e100");
    let release = () => {};
    const stuck = new Promise<void>((resolve) => {
      provider.beforePage = (offset) => {
        if (offset !== 250) return;
        resolve();
        return new Promise((go) => {
          release = go;
        });
      };
    });
    // The lease ends while it is stuck, as if its process had died.
    const first = runner()(await claim(1), new AbortController().signal);
    await stuck;
    expect((await harness.store.tracking.checkpoints(id, 0, 10)).map(({ walk }) => walk.pages)).toEqual([20]);
    provider.beforePage = () => {};
    await expect.poll(() => harness.store.jobs.backlog("subscription")).toMatchObject({ due: expect.any(Number) });
    await run();
    expect(provider.reads[0]).toEqual({ offset: 200 });
    // It wakes up when everything is done: nothing that it has read may be told again.
    provider.change("e299", { text: "other" });
    release();
    await expect(first).rejects.toThrow(JobLost);
    expect(await events()).toEqual(["updated e005", "updated e295", "deleted e100"]);
    expect(await harness.store.tracking.count(id)).toBe(299);
    await run();
    expect(await events()).toHaveLength(4);
  });

  it("a run saves its position when the process stops", async () => {
    const { provider, run } = await harness.subscribe({}, 10);
    provider.add(...ids(60));
    const stop = new AbortController();
    provider.beforePage = (offset) => {
      if (offset === 40) stop.abort();
    };
    expect(await run(stop.signal)).toBe(0);
    provider.beforePage = () => {};
    await run();
    expect(provider.reads.map(({ offset }) => offset)).toEqual([40, 50]);
  });

  it("a run that has taken its time lets others have a turn, and is due again immediately where it stopped", async () => {
    const { provider, run, get } = await harness.subscribe({}, 10);
    provider.add(...ids(30));
    const clock = vi.spyOn(performance, "now");
    onTestFinished(() => clock.mockRestore());
    const started = performance.now();
    provider.beforePage = (offset) => void clock.mockReturnValue(started + (offset === 10 ? 60_000 : 0));
    expect(await run()).toBe(0);
    expect(provider.reads).toEqual([{ offset: 0 }, { offset: 10 }]);
    expect((await get()).last_run).toMatchObject({ finished_at: null, pages: 2, error: null });
    provider.beforePage = () => {};
    clock.mockRestore();
    await run();
    expect(provider.reads).toEqual([{ offset: 20 }]);
  });

  it("attempts that read nothing save nothing", async () => {
    const { provider, run, id } = await harness.subscribe({}, 10);
    provider.add(...ids(30));
    const saved = async () => (await harness.store.tracking.checkpoints(id, 0, 10)).map(({ walk: { pages } }) => pages);
    for (const [offset, pages] of [
      [0, []],
      [20, [2]],
    ] as const) {
      provider.beforePage = (read) => {
        if (read === offset) throw answered(502);
      };
      for (let attempt = 0; attempt < 3; attempt++) await run();
      expect(await saved()).toEqual(pages);
    }
  });

  it("a full walk that is due heals a subscription whose time of update the provider refuses", async () => {
    const { provider, run, get } = await harness.subscribe({}, 10);
    provider.filters = true;
    provider.add("a");
    provider.change("a", { updated_at: "2026-05-01T00:00:00.000Z" });
    await run();
    provider.refusesSince = true;
    await run();
    expect(await get()).toMatchObject({ status: "failing", reason: "the provider answered 400" });
    harness.clock.now += 3_600_000;
    await run();
    expect(await get()).toMatchObject({ status: "active", last_run: { kind: "full", error: null } });
  });

  it("a walk starts again if the provider no longer accepts its position", async () => {
    const { provider, run, events, get } = await harness.subscribe({ include_existing: true }, 10);
    provider.add(...ids(30));
    provider.beforePage = failOnce(20, answered(410));
    await run();
    expect((await get()).status).toBe("active");
    await run();
    expect(provider.reads.map(({ offset }) => offset)).toEqual([0, 10, 20]);
    expect(await events()).toHaveLength(30);
  });

  it("each page counts against half of the connection's limit, and then against the whole", async () => {
    const { provider, run } = await harness.subscribe({}, 10);
    provider.add(...ids(20));
    await run();
    expect(provider.counted.map(({ group, points }) => [group, points])).toEqual([
      ["subscriptions", 50],
      ["unified", 100],
      ["subscriptions", 50],
      ["unified", 100],
    ]);
  });

  it("a page that the connection's limit refuses at first is counted once against the limit of subscriptions", async () => {
    const { provider, run } = await harness.subscribe();
    provider.add("a");
    const counted: string[] = [];
    provider.authorize = ({ limit }) => {
      counted.push(limit.group);
      if (counted.length === 2) throw rateLimited(1);
    };
    await run();
    await run();
    await run();
    expect(counted).toEqual(["subscriptions", "unified", "unified", "subscriptions", "unified"]);
  });

  it("a run waits as long as a rate limit says, and then continues", async () => {
    const { provider, run, get, events } = await harness.subscribe({ include_existing: true }, 10);
    provider.add(...ids(40));
    let allowed = 5;
    provider.authorize = () => {
      if (allowed-- <= 0) throw rateLimited(42);
    };
    const dueInMs = await run();
    expect(dueInMs).toBeGreaterThanOrEqual(42_000);
    expect(dueInMs).toBeLessThanOrEqual(43_000);
    expect(await get()).toMatchObject({ status: "active", last_run: { pages: 2, finished_at: null, error: null } });
    allowed = 100;
    provider.beforePage = failOnce(20, answered(429, 7));
    expect(Math.floor((await run()) / 1000)).toBe(7);
    await run();
    expect(provider.reads.map(({ offset }) => offset)).toEqual([20, 30]);
    expect(await events()).toHaveLength(40);
  });

  it("a run that a rate limit ends before its first page leaves no trace", async () => {
    const { provider, run, get, id } = await harness.subscribe();
    provider.authorize = () => {
      throw rateLimited(1);
    };
    await run();
    expect((await get()).last_run).toBeNull();
    expect(await harness.store.tracking.checkpoints(id, 0, 10)).toEqual([]);
  });

  it("a subscription sleeps without a call while its connection is invalid, and wakes when it recovers", async () => {
    const { provider, run, get, connection_id, warnings } = await harness.subscribe();
    const { record } = provider.connection;
    provider.add("a");
    await run();
    Object.assign(record, { is_valid: false, invalid_reason: "revoked by the user" });
    await harness.store.connections.update(connection_id, { is_valid: false, invalid_reason: "revoked by the user" });
    provider.counted = [];
    expect(await run()).toBeLessThanOrEqual(90_000);
    expect(await get()).toMatchObject({ status: "sleeping", reason: "revoked by the user" });
    expect(provider.counted).toEqual([]);
    // While nothing changes, nothing is written.
    const commit = vi.spyOn(harness.store.tracking, "commit");
    onTestFinished(() => commit.mockRestore());
    await run();
    expect(commit).not.toHaveBeenCalled();
    expect(warnings).toEqual([]);
    const asleep = (await get()).next_run!;

    Object.assign(record, { is_valid: true, invalid_reason: null });
    await harness.store.connections.update(connection_id, { is_valid: true, invalid_reason: null });
    expect(Date.parse((await get()).next_run!)).toBeLessThan(Date.parse(asleep));
    await run();
    expect(await get()).toMatchObject({ status: "active", reason: null });
  });

  it("a subscription sleeps if the token can no longer be refreshed", async () => {
    const { provider, run, get } = await harness.subscribe();
    provider.authorize = () => {
      throw new Fault("refresh_failed", "the token can no longer be refreshed: connect again");
    };
    await run();
    expect(await get()).toMatchObject({ status: "sleeping", reason: expect.stringContaining("connect again") });
  });

  it("a subscription counts as failing after five failures in a row, reports that once, and recovers", async () => {
    const { provider, run, get, events } = await harness.subscribe();
    provider.add("a");
    provider.beforePage = () => {
      throw answered(500);
    };
    const waits: number[] = [];
    for (let count = 0; count < 8; count++) {
      harness.clock.now += 1000;
      waits.push(await run());
      const since = count < 4 ? null : new Date(Date.UTC(2026, 5, 1) + 5000).toISOString();
      expect(await get()).toMatchObject({ status: count < 4 ? "active" : "failing", failing_since: since });
    }
    expect(waits).toEqual([5_000, 15_000, 45_000, 135_000, 405_000, 480_000, 480_000, 480_000]);
    expect(await events()).toEqual(["subscription.failed"]);
    expect(await get()).toMatchObject({
      reason: "the provider answered 500",
      last_run: { error: "the provider answered 500" },
    });
    provider.beforePage = () => {};
    await run();
    expect(await get()).toMatchObject({
      status: "active",
      reason: null,
      failing_since: null,
      last_run: { error: null },
    });
  });

  it("a subscription whose long walk makes progress between failures does not count as failing", async () => {
    const { provider, run, get, events } = await harness.subscribe({}, 10);
    provider.add(...ids(100));
    let pages = 0;
    provider.beforePage = () => {
      if (pages++ % 2 === 1) throw answered(502);
    };
    for (let count = 0; count < 8; count++) expect(await run()).toBe(5_000);
    expect(await get()).toMatchObject({ status: "active", last_run: { pages: 8 }, progress: { failures: 1 } });
    expect(await events()).toEqual([]);
  });

  it.each([401, 408])("a subscription does not count as failing after one %i of the provider", async (status) => {
    const { provider, run, get } = await harness.subscribe();
    provider.beforePage = failOnce(0, answered(status));
    expect(await run()).toBe(5_000);
    expect(await get()).toMatchObject({ status: "active", last_run: { error: `the provider answered ${status}` } });
  });

  it.each([
    ["leads back to its own last page", "no end", (offset: number) => (offset === 40 ? 40 : undefined)],
    ["leads back to its second page", "no end", (offset: number) => (offset === 40 ? 10 : undefined)],
    ["has more pages than a walk may read", `more than ${MAX_PAGES} pages`, (offset: number) => offset + 10],
  ])("a subscription fails with a list that %s, and starts it again later", async (_, reason, continueAt) => {
    const { provider, run, get, events } = await harness.subscribe({ include_existing: true }, 10);
    provider.add(...ids(50));
    provider.continueAt = continueAt;
    await run();
    expect(await get()).toMatchObject({ status: "failing", reason: expect.stringContaining(`the list has ${reason}`) });
    // What was read counts, the last page included.
    expect((await events()).toSorted()).toEqual([...ids(50).map((id) => `created ${id}`), "subscription.failed"]);
    expect(await harness.store.tracking.checkpoints((await get()).id, 0, 10)).toEqual([]);

    provider.continueAt = () => undefined;
    await run();
    expect(provider.reads.map(({ offset }) => offset)).toEqual([0, 10, 20, 30, 40]);
    expect((await get()).status).toBe("active");
  });

  it("a subscription counts as failing immediately if the provider refuses the request itself", async () => {
    const { provider, run, get, events, id, connection_id } = await harness.subscribe();
    provider.connection.record.external_id = "user-1";
    provider.beforePage = () => {
      throw answered(404);
    };
    await run();
    expect(await get()).toMatchObject({ status: "failing", reason: "the provider answered 404" });
    await run();
    expect(await events()).toEqual(["subscription.failed"]);
    const filter = { connection_ids: [connection_id], types: ["subscription.failed"] };
    const { events: told } = await harness.store.events.list(harness.workspace_id, { after: 0, limit: 1 }, filter);
    expect(told[0]!.data).toEqual({
      subscription_id: id,
      connection_id,
      external_id: "user-1",
      operation: "entries.listEntries",
      reason: "the provider answered 404",
    });
  });

  it("a run whose connection was deleted meanwhile is due immediately, to remove what is left", async () => {
    const { provider, run } = await harness.subscribe();
    provider.authorize = () => {
      throw new Fault("connection_missing", "no such connection in this workspace");
    };
    expect(await run()).toBe(0);
  });

  it("faults of the database are left to the job runner, which tries again", async () => {
    const { provider, run, get } = await harness.subscribe();
    provider.beforePage = () => {
      throw new Fault("store_unavailable", "The database is unavailable");
    };
    await expect(run()).rejects.toThrow("unavailable");
    expect(await get()).toMatchObject({ status: "active", last_run: null });
  });
});
