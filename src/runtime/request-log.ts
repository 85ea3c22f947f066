import { setImmediate as nextTurn } from "node:timers/promises";
import type { NewLogEntry } from "../contracts/entities.ts";
import type { LogBatch } from "../contracts/request-log.ts";
import type { Store } from "../contracts/store.ts";
import { newId } from "./ids.ts";

const BATCH_SIZE = 500;
const MAX_QUEUE = 10_000;
const FLUSH_EVERY_MS = 1_000;
const TRIM_EVERY_MS = 10 * 60_000;
const TRIM_EVERY_ENTRIES = 20_000;
const COUNTER_LENGTH = 8;
/** Until it is full or this old, a batch is written again with what was added: many small ones are slow to search. */
const BATCH_MAX_AGE_MS = 60_000;
const DAY_MS = 24 * 60 * 60_000;
const KEEP_MS = 7 * DAY_MS;
/** How long the counts of minutes and of hours are kept. The Platform API offers a little less. */
const KEEP_MINUTES_MS = 3 * DAY_MS;
const KEEP_HOURS_MS = 32 * DAY_MS;

interface OpenBatch {
  entries: LogBatch;
  /** Entries that are not in the database yet. */
  waiting: number;
  /** Milliseconds since 1970. */
  begun: number;
}

interface RequestLogOptions {
  store: Pick<Store, "requestLog">;
  dropped(count: number): void;
  failed(error: unknown): void;
  /** How many entries are kept. */
  maxEntries: number;
  /** How many entries may wait to be written. */
  maxQueue?: number;
}

export interface RequestLog {
  /** Queues an entry and returns immediately. */
  add(entry: NewLogEntry): void;
  /** Writes all waiting entries. */
  flush(): Promise<void>;
  /** Writes all waiting entries and stops. */
  close(): Promise<void>;
}

/**
 * Writes the request log in batches, so that no request waits for it. If the store cannot keep up with the requests,
 * entries are dropped and counted: the log must never stop the service.
 */
export function createRequestLog({
  store,
  dropped,
  failed,
  maxEntries,
  maxQueue = MAX_QUEUE,
}: RequestLogOptions): RequestLog {
  // A random prefix and a counter, so that ids of one process are in order of time.
  const idPrefix = newId("log");
  let count = 0;
  const nextId = () => idPrefix + (count++).toString(36).padStart(COUNTER_LENGTH, "0");
  /** Batches that are not in the database yet, and the last one, to which entries are added. */
  let batches: OpenBatch[] = [];
  /** Entries that are not in the database yet. */
  let waiting = 0;
  let writing: Promise<void> | undefined;
  let trimming: Promise<unknown> | undefined;
  const closing = new AbortController();
  let trimmedAt = 0;
  let writtenSinceTrim = 0;

  const timer = setInterval(() => void startWriting(), FLUSH_EVERY_MS);
  timer.unref();

  const isOpen = ({ entries, begun }: OpenBatch, now: number) =>
    entries.size < BATCH_SIZE && now - begun <= BATCH_MAX_AGE_MS;

  function openBatch(now: number): OpenBatch {
    const last = batches.at(-1);
    if (last && isOpen(last, now)) return last;
    const batch = { entries: store.requestLog.newBatch(nextId()), waiting: 0, begun: now };
    batches.push(batch);
    return batch;
  }

  async function write(): Promise<void> {
    // Entries that arrive during the write wait for the next one; otherwise most batches would be small.
    for (const batch of [...batches]) {
      const count = batch.waiting;
      batch.waiting = 0;
      try {
        if (count > 0) await store.requestLog.write(batch.entries);
        waiting -= count;
        writtenSinceTrim += count;
      } catch (error) {
        // Whether it was written is not known, so the next entries get a new batch.
        batches = batches.filter((other) => other !== batch);
        waiting -= count + batch.waiting;
        dropped(count + batch.waiting);
        failed(error);
        return;
      }
      batches = batches.filter((other) => other !== batch || other.waiting > 0 || isOpen(other, Date.now()));
      // SQLite writes in this thread: let requests run between two batches.
      await nextTurn();
    }
    startTrimming();
  }

  /** Nothing waits for it: after the limit was lowered, it may take minutes. */
  function startTrimming(): void {
    const now = Date.now();
    if (trimming || (now - trimmedAt < TRIM_EVERY_MS && writtenSinceTrim < TRIM_EVERY_ENTRIES)) return;
    trimmedAt = now;
    writtenSinceTrim = 0;
    const { requestLog } = store;
    const { signal } = closing;
    const ago = (milliseconds: number) => new Date(now - milliseconds).toISOString();
    trimming = Promise.all([
      requestLog.trim(ago(KEEP_MS), maxEntries, signal),
      requestLog.trimUsage("minute", ago(KEEP_MINUTES_MS), signal),
      requestLog.trimUsage("hour", ago(KEEP_HOURS_MS), signal),
    ])
      .catch(failed)
      .finally(() => {
        trimming = undefined;
      });
  }

  function startWriting(): Promise<void> {
    writing ??= write().finally(() => {
      writing = undefined;
    });
    return writing;
  }

  async function flush(): Promise<void> {
    await writing;
    await startWriting();
  }

  return {
    add(entry) {
      if (waiting >= maxQueue) return dropped(1);
      const batch = openBatch(entry.at);
      batch.entries.add(entry);
      batch.waiting++;
      waiting++;
      if (batch.entries.size >= BATCH_SIZE) void startWriting();
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
      closing.abort();
      await trimming;
    },
  };
}
