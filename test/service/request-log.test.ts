import { rmSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Store } from "../../src/contracts/store.ts";
import { openStore } from "../../src/open-store.ts";
import { createLogger } from "../../src/runtime/logger.ts";
import { createRequestLog } from "../../src/runtime/request-log.ts";
import { appendEntries } from "../support/log-entries.ts";
import { newDataDir } from "../support/process.ts";

const dataDir = newDataDir();
let store: Store;
let dropped = 0;
let failures = 0;
beforeAll(async () => {
  const config = { dataDir, databaseUrl: undefined, encryptionKey: undefined, encryptionKeyCommand: undefined };
  ({ store } = await openStore(config, createLogger("silent")));
});
beforeEach(() => {
  dropped = 0;
  failures = 0;
});
afterAll(async () => {
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const entry = (workspace: string, index = 0) => ({
  at: Date.now(),
  workspace_id: workspace,
  connection_id: null,
  integration_id: null,
  request_id: `request ${index}`,
  surface: "platform",
  method: "GET",
  path: "/platform/v1/workspace",
  status: 200,
  outcome: null,
  error_source: null,
  duration_ms: 1.5,
  upstream_calls: 0,
  upstream: [],
});

const createLog = (maxQueue?: number) =>
  createRequestLog({
    store,
    maxEntries: 100_000,
    dropped(count) {
      dropped += count;
    },
    failed() {
      failures += 1;
    },
    ...(maxQueue ? { maxQueue } : {}),
  });

const count = async (workspace: string) => {
  let found = 0;
  for (;;) {
    const { entries: page } = await store.requestLog.list(workspace, { offset: found, limit: 100 }, {});
    found += page.length;
    if (page.length < 100) return found;
  }
};

describe("request log", () => {
  it("the request log writes all entries, in order, with far fewer statements than entries", async () => {
    const log = createLog();
    await log.flush();
    const before = store.statements;
    for (let index = 0; index < 1_000; index++) log.add(entry("ws_batches", index));
    await log.close();
    expect(store.statements - before).toBeLessThan(20);
    expect(await count("ws_batches")).toBe(1_000);
    const [newest] = (await store.requestLog.list("ws_batches", { offset: 0, limit: 1 }, {})).entries;
    expect(newest).toMatchObject({
      request_id: "request 999",
      duration_ms: 1.5,
      created_at: expect.stringMatching(/Z$/),
    });
    expect([dropped, failures]).toEqual([0, 0]);
  });

  it("entries that are written little by little share a batch, until it is full", async () => {
    const { write } = store.requestLog;
    const sizes = new Map<object, number[]>();
    const spy = vi.spyOn(store.requestLog, "write").mockImplementation((batch) => {
      sizes.set(batch, [...(sizes.get(batch) ?? []), batch.size]);
      return write(batch);
    });
    const log = createLog();
    for (let index = 0; index < 3; index++) {
      log.add(entry("ws_little", index));
      await log.flush();
    }
    for (let index = 3; index < 600; index++) log.add(entry("ws_little", index));
    await log.close();
    spy.mockRestore();
    expect([...sizes.values()]).toEqual([[1, 2, 3, 500], [100]]);
    expect(await count("ws_little")).toBe(600);
  });

  it("adding an entry to the request log runs no statement", () => {
    const log = createLog();
    const before = store.statements;
    log.add(entry("ws_queue"));
    expect(store.statements).toBe(before);
    return log.close();
  });

  it("entries that do not fit into the queue are dropped and counted", async () => {
    const log = createLog(5);
    for (let index = 0; index < 8; index++) log.add(entry("ws_full", index));
    expect(dropped).toBe(3);
    await log.close();
    expect(await count("ws_full")).toBe(5);
  });

  it("a batch that the store refuses is dropped and reported once, and the next one is written", async () => {
    const log = createLog();
    const write = vi.spyOn(store.requestLog, "write").mockRejectedValueOnce(new Error("the disk is full"));
    for (let index = 0; index < 2; index++) log.add(entry("ws_broken"));
    await log.flush();
    write.mockRestore();
    expect([dropped, failures]).toEqual([2, 1]);
    log.add(entry("ws_broken"));
    await log.close();
    expect([dropped, failures]).toEqual([2, 1]);
    expect(await count("ws_broken")).toBe(1);
  });

  it("entries older than 7 days are removed", async () => {
    const day = 24 * 60 * 60_000;
    for (const days of [8, 6])
      await appendEntries(store, `log_${days}`, [{ ...entry("ws_old"), at: Date.now() - days * day }]);
    const log = createLog();
    await log.close();
    const { entries } = await store.requestLog.list("ws_old", { offset: 0, limit: 10 }, {});
    expect(entries.map(({ id }) => id)).toEqual([expect.stringMatching(/^log_6/)]);
  });
});
