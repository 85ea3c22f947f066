import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { describeDatabases, testSqlite } from "../../test/support/databases.ts";
import { testRedis } from "../../test/support/redis.ts";
import type { Coordination } from "../contracts/coordination.ts";
import type { Store } from "../contracts/store.ts";
import { createStore } from "../store/index.ts";
import { keysFromText } from "../store/secrets/key-source.ts";
import { createKeyring } from "../store/secrets/vault.ts";
import { createCoordination } from "./index.ts";

const redis = await testRedis();
const { url } = testSqlite();
const prefix = `plugboard-test-${randomUUID()}:`;
const log = { info: vi.fn(), warn: vi.fn() };
const many = <Item>(count: number, make: (n: number) => Item) => Array.from({ length: count }, (_, n) => make(n));

let store: Store;
beforeAll(async () => {
  store = await createStore({ url, keyring: createKeyring(keysFromText(randomBytes(32).toString("base64"))) });
});
afterAll(async () => {
  await store.close();
  await redis?.drop();
});

const kinds = [
  { kind: "in memory", redisUrl: undefined },
  ...(redis ? [{ kind: "on Redis", redisUrl: redis.url }] : []),
];

describe.each(kinds)("coordination $kind", ({ redisUrl }) => {
  let coordination: Coordination;
  beforeAll(async () => {
    coordination = await createCoordination({ redisUrl, prefix, store, log });
  });
  afterAll(() => coordination.close());

  it("a rate limit lets through exactly as many concurrent calls as it allows", async () => {
    const key = randomUUID();
    const answers = await Promise.all(many(300, () => coordination.consume(key, { points: 50, seconds: 60 })));
    expect(answers.map(({ allowed, remaining }) => [allowed, remaining])).toEqual(
      many(300, (number) => [number < 50, Math.max(0, 49 - number)]),
    );
    for (const { resetSeconds } of answers) expect(resetSeconds).toBeOneOf([59, 60]);
  });

  it("a rate limit counts each key separately, and in each group", async () => {
    const limit = { points: 1, seconds: 60 };
    const keys = many(20, () => randomUUID());
    const limits = [limit, { ...limit, group: "one" }, { ...limit, group: "other" }];
    const consumed = keys.flatMap((key) => limits.map((each) => coordination.consume(key, each)));
    expect(await Promise.all(consumed)).toEqual(
      consumed.map(() => ({ allowed: true, remaining: 0, resetSeconds: 60 })),
    );
    expect(await coordination.consume(keys[0]!, limits[1]!)).toMatchObject({ allowed: false });
  });

  it("a rate limit lets calls through again when its window has ended, and never asks to wait for zero seconds", async () => {
    const key = randomUUID();
    const limit = { points: 1, seconds: 1 };
    // On a busy machine the window may end between two calls.
    const nextThat = (isAllowed: boolean) =>
      vi.waitUntil(
        async () => {
          const call = await coordination.consume(key, limit);
          return call.allowed === isAllowed && call;
        },
        { timeout: 60_000, interval: 20 },
      );
    expect(await nextThat(false)).toEqual({ allowed: false, remaining: 0, resetSeconds: 1 });
    expect(await nextThat(true)).toEqual({ allowed: true, remaining: 0, resetSeconds: 1 });
  });

  it("only one of many callers gets a lock, and it can be taken again once released", async () => {
    const key = randomUUID();
    const locks = await Promise.all(many(20, () => coordination.lock(key, 60_000)));
    const [lock, ...rest] = locks.filter(Boolean);
    expect(rest).toEqual([]);
    expect(await coordination.lock(key, 60_000)).toBeUndefined();
    await lock!.release();
    expect(await coordination.lock(key, 60_000)).toBeDefined();
  });

  it("a lock expires, and its former owner cannot release the next owner's lock", async () => {
    const key = randomUUID();
    const first = await coordination.lock(key, 20);
    const second = await vi.waitUntil(() => coordination.lock(key, 60_000), { timeout: 60_000, interval: 5 });
    await first!.release();
    expect(await coordination.lock(key, 60_000)).toBeUndefined();
    await second!.release();
    expect(await coordination.lock(key, 60_000)).toBeDefined();
  });

  it("an invalidation reaches its own process before the call returns", async () => {
    const received = vi.fn();
    coordination.onInvalidate(received);
    await coordination.invalidate("connection", "conn_1");
    expect(received.mock.calls).toEqual([["connection", "conn_1"]]);
  });

  it("a working coordination answers a ping and logs no warning", async () => {
    await coordination.ping();
    expect(log.warn).not.toHaveBeenCalled();
  });

  it("cache entries are valid longer if invalidations are shared between processes", () => {
    expect(coordination.cacheTtlMs).toBe(redisUrl ? 60_000 : 4000);
  });
});

it("an empty Redis URL means coordination in memory", async () => {
  const coordination = await createCoordination({ redisUrl: "", store, log });
  expect(coordination.cacheTtlMs).toBe(4000);
});

it("coordination in memory no longer asks the store for changes once it is closed", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const externalWriteCounter = vi.fn(() => 1);
  const coordination = await createCoordination({ store: { ...store, externalWriteCounter }, log });
  vi.advanceTimersByTime(2000);
  expect(externalWriteCounter).toHaveBeenCalledTimes(3);
  await coordination.close();
  vi.advanceTimersByTime(2000);
  expect(externalWriteCounter).toHaveBeenCalledTimes(3);
});

it("coordination in memory has no timer for a store that does not count the writes of others", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  await createCoordination({ store: { locks: store.locks }, log });
  expect(vi.getTimerCount()).toBe(0);
});

await describeDatabases("two processes without Redis", ({ name, open }) => {
  it(`cache entries on ${name} stay valid as long as it reports no writes by other processes`, async () => {
    const own = await open();
    const other = await open();
    // The store connects with its first statement, and what others wrote before counts as a change.
    await own.locks.acquire(randomUUID(), "own", 1000);
    vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
    const coordination = await createCoordination({ store: own, log });
    try {
      vi.advanceTimersByTime(30_000);
      const expected = name === "SQLite" ? 30_000 : 4000;
      expect(coordination.cacheTtlMs).toBe(expected);
      await own.locks.acquire(randomUUID(), "own", 1000);
      vi.advanceTimersByTime(1000);
      expect(coordination.cacheTtlMs).toBe(name === "SQLite" ? 31_000 : 4000);
      await other.locks.acquire(randomUUID(), "other", 1000);
      vi.advanceTimersByTime(1000);
      expect(coordination.cacheTtlMs).toBe(4000);
      vi.advanceTimersByTime(300_000);
      expect(coordination.cacheTtlMs).toBe(name === "SQLite" ? 60_000 : 4000);
    } finally {
      vi.useRealTimers();
      await coordination.close();
    }
  });

  it(`two processes without Redis share their locks on ${name}`, async () => {
    const [here, there] = await Promise.all(
      [await open(), await open()].map((store) => createCoordination({ store, log })),
    );
    const key = randomUUID();
    const lock = await here!.lock(key, 60_000);
    expect(await there!.lock(key, 60_000)).toBeUndefined();
    await lock!.release();
    expect(await there!.lock(key, 60_000)).toBeDefined();
  });
});

describe.skipIf(!redis)("two processes on Redis", () => {
  let here: Coordination;
  let there: Coordination;
  beforeAll(async () => {
    const open = () => createCoordination({ redisUrl: redis!.url, prefix, store, log });
    [here, there] = await Promise.all([open(), open()]);
  });
  afterAll(() => Promise.all([here.close(), there.close()]));

  it("two processes on Redis share one exact rate limit", async () => {
    const key = randomUUID();
    const limit = { points: 70, seconds: 60 };
    const answers = await Promise.all(many(300, (n) => (n % 2 ? here : there).consume(key, limit)));
    expect(answers.filter(({ allowed }) => allowed)).toHaveLength(70);
  });

  it("two processes on Redis share their locks", async () => {
    const key = randomUUID();
    const locks = await Promise.all(many(20, (n) => (n % 2 ? here : there).lock(key, 60_000)));
    expect(locks.filter(Boolean)).toHaveLength(1);
    await locks.find(Boolean)!.release();
    expect(await there.lock(key, 60_000)).toBeDefined();
  });

  it("whoever waits for a lock on Redis does not ask the store", async () => {
    const key = randomUUID();
    await here.lock(key, 60_000);
    const asked = vi.spyOn(store.locks, "acquire");
    onTestFinished(() => asked.mockRestore());
    expect(await there.lock(key, 60_000)).toBeUndefined();
    expect(asked).not.toHaveBeenCalled();
  });

  it("two processes on Redis receive each other's invalidations exactly once", async () => {
    const received = { here: [] as string[], there: [] as string[] };
    here.onInvalidate((topic, id) => received.here.push(`${topic} ${id}`));
    there.onInvalidate((topic, id) => received.there.push(`${topic} ${id}`));
    await here.invalidate("key", "from-here");
    await there.invalidate("integration", "from-there");
    await vi.waitFor(
      () => {
        expect(received.here).toEqual(["key from-here", "integration from-there"]);
        expect(received.there.toSorted()).toEqual(["integration from-there", "key from-here"]);
      },
      { timeout: 60_000 },
    );
  });

  it("processes with different prefixes on one Redis do not affect each other", async () => {
    const other = await createCoordination({ redisUrl: redis!.url, prefix: `${prefix}other:`, store, log });
    const received = vi.fn();
    other.onInvalidate(received);
    const key = randomUUID();
    expect(await here.consume(key, { points: 1, seconds: 60 })).toMatchObject({ allowed: true });
    expect(await other.consume(key, { points: 1, seconds: 60 })).toMatchObject({ allowed: true });
    const delivered = new Promise((resolve) => there.onInvalidate((_, id) => id === key && resolve(id)));
    await here.invalidate("connection", key);
    await delivered;
    expect(received).not.toHaveBeenCalled();
    await other.close();
  });
});
