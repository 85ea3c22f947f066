import type { EventStore } from "../contracts/events.ts";
import type { BasicLogger } from "../contracts/telemetry.ts";
import { createOutageLog } from "./outage-log.ts";

/** How often to look for events that another process wrote but did not publish. */
const POLL_MS = 1_000;
/** Delay after a write in this process: its transaction has usually ended by then, and later writes join the batch. */
const SOON_MS = 10;
/** Delay if the transaction took longer. */
const RETRY_MS = 100;
/** Events per transaction, which also adds their deliveries. */
const BATCH_SIZE = 100;

export interface PublisherOptions {
  store: Pick<EventStore, "events">;
  log: BasicLogger;
  /** Called after events were published: webhooks have something to deliver. */
  onPublished(): void;
  pollMs?: number;
}

/** Publishes events as they are written. Any number of processes may do this over one store. */
export function createPublisher({ store, log, onPublished, pollMs = POLL_MS }: PublisherOptions) {
  let stopped = true;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Number.POSITIVE_INFINITY;
  /** How many more times to look soon after a write in this process. */
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
