import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeDatabases } from "../../../test/support/databases.ts";
import { newConnection } from "../../../test/support/entities.ts";
import { type Job, JobLost } from "../../contracts/events.ts";
import type { Store } from "../../contracts/store.ts";
import type { ListWalk, NewSubscription, Subscription } from "../../contracts/subscriptions.ts";
import { newId } from "../../runtime/ids.ts";

const walk: ListWalk = {
  kind: "full",
  started_at: "2026-01-01T00:00:00.000Z",
  since: null,
  mark: null,
  cursor: "next",
  isRead: false,
  round: 1,
  pages: 1,
  calls: 1,
  records: 1,
  created: 0,
  updated: 0,
  deleted: 0,
  newest: null,
};

await describeDatabases("subscriptions", (database) => {
  let store: Store;
  let workspace_id: string;
  beforeAll(async () => {
    store = await database.open();
    workspace_id = newId("ws");
    await store.workspaces.create({ id: workspace_id, name: "Acme", client_id: randomUUID(), redirect_uris: [] });
  });
  afterAll(() => store.close());

  const connect = async () => (await store.connections.create(newConnection({ workspace_id }))).id;
  const subscribe = async (change: Partial<NewSubscription> = {}) =>
    store.subscriptions.create({
      id: newId("sub"),
      workspace_id,
      connection_id: change.connection_id ?? (await connect()),
      operation: "tasks.listTasks",
      parameters: { project_id: "p1" },
      interval_seconds: 60,
      full_walk_seconds: 3600,
      include_existing: false,
      ...change,
    });
  /** The job of a subscription; every other one that is due is left as claimed. */
  const claim = async (id: string): Promise<Job | undefined> =>
    (await store.jobs.claim("subscription", randomUUID(), 1000, 60_000)).find((job) => job.id === id);
  const trackedIds = async (id: string) => (await store.tracking.page(id, "", 1000)).map((record) => record.id);

  if (database.name === "Postgres")
    describe("changes at the same time", () => {
      let other: pg.Client;
      beforeAll(async () => {
        other = new pg.Client({ connectionString: database.url });
        await other.connect();
      });
      afterAll(() => other.end());

      /** Makes a change while another connection, which then does its work, has locked the job. */
      async function changeDuring<Changed>(id: string, change: () => Promise<Changed>, work: string): Promise<Changed> {
        const waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%jobs%'";
        await other.query("begin");
        await other.query("select 1 from jobs where id = $1 for update", [id]);
        const changed = change();
        // Not by the connection itself: a transaction sees the activity as it was at first.
        await expect.poll(() => database.run(waiting)).not.toEqual([]);
        await other.query(work, [id]);
        await other.query("commit");
        return changed;
      }

      it.each<[string, (one: Subscription) => Promise<unknown>]>([
        ["a change", ({ id }) => store.subscriptions.update(workspace_id, id, { interval_seconds: 120 })],
        ["a pause", ({ id }) => store.subscriptions.pause(workspace_id, id)],
        ["a deletion", ({ id }) => store.subscriptions.delete(workspace_id, id)],
        ["a deletion of the connection", ({ connection_id }) => store.connections.delete(workspace_id, connection_id)],
      ])("%s waits for a run that ends, and neither waits for the other forever", async (_, change) => {
        const subscription = await subscribe();
        // What a run does at its end, in its order.
        const work = "update subscriptions set reason = null where id = $1";
        expect(await changeDuring(subscription.id, () => change(subscription), work)).toBeTruthy();
      });

      it("the job of a subscription that is deleted while it is paused is due", async () => {
        const { id } = await subscribe();
        const pause = () => store.subscriptions.pause(workspace_id, id);
        expect(await changeDuring(id, pause, "delete from subscriptions where id = $1")).toBeUndefined();
        expect(await claim(id)).toMatchObject({ id });
      });
    });

  it("a subscription is stored with a job that is due immediately, and listed by connection and workspace", async () => {
    const subscription = await subscribe();
    expect(subscription).toMatchObject({
      parameters: { project_id: "p1" },
      status: "active",
      last_run: null,
      include_existing: false,
      progress: { clearing: false, full_walk_at: null },
    });
    expect(Date.parse(subscription.next_run!)).toBeLessThanOrEqual(Date.now() + 60_000);
    const { id, connection_id } = subscription;
    expect(await store.subscriptions.get(workspace_id, id)).toEqual(subscription);
    expect(await store.tracking.load(id)).toEqual(subscription);
    expect(
      await store.subscriptions.list(workspace_id, { offset: 0, limit: 10 }, { connection_ids: [connection_id] }),
    ).toEqual([subscription]);
    expect(await store.subscriptions.get("ws_other", id)).toBeUndefined();
    expect(await store.subscriptions.list("ws_other", { offset: 0, limit: 10 }, {})).toEqual([]);
    expect(await store.subscriptions.delete("ws_other", id)).toBe(false);
    expect(await store.subscriptions.pause("ws_other", id)).toBeUndefined();
    expect(await store.subscriptions.update("ws_other", id, { parameters: {} })).toBeUndefined();
    expect(await claim(id)).toMatchObject({ id });
  });

  it("a change of a run is written as a whole, or not at all if the job was lost", async () => {
    const { id } = await subscribe();
    const job = (await claim(id))!;
    const events = [{ workspace_id, type: "tasks.task.created", connection_id: null, data: { id } }];
    const publishAll = async () => {
      while ((await store.events.publish(100)) > 0);
    };
    // What the connection told.
    await publishAll();
    const start = await store.events.newest(workspace_id);
    const change = {
      tracked: [
        { id: "a", hash: "1" },
        { id: "b", hash: "1" },
      ],
      events,
      checkpoint: { number: 1, walk, seen: Buffer.from("12345678") },
      subscription: { status: "failing" as const, reason: "because", failing_since: "2026-01-01T00:00:00.000Z" },
    };
    await store.tracking.commit(job, change);
    await expect(store.tracking.commit({ ...job, owner: "other" }, change)).rejects.toThrow(JobLost);
    await publishAll();
    const page = await store.events.list(workspace_id, { after: start, limit: 10 }, { types: [events[0]!.type] });
    expect(page.events.map(({ data }) => data)).toEqual([{ id }]);
    expect(await store.tracking.checkpoints(id, 0, 10)).toEqual([change.checkpoint]);
    expect(await store.tracking.checkpoints(id, 1, 10)).toEqual([]);
    expect(await store.tracking.load(id)).toMatchObject(change.subscription);
    expect(await store.tracking.count(id)).toBe(2);

    await store.tracking.commit(job, { missed: { walk: 3, ids: ["a", "b"] } });
    await store.tracking.commit(job, { missed: { walk: 4, ids: ["a"] }, tracked: [{ id: "b", hash: "2" }] });
    expect(await store.tracking.find(id, ["a", "b", "c"])).toEqual([
      { id: "a", hash: "1", missed_since: 3 },
      { id: "b", hash: "2", missed_since: 0 },
    ]);
    await store.tracking.commit(job, { untracked: ["a"], endsWalk: true });
    expect(await trackedIds(id)).toEqual(["b"]);
    expect(await store.tracking.checkpoints(id, 0, 10)).toEqual([]);
  });

  it("a subscription with other parameters starts over, and takes the job from a run in progress", async () => {
    const { id } = await subscribe();
    const job = (await claim(id))!;
    const progress = { ...(await store.tracking.load(id))!.progress, full_walk_at: "2026-01-01T00:00:00.000Z" };
    await store.tracking.commit(job, { subscription: { progress } });
    expect(await store.subscriptions.update(workspace_id, id, { interval_seconds: 120 })).toMatchObject({
      interval_seconds: 120,
      progress,
    });
    await store.tracking.commit(job, {});
    expect(await store.subscriptions.update(workspace_id, id, { parameters: {} })).toMatchObject({
      parameters: {},
      interval_seconds: 120,
      progress: { clearing: true, full_walk_at: null },
    });
    await expect(store.tracking.commit(job, {})).rejects.toThrow(JobLost);
    expect(await claim(id)).toMatchObject({ id });
  });

  it("a subscription is not due while it is paused, and due immediately when it is resumed", async () => {
    const { id } = await subscribe();
    const job = (await claim(id))!;
    expect(await store.subscriptions.pause(workspace_id, id)).toMatchObject({ status: "paused", next_run: null });
    await expect(store.tracking.commit(job, {})).rejects.toThrow(JobLost);
    expect(await claim(id)).toBeUndefined();
    const resumed = await store.subscriptions.resume(workspace_id, id);
    expect(resumed).toMatchObject({ status: "active", next_run: expect.any(String) });
    expect(await claim(id)).toMatchObject({ id });
  });

  it("a deleted subscription leaves its job behind, which deletes what it tracked in parts", async () => {
    const { id, connection_id } = await subscribe();
    const other = await subscribe({ connection_id });
    const jobs = await store.jobs.claim("subscription", "me", 1000, 60_000);
    const track = (job: Job) =>
      store.tracking.commit(job, {
        tracked: Array.from({ length: 25 }, (_, index) => ({ id: `${index}`, hash: "" })),
        checkpoint: { number: 1, walk, seen: Buffer.alloc(0) },
      });
    for (const job of jobs.filter((job) => job.id === id || job.id === other.id)) await track(job);
    expect(await store.subscriptions.delete(workspace_id, id)).toBe(true);
    expect(await store.subscriptions.delete(workspace_id, id)).toBe(false);
    const job = (await claim(id))!;
    expect(await store.tracking.load(id)).toBeUndefined();
    expect(await store.tracking.clear(job, 20)).toBe(20);
    expect(await store.tracking.clear(job, 20)).toBe(5);
    expect(await store.tracking.clear(job, 20)).toBe(0);
    expect(await store.tracking.count(other.id)).toBe(25);
    expect(await store.tracking.checkpoints(other.id, 0, 10)).toHaveLength(1);
  });

  it("a subscription, also one that is paused, is deleted together with its connection, and its job is due", async () => {
    const { id, connection_id } = await subscribe();
    await store.subscriptions.pause(workspace_id, id);
    expect(await store.connections.delete("ws_other", connection_id)).toBeUndefined();
    expect(await claim(id)).toBeUndefined();
    await store.connections.delete(workspace_id, connection_id);
    expect(await store.subscriptions.get(workspace_id, id)).toBeUndefined();
    expect(await claim(id)).toMatchObject({ id });
  });

  it("subscriptions are counted by status", async () => {
    const before = await store.subscriptions.statuses();
    await subscribe();
    const { id } = await subscribe();
    await store.subscriptions.pause(workspace_id, id);
    const { active = 0, paused = 0 } = before;
    expect(await store.subscriptions.statuses()).toMatchObject({ active: active + 1, paused: paused + 1 });
  });
});
