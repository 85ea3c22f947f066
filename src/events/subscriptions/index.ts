import type { RateLimit } from "../../contracts/coordination.ts";
import type { EventStore } from "../../contracts/events.ts";
import type { HookStore } from "../../contracts/hooks.ts";
import type { BoundOperation } from "../../contracts/operation.ts";
import type { TrackingStore } from "../../contracts/subscriptions.ts";
import type { BasicLogger } from "../../contracts/telemetry.ts";
import type { Tracing } from "../../contracts/tracing.ts";
import type { Engine } from "../../engine/index.ts";
import { createJobRunner, type JobRunner } from "../job-runner.ts";
import { createListReaders, type SubscriptionEngine } from "./list-reader.ts";
import { createSubscriptionRunner, type RunOutcome } from "./run.ts";

export type { RunOutcome } from "./run.ts";

/** How many subscriptions run in parallel in this process. */
const CONCURRENCY = 64;

export interface SubscriptionsOptions {
  store: TrackingStore & HookStore & Pick<EventStore, "jobs">;
  engine: SubscriptionEngine & { hooks: Pick<Engine["hooks"], "plan"> };
  /** The table of operations. */
  operations: readonly BoundOperation[];
  /** The limit that Unified calls are counted against. */
  rateLimit: RateLimit;
  log: BasicLogger;
  onOutcome?(outcome: RunOutcome): void;
  /** Undefined if traces are off. */
  tracing?: Tracing | undefined;
  now?(): number;
}

/** Turns lists into events. Any number of processes share the work through the store. */
export function createSubscriptions({
  operations,
  engine,
  rateLimit,
  log,
  ...options
}: SubscriptionsOptions): JobRunner {
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const run = createSubscriptionRunner({
    ...options,
    log,
    planHook: engine.hooks.plan,
    openList: createListReaders({ engine, operations: byId, rateLimit }),
  });
  return createJobRunner({ store: options.store, log, kind: "subscription", concurrency: CONCURRENCY, run });
}
