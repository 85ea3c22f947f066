import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { testSqlite } from "../../test/support/databases.ts";
import { ownRedis } from "../../test/support/redis.ts";
import { createRelay } from "../../test/support/relay.ts";
import type { Coordination } from "../contracts/coordination.ts";
import type { Store } from "../contracts/store.ts";
import { createStore } from "../store/index.ts";
import { keysFromText } from "../store/secrets/key-source.ts";
import { createKeyring } from "../store/secrets/vault.ts";
import { createCoordination } from "./index.ts";

const redis = await ownRedis();
const sqlite = testSqlite();
const patience = { timeout: 60_000, interval: 20 };
const limit = { points: 3, seconds: 600 };

describe.skipIf(!redis)("Redis outage", () => {
  let store: Store;
  let here: Coordination;
  let there: Coordination;
  const log = { info: vi.fn(), warn: vi.fn() };
  const otherLog = { info: vi.fn(), warn: vi.fn() };
  const received: string[] = [];

  const open = (logger: typeof log) => createCoordination({ redisUrl: redis!.url, store, log: logger });
  const waitForOutage = () =>
    vi.waitFor(() => expect([here.cacheTtlMs, there.cacheTtlMs]).toEqual([4000, 4000]), patience);
  const waitForRecovery = () =>
    vi.waitFor(() => expect([here.cacheTtlMs, there.cacheTtlMs]).toEqual([60_000, 60_000]), patience);
  /** Makes calls until the rate limit refuses one, and returns how many were allowed. */
  async function allowedCalls(key: string, ...from: Coordination[]): Promise<number> {
    for (let allowed = 0; ; allowed += 1) {
      if (!(await from[allowed % from.length]!.consume(key, limit)).allowed) return allowed;
    }
  }

  /** Listens in place of the stopped Redis until that many connection attempts have failed. */
  async function refuseConnections(attempts: number): Promise<void> {
    const server = createServer((socket) => socket.destroy());
    server.listen(Number(new URL(redis!.url).port), "127.0.0.1");
    for (let seen = 0; seen < attempts; seen += 1) await once(server, "connection");
    server.close();
    await once(server, "close");
  }

  beforeAll(async () => {
    const keyring = createKeyring(keysFromText(randomBytes(32).toString("base64")));
    store = await createStore({ url: sqlite.url, keyring });
  });

  beforeEach(async () => {
    [here, there] = await Promise.all([open(log), open(otherLog)]);
    await waitForRecovery();
    vi.clearAllMocks();
    received.length = 0;
    there.onInvalidate((topic, id) => received.push(`${topic} ${id}`));
  });

  afterEach(() => Promise.all([here.close(), there.close()]));

  afterAll(async () => {
    await store.close();
    await redis!.drop();
  });

  it("during an outage of Redis each process counts its own limits and warns once, and recovers when Redis is back", async () => {
    const [before, during, after] = [randomUUID(), randomUUID(), randomUUID()];
    expect(await allowedCalls(before, here, there)).toBe(3);

    await redis!.stop();
    await waitForOutage();
    expect(await allowedCalls(during, here)).toBe(3);
    expect(await allowedCalls(during, there)).toBe(3);
    await expect(here.ping()).rejects.toThrow();
    await refuseConnections(6);
    expect(log.warn).toHaveBeenCalledOnce();
    expect(log.warn.mock.calls[0]![1]).toContain("Redis is unavailable");

    await redis!.start();
    await waitForRecovery();
    expect(await allowedCalls(after, here, there)).toBe(3);
    await here.ping();
    expect(log.warn).toHaveBeenCalledOnce();
    expect(log.info.mock.calls).toEqual([["Redis is available again"]]);
  });

  it("everything cached is invalidated after an outage of Redis", async () => {
    await redis!.stop();
    await waitForOutage();
    expect(received).toEqual([]);
    await redis!.start();
    await waitForRecovery();
    expect(received).toContain("all *");
  });

  it("a change that could not be announced during an outage invalidates everything in the other processes afterwards", async () => {
    const relay = await createRelay(new URL(redis!.url), 6379);
    const isolated = await createCoordination({ redisUrl: relay.url.href, store, log });
    await relay.cut();
    await vi.waitFor(() => expect(isolated.cacheTtlMs).toBe(4000), patience);
    await isolated.invalidate("key", "revoked");
    expect(received).toEqual([]);
    await relay.restore();
    await vi.waitFor(() => expect(received).toEqual(["all *"]), patience);
    // Once only: nothing is missed in an outage without a change.
    await relay.cut();
    await vi.waitFor(() => expect(isolated.cacheTtlMs).toBe(4000), patience);
    await relay.restore();
    await vi.waitFor(() => expect(isolated.cacheTtlMs).toBe(60_000), patience);
    await isolated.invalidate("key", "changed");
    await vi.waitFor(() => expect(received).toEqual(["all *", "key changed"]), patience);
    await isolated.close();
    await relay.cut();
  });

  it("a lock taken before an outage of Redis stays with its owner, even after Redis has lost it", async () => {
    const key = randomUUID();
    const lock = await here.lock(key, 600_000);
    await redis!.stop();
    await waitForOutage();
    expect(await there.lock(key, 600_000)).toBeUndefined();
    await redis!.start();
    await waitForRecovery();
    expect(await there.lock(key, 600_000)).toBeUndefined();
    await lock!.release();
    expect(await there.lock(key, 600_000)).toBeDefined();
  });

  it("locks can be taken and released during an outage of Redis", async () => {
    await redis!.stop();
    await waitForOutage();
    const key = randomUUID();
    const lock = await here.lock(key, 600_000);
    expect(await there.lock(key, 600_000)).toBeUndefined();
    await lock!.release();
    expect(await there.lock(key, 600_000)).toBeDefined();
    await redis!.start();
    await waitForRecovery();
  });

  it("a Redis that keeps its connections but never responds counts as unavailable", async () => {
    redis!.freeze();
    const key = randomUUID();
    expect(await allowedCalls(key, here)).toBe(3);
    expect(await here.lock(key, 600_000)).toBeDefined();
    expect(here.cacheTtlMs).toBe(4000);
    expect(log.warn).toHaveBeenCalledOnce();
    redis!.thaw();
    await waitForRecovery();
    expect(log.info).toHaveBeenCalledOnce();
  });

  it("a silent network failure to Redis is noticed even if no command is sent", async () => {
    const relay = await createRelay(new URL(redis!.url), 6379);
    const isolated = await createCoordination({ redisUrl: relay.url.href, store, log });
    expect(isolated.cacheTtlMs).toBe(60_000);
    relay.beSilent(true);
    await vi.waitFor(() => expect(isolated.cacheTtlMs).toBe(4000), patience);
    expect(await allowedCalls(randomUUID(), isolated)).toBe(3);
    relay.beSilent(false);
    await vi.waitFor(() => expect(isolated.cacheTtlMs).toBe(60_000), patience);
    await isolated.close();
    await relay.cut();
  });

  it("a Redis that hangs again as soon as it is back does not end the process", async () => {
    const relay = await createRelay(new URL(redis!.url), 6379);
    const isolated = await createCoordination({ redisUrl: relay.url.href, store, log });
    relay.beSilent("subscribe");
    await relay.cut();
    await relay.restore();
    // The second connection that hangs comes after the first has timed out: an unhandled rejection fails this file.
    await vi.waitFor(() => expect(relay.swallowed()).toBeGreaterThanOrEqual(2), patience);
    expect(isolated.cacheTtlMs).toBe(4000);
    relay.beSilent(false);
    await vi.waitFor(() => expect(isolated.cacheTtlMs).toBe(60_000), patience);
    await isolated.close();
    await relay.cut();
  });

  it("a process starts during an outage of Redis, and uses Redis once it is back", async () => {
    await redis!.stop();
    const late = await open(log);
    expect(await allowedCalls(randomUUID(), late)).toBe(3);
    expect(log.warn).toHaveBeenCalled();
    await redis!.start();
    await vi.waitFor(() => expect(late.cacheTtlMs).toBe(60_000), patience);
    await late.close();
    await waitForRecovery();
  });
});
