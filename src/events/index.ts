import type { EventStore } from "../contracts/events.ts";
import type { BasicLogger } from "../contracts/telemetry.ts";
import type { WebhookStore } from "../contracts/webhooks.ts";
import type { Engine } from "../engine/index.ts";
import { createJobRunner } from "./job-runner.ts";
import { createPublisher } from "./publisher.ts";
import { sweepEvents } from "./retention.ts";
import { type AttemptOutcome, createWebhookWorker } from "./webhook-worker.ts";

/** How many webhooks a process serves at once. */
const WEBHOOKS_AT_ONCE = 200;
const SWEEP_INTERVAL_MS = 10 * 60_000;

export interface EventsOptions {
  store: EventStore & WebhookStore;
  engine: Pick<Engine, "eventPoster">;
  log: BasicLogger;
  retentionDays: number;
  /** Counts an attempt to deliver an event. */
  attempted(outcome: AttemptOutcome): void;
}

/** What a process does about events in the background. Any number of processes share the work through the store. */
export interface Events {
  start(): void;
  /** Waits for a limited time until what is in progress has ended. */
  stop(): Promise<void>;
}

export function createEvents({ store, engine, log, retentionDays, attempted }: EventsOptions): Events {
  const webhooks = createJobRunner({
    store,
    log,
    kind: "webhook",
    concurrency: WEBHOOKS_AT_ONCE,
    run: createWebhookWorker({ store, post: engine.eventPoster.post, log, attempted }),
  });
  const publisher = createPublisher({ store, log, onPublished: webhooks.wake });
  let sweeper: NodeJS.Timeout | undefined;
  const sweep = () =>
    sweepEvents(store, retentionDays).catch((error: unknown) =>
      log.warn({ err: error }, "could not delete expired events"),
    );
  return {
    start() {
      publisher.start();
      webhooks.start();
      sweeper = setInterval(sweep, SWEEP_INTERVAL_MS);
      sweeper.unref();
    },
    async stop() {
      clearInterval(sweeper);
      await Promise.all([publisher.stop(), webhooks.stop()]);
    },
  };
}
