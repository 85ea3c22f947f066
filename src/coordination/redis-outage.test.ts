import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type AnyDatabase, testDatabases } from "../../test/support/databases.ts";
import { ownRedis } from "../../test/support/redis.ts";
import { createRelay } from "../../test/support/relay.ts";
import type { Coordination } from "../contracts/coordination.ts";
import type { Store } from "../contracts/store.ts";
import { createStore } from "../store/index.ts";
import { keysFromText } from "../store/key-source.ts";
import { createKeyring } from "../store/vault.ts";
import { createCoordination } from "./index.ts";

const redis = await ownRedis();
const patience = { timeout: 20_000, interval: 20 };
const limit = { points: 3, seconds: 600 };

describe.skipIf(!redis)("an outage of Redis", () => {
  let databases: AnyDatabase[];
  let store: Store;
  let here: Coordination;
  let there: Coordination;
  const log = { info: vi.fn(), warn: vi.fn() };
  const quiet = { info: vi.fn(), warn: vi.fn() };
  const heard: string[] = [];

  const open = (logger: typeof log) => createCoordination({ redisUrl: redis!.url, store, log: logger });
  const fallen = () => vi.waitFor(() => expect([here.cacheTtlMs, there.cacheTtlMs]).toEqual([4000, 4000]), patience);
  const back = () => vi.waitFor(() => expect([here.cacheTtlMs, there.cacheTtlMs]).toEqual([60_000, 60_000]), patience);
  /** Lets a key's window run full, and returns how many calls it took. */
  async function passes(key: string, ...from: Coordination[]): Promise<number> {
    for (let passed = 0; ; passed += 1) {
      if ((await from[passed % from.length]!.consume(key, limit)) !== undefined) return passed;
    }
  }

  /** Takes the place of a Redis that is stopped, until so many attempts to reach it have failed. */
  async function hangUpOn(attempts: number): Promise<void> {
    const server = createServer((socket) => socket.destroy());
    server.listen(Number(new URL(redis!.url).port), "127.0.0.1");
    for (let seen = 0; seen < attempts; seen += 1) await once(server, "connection");
    server.close();
    await once(server, "close");
  }

  beforeAll(async () => {
    databases = await testDatabases();
    const keyring = createKeyring(keysFromText(randomBytes(32).toString("base64")));
    store = await createStore({ url: databases[0]!.url, keyring });
  });

  beforeEach(async () => {
    [here, there] = await Promise.all([open(log), open(quiet)]);
    await back();
    vi.clearAllMocks();
    heard.length = 0;
    there.onInvalidate((topic, id) => heard.push(`${topic} ${id}`));
  });

  afterEach(() => Promise.all([here.close(), there.close()]));

  afterAll(async () => {
    await store.close();
    await redis!.drop();
    await Promise.all(databases.map((database) => database.drop()));
  });

  it("leaves each process with limits of its own, a warning, and recovers by itself", async () => {
    const [before, during, after] = [randomUUID(), randomUUID(), randomUUID()];
    expect(await passes(before, here, there)).toBe(3);

    await redis!.stop();
    await fallen();
    expect(await passes(during, here)).toBe(3);
    expect(await passes(during, there)).toBe(3);
    await expect(here.ping()).rejects.toThrow();
    await hangUpOn(6);
    expect(log.warn).toHaveBeenCalledOnce();
    expect(log.warn.mock.calls[0]![1]).toContain("Redis does not answer");

    await redis!.start();
    await back();
    expect(await passes(after, here, there)).toBe(3);
    await here.ping();
    expect(log.warn).toHaveBeenCalledOnce();
    expect(log.info.mock.calls).toEqual([["Redis answers again"]]);
  });

  it("makes everything cached doubtful once it is over", async () => {
    await redis!.stop();
    await fallen();
    expect(heard).toEqual([]);
    await redis!.start();
    await back();
    expect(heard).toContain("all *");
  });

  it("tells the others afterwards of changes that one process could not tell of", async () => {
    const relay = await createRelay(new URL(redis!.url), 6379);
    const apart = await createCoordination({ redisUrl: relay.url.href, store, log });
    await relay.cut();
    await vi.waitFor(() => expect(apart.cacheTtlMs).toBe(4000), patience);
    await apart.invalidate("key", "revoked");
    expect(heard).toEqual([]);
    await relay.restore();
    await vi.waitFor(() => expect(heard).toEqual(["all *"]), patience);
    await apart.close();
    await relay.cut();
  });

  it("leaves a lock that was taken before it with its owner, also after Redis forgot it", async () => {
    const key = randomUUID();
    const lock = await here.lock(key, 600_000);
    await redis!.stop();
    await fallen();
    expect(await there.lock(key, 600_000)).toBeUndefined();
    await redis!.start();
    await back();
    expect(await there.lock(key, 600_000)).toBeUndefined();
    await lock!.release();
    expect(await there.lock(key, 600_000)).toBeDefined();
  });

  it("lets locks be taken and released", async () => {
    await redis!.stop();
    await fallen();
    const key = randomUUID();
    const lock = await here.lock(key, 600_000);
    expect(await there.lock(key, 600_000)).toBeUndefined();
    await lock!.release();
    expect(await there.lock(key, 600_000)).toBeDefined();
    await redis!.start();
    await back();
  });

  it("is noticed where Redis keeps its connections and says nothing", async () => {
    redis!.freeze();
    const key = randomUUID();
    expect(await passes(key, here)).toBe(3);
    expect(await here.lock(key, 600_000)).toBeDefined();
    expect(here.cacheTtlMs).toBe(4000);
    expect(log.warn).toHaveBeenCalledOnce();
    redis!.thaw();
    await back();
    expect(log.info).toHaveBeenCalledOnce();
  });

  it("is noticed where the way to Redis falls silent and nothing is asked of it", async () => {
    const relay = await createRelay(new URL(redis!.url), 6379);
    const apart = await createCoordination({ redisUrl: relay.url.href, store, log });
    expect(apart.cacheTtlMs).toBe(60_000);
    relay.beSilent(true);
    await vi.waitFor(() => expect(apart.cacheTtlMs).toBe(4000), patience);
    expect(await passes(randomUUID(), apart)).toBe(3);
    relay.beSilent(false);
    await vi.waitFor(() => expect(apart.cacheTtlMs).toBe(60_000), patience);
    await apart.close();
    await relay.cut();
  });

  it("does not keep a process from starting, and is over for it as for the others", async () => {
    await redis!.stop();
    const late = await open(log);
    expect(await passes(randomUUID(), late)).toBe(3);
    expect(log.warn).toHaveBeenCalled();
    await redis!.start();
    await vi.waitFor(() => expect(late.cacheTtlMs).toBe(60_000), patience);
    await late.close();
    await back();
  });
});
