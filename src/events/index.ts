import type { EventStore } from "../contracts/events.ts";
import type { WebhookStore } from "../contracts/webhooks.ts";
import type { Engine } from "../engine/index.ts";
import { createHintWriter, type HintWriter } from "./hooks/hints.ts";
import { createHookLife } from "./hooks/life.ts";
import { createJobRunner } from "./job-runner.ts";
import { createPublisher } from "./publisher.ts";
import { sweepEvents } from "./retention.ts";
import { createSubscriptions, type SubscriptionsOptions } from "./subscriptions/index.ts";
import { type AttemptOutcome, createWebhookWorker } from "./webhook-worker.ts";

/** How many webhooks a process serves in parallel. */
const WEBHOOK_CONCURRENCY = 200;
/** How many hooks a process makes, renews or removes in parallel. */
const HOOK_CONCURRENCY = 8;
const SWEEP_INTERVAL_MS = 10 * 60_000;

export interface BackgroundOptions extends SubscriptionsOptions {
  store: SubscriptionsOptions["store"] & EventStore & WebhookStore;
  engine: SubscriptionsOptions["engine"] & Pick<Engine, "eventPoster" | "hooks">;
  retentionDays: number;
  /** Counts an attempt to deliver an event. */
  attempted(outcome: AttemptOutcome): void;
}

/** What a process does about events in the background. Any number of processes share the work through the store. */
export interface Background {
  start(): void;
  /** Runs the subscriptions that are due now, without waiting for the next poll. */
  wakeSubscriptions(): void;
  /** Stores what the webhooks of providers say, and runs the subscriptions that it is about. */
  hint: HintWriter;
  /** Stops reading lists; the rest goes on. */
  stopSubscriptions(): Promise<void>;
  /** Waits for a limited time until what is in progress has ended. */
  stop(): Promise<void>;
}

export function createBackground(options: BackgroundOptions): Background {
  const { store, engine, log, retentionDays, attempted, tracing } = options;
  const subscriptions = createSubscriptions(options);
  const webhooks = createJobRunner({
    store,
    log,
    kind: "webhook",
    concurrency: WEBHOOK_CONCURRENCY,
    run: createWebhookWorker({ store, post: engine.eventPoster.post, log, attempted, tracing }),
  });
  const hooks = createJobRunner({
    store,
    log,
    kind: "hook",
    concurrency: HOOK_CONCURRENCY,
    run: createHookLife({ store, engine, log, wakeSubscriptions: subscriptions.wake }),
  });
  const publisher = createPublisher({ store, log, onPublished: webhooks.wake });
  let sweeper: NodeJS.Timeout | undefined;
  const stopping = new AbortController();
  const sweep = () =>
    sweepEvents(store, retentionDays, { signal: stopping.signal }).catch((error: unknown) =>
      log.warn({ err: error }, "could not delete expired events"),
    );
  return {
    start() {
      publisher.start();
      webhooks.start();
      subscriptions.start();
      hooks.start();
      sweeper = setInterval(sweep, SWEEP_INTERVAL_MS);
      sweeper.unref();
    },
    wakeSubscriptions: subscriptions.wake,
    hint: createHintWriter(store, subscriptions.wake),
    stopSubscriptions: subscriptions.stop,
    async stop() {
      clearInterval(sweeper);
      stopping.abort();
      await Promise.all([subscriptions.stop(), hooks.stop(), publisher.stop(), webhooks.stop()]);
    },
  };
}
