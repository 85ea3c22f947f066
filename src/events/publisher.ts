import type { EventStore } from "../contracts/events.ts";
import type { BasicLogger } from "../contracts/telemetry.ts";
import { createOutageLog } from "./outage-log.ts";

/** How often the store is asked for events that another process wrote, and whose publication it did not get to. */
const POLL_MS = 1_000;
/** After a write in this process: its transaction is usually over by then, and what is written together goes together. */
const SOON_MS = 10;
/** The transaction took longer. */
const RETRY_MS = 100;
/** In one transaction, which adds a delivery of each to each webhook that gets it. */
const BATCH_SIZE = 100;

export interface PublisherOptions {
  store: Pick<EventStore, "events">;
  log: BasicLogger;
  /** Events were published, and webhooks have something to deliver. */
  onPublished(): void;
  pollMs?: number;
}

/** Publishes events as they are written. Any number of processes may do this over one store. */
export function createPublisher({ store, log, onPublished, pollMs = POLL_MS }: PublisherOptions) {
  let stopped = true;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Number.POSITIVE_INFINITY;
  /** How many more times to look soon because of a write in this process. */
  let expected = 0;
  const outage = createOutageLog(log, { failed: "could not publish events", works: "events are published again" });

  function schedule(delayMs: number): void {
    if (stopped || running || Date.now() + delayMs >= dueAt) return;
    clearTimeout(timer);
    dueAt = Date.now() + delayMs;
    timer = setTimeout(run, delayMs);
  }

  async function publishAll(): Promise<void> {
    for (;;) {
      const count = await store.events.publish(BATCH_SIZE);
      outage.worked();
      expected = count > 0 ? 0 : Math.max(0, expected - 1);
      if (count > 0) onPublished();
      if (count < BATCH_SIZE || stopped) return;
    }
  }

  function run(): void {
    dueAt = Number.POSITIVE_INFINITY;
    running = publishAll()
      .catch((error: unknown) => {
        outage.failed(error);
        expected = 0;
      })
      .finally(() => {
        running = undefined;
        schedule(expected > 0 ? RETRY_MS : pollMs);
      });
  }

  store.events.onWritten(() => {
    expected = 2;
    schedule(SOON_MS);
  });

  return {
    start(): void {
      stopped = false;
      schedule(0);
    },
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
