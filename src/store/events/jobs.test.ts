import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { describeDatabases } from "../../../test/support/databases.ts";
import type { Store } from "../../contracts/store.ts";

await describeDatabases("jobs", (database) => {
  let store: Store;
  /** The same database, as another process sees it. */
  let other: Store;
  beforeAll(async () => {
    store = await database.open();
    other = await database.open();
  });

  const added = async (dueInMs = 0) => {
    const id = `sub_${randomUUID()}`;
    await store.jobs.add(id, "subscription", dueInMs);
    return id;
  };
  const claim = (on = store, leaseMs = 60_000, limit = 100) =>
    on.jobs.claim("subscription", randomUUID(), limit, leaseMs);
  const clear = () => database.run("delete from jobs returning id");

  it("each due job is claimed once, by whichever process, and jobs that are not due are left", async () => {
    await clear();
    const ids = await Promise.all(Array.from({ length: 50 }, () => added()));
    await added(60_000);
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, index) => claim(index % 2 ? store : other, 60_000, 5)),
    );
    // Who waited for a row that another one claimed gets fewer.
    const rest = await claim();
    expect([...claims.flat(), ...rest].map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(await claim(other)).toEqual([]);
    expect(await store.jobs.claim("webhook", "me", 10, 1000)).toEqual([]);
  });

  it("a job whose lease has expired goes to another owner, and is lost to the first", async () => {
    await clear();
    const id = await added();
    const [first] = await claim(store, 1);
    await expect.poll(() => claim(other)).toMatchObject([{ id }]);
    expect(await store.jobs.renew(first!, 60_000)).toBe(false);
    await store.jobs.finish(first!, 0);
    expect(await claim()).toEqual([]);
  });

  it("a job whose lease is renewed stays with its owner", async () => {
    await clear();
    await added();
    const [job] = await claim(store, 2_000);
    expect(await store.jobs.renew(job!, 60_000)).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    expect(await claim(other)).toEqual([]);
  });

  it("a finished job is due at its time, or immediately if it was woken during the run", async () => {
    await clear();
    const id = await added();
    const [job] = await claim();
    await store.jobs.finish(job!, 60_000);
    expect(await claim()).toEqual([]);
    await other.jobs.wake([id]);
    const [again] = await claim();
    expect(again).toMatchObject({ id, wakes: 1 });
    await other.jobs.wake([id]);
    expect(await claim()).toEqual([]);
    await store.jobs.finish(again!, 60_000);
    expect(await claim()).toMatchObject([{ id, wakes: 2 }]);
  });

  it("the backlog counts the jobs that are due", async () => {
    await clear();
    expect(await store.jobs.backlog("subscription")).toEqual({ due: 0, oldestMs: 0 });
    await Promise.all([added(), added(), added(60_000)]);
    expect(await store.jobs.backlog("subscription")).toMatchObject({ due: 2 });
    expect((await store.jobs.backlog("subscription")).oldestMs).toBeGreaterThanOrEqual(0);
  });

  it("a removed job is not claimed again", async () => {
    await clear();
    const id = await added();
    await store.jobs.remove(id);
    expect(await claim()).toEqual([]);
  });
});
