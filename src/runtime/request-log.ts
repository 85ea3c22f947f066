import { setImmediate as turn } from "node:timers/promises";
import type { NewLogEntry } from "../contracts/entities.ts";
import type { Store } from "../contracts/store.ts";
import { newId } from "./ids.ts";

const BATCH = 500;
const QUEUE = 10_000;
const FLUSH_EVERY_MS = 1_000;
const TRIM_EVERY_MS = 10 * 60_000;
const KEEP_ENTRIES = 100_000;
const TRIM_EVERY_ENTRIES = 20_000;
const COUNT_LENGTH = 8;
const KEEP_MS = 7 * 24 * 60 * 60_000;

export type RequestLogEntry = Omit<NewLogEntry, "at">;

interface RequestLogOptions {
  store: Pick<Store, "log">;
  dropped(count: number): void;
  failed(error: unknown): void;
  /** How many entries wait at most. */
  queue?: number;
}

export interface RequestLog {
  /** Queues an entry and returns at once. */
  add(entry: RequestLogEntry): void;
  /** Writes all that waits. */
  flush(): Promise<void>;
  /** Writes all that waits and stops. */
  close(): Promise<void>;
}

/**
 * Writes the request log in batches, so that no request waits for it. When the store is slower than the requests are,
 * entries are dropped and counted: the log must never be what brings the service down.
 */
export function createRequestLog({ store, dropped, failed, queue: longest = QUEUE }: RequestLogOptions): RequestLog {
  // A random beginning and a count, so that ids within a process are in the order of time.
  const series = newId("log");
  let count = 0;
  const nextId = () => series + (count++).toString(36).padStart(COUNT_LENGTH, "0");
  let waiting: NewLogEntry[] = [];
  let writing: Promise<void> | undefined;
  let trimmedAt = 0;
  let writtenSince = 0;

  const timer = setInterval(() => void begin(), FLUSH_EVERY_MS);
  timer.unref();

  async function write(): Promise<void> {
    // What comes meanwhile waits for the next time, or most batches would be of a few entries.
    for (let left = waiting.length; left > 0; left -= BATCH) {
      const batch = waiting.slice(0, BATCH);
      waiting = waiting.slice(BATCH);
      try {
        await store.log.append(nextId(), batch);
        writtenSince += batch.length;
      } catch (error) {
        // What waits behind this batch gets its try later.
        dropped(batch.length);
        failed(error);
        return;
      }
      // The embedded store writes in this very thread: let requests have it between two batches.
      await turn();
    }
    await trim();
  }

  async function trim(): Promise<void> {
    const now = Date.now();
    if (now - trimmedAt < TRIM_EVERY_MS && writtenSince < TRIM_EVERY_ENTRIES) return;
    trimmedAt = now;
    writtenSince = 0;
    await store.log.trim(new Date(now - KEEP_MS).toISOString(), KEEP_ENTRIES).catch(failed);
  }

  function begin(): Promise<void> {
    writing ??= write().finally(() => {
      writing = undefined;
    });
    return writing;
  }

  async function flush(): Promise<void> {
    await writing;
    await begin();
  }

  return {
    add(entry) {
      if (waiting.length >= longest) return dropped(1);
      waiting.push({ ...entry, at: Date.now() });
      if (waiting.length >= BATCH) void begin();
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
