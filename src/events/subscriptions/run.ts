import type { Due, EventStore, Job, NewEvent } from "../../contracts/events.ts";
import { Fault } from "../../contracts/fault.ts";
import type { HookStore } from "../../contracts/hooks.ts";
import {
  isHookHealthy,
  type Subscription,
  type SubscriptionRun,
  type TrackingChange,
  type TrackingStore,
} from "../../contracts/subscriptions.ts";
import type { BasicLogger } from "../../contracts/telemetry.ts";
import type { Span, SpanContext, SpanEnd, Tracing } from "../../contracts/tracing.ts";
import { Cancellation, CancelledError, type Engine } from "../../engine/index.ts";
import { confirmDeletes } from "./deletes.ts";
import type { ListReader } from "./list-reader.ts";
import { type Interruption, interruptionBy } from "./outcome.ts";
import { untilNextRun, untilRetry } from "./schedule.ts";
import {
  type ActiveRun,
  checkpointOf,
  type OpenWalk,
  openNextRound,
  openWalk,
  progressAfter,
  readPage,
} from "./walk.ts";

/** A run yields after this long, so that other subscriptions get a turn. */
const MAX_SLICE_MS = 30_000;
/** Full walks in a row to confirm deletes. */
const MAX_ROUNDS = 3;
/** Failed runs in a row after which a subscription counts as failing. */
const MAX_FAILURES = 5;
/** Pages of 100 records each. A longer list counts as endless. */
const MAX_PAGES = 10_000;
const RECORDS_PER_CLEARING = 2_000;
const DAY_MS = 86_400_000;

/** How a run ended, for metrics. */
export type RunOutcome = "finished" | "continues" | Interruption["kind"];

export interface SubscriptionRunnerOptions {
  store: TrackingStore & HookStore & Pick<EventStore, "jobs">;
  openList(subscription: Subscription, client: Cancellation, span?: SpanContext): Promise<ListReader>;
  /** Which hook can start a subscription, or why none can. */
  planHook: Engine["hooks"]["plan"];
  log: Pick<BasicLogger, "warn">;
  onOutcome?(outcome: RunOutcome): void;
  /** Undefined if traces are off. */
  tracing?: Tracing | undefined;
  maxPages?: number;
  now?(): number;
}

/** A run that may not have started yet: it has no list if the connection cannot be used. */
interface RunAttempt extends Omit<ActiveRun, "list" | "store"> {
  store: SubscriptionRunnerOptions["store"];
  list?: ListReader;
  opened?: OpenWalk;
  span?: Span | undefined;
  /** Undefined if it was broken off. */
  outcome?: RunOutcome;
}

function describeRun({ subscription, opened, outcome }: RunAttempt): SpanEnd {
  return {
    name: `subscription ${subscription.operation}`,
    isError: outcome === "failed",
    attributes: {
      "plugboard.subscription_id": subscription.id,
      "plugboard.operation": subscription.operation,
      "plugboard.workspace_id": subscription.workspace_id,
      "plugboard.connection_id": subscription.connection_id,
      "plugboard.pages": opened?.walk.pages,
      "plugboard.records": opened?.walk.records,
      "plugboard.outcome": outcome ?? "broken_off",
    },
  };
}

const isoTime = (milliseconds: number) => new Date(milliseconds).toISOString();

function toRun({ walk }: OpenWalk, end: Pick<SubscriptionRun, "finished_at" | "error">): SubscriptionRun {
  const { started_at, kind, pages, records, created, updated, deleted } = walk;
  return { started_at, kind, pages, records, created, updated, deleted, ...end };
}

/** The change with which the walk can continue from here later: none if it can already. */
const pausedWalk = (opened: OpenWalk | undefined): TrackingChange =>
  opened && opened.walk !== opened.saved ? { checkpoint: checkpointOf(opened) } : {};

const unfinished = (opened: OpenWalk | undefined, error: string | null) =>
  opened ? { last_run: toRun(opened, { finished_at: null, error }) } : {};

/** Reads until the end of the list. False if its time is up before that. */
async function advance(run: ActiveRun, opened: OpenWalk, client: Cancellation): Promise<boolean> {
  const end = performance.now() + MAX_SLICE_MS;
  for (;;) {
    client.throwIfCancelled();
    if (!opened.walk.isRead) {
      if (performance.now() > end) return false;
      await readPage(run, opened);
      continue;
    }
    if (opened.walk.kind === "incremental") return true;
    const isUnclear = await confirmDeletes(run, opened);
    if (!isUnclear || opened.walk.round >= MAX_ROUNDS) return true;
    run.progress = progressAfter(run, opened.walk);
    Object.assign(opened, openNextRound(run, opened));
    await run.store.tracking.commit(run.job, {
      endsWalk: true,
      checkpoint: checkpointOf(opened),
      subscription: { progress: run.progress },
    });
  }
}

/** Whether the run found changes that the provider's webhook should have announced since the run before. */
function missedByHook({ subscription, progress, now }: ActiveRun, { walk }: OpenWalk): boolean {
  const { hook, last_run } = subscription;
  const hasChanges = walk.created + walk.updated + walk.deleted > 0;
  if (!hook || !hasChanges || !last_run || progress.full_walk_at === null) return false;
  return isHookHealthy(subscription, now()) && (hook.last_hint_at ?? "") < last_run.started_at;
}

async function finish(run: ActiveRun & Pick<RunAttempt, "store">, opened: OpenWalk): Promise<number> {
  const { job, subscription, store, now } = run;
  if (missedByHook(run, opened)) await store.hooks.missed(subscription.hook!.id, subscription.last_run!.started_at);
  await store.tracking.commit(job, {
    endsWalk: true,
    subscription: {
      status: "active",
      reason: null,
      failing_since: null,
      last_run: toRun(opened, { finished_at: isoTime(now()), error: null }),
      progress: progressAfter(run, opened.walk),
    },
  });
  return untilNextRun(subscription, Date.parse(opened.walk.started_at), now());
}

async function pauseWalk({ job, store, opened }: RunAttempt): Promise<void> {
  if (opened && opened.walk.pages > 0)
    await store.tracking.commit(job, { ...pausedWalk(opened), subscription: unfinished(opened, null) });
}

async function sleep({ job, subscription, store, now }: RunAttempt, reason: string): Promise<number> {
  if (subscription.status !== "sleeping" || subscription.reason !== reason)
    await store.tracking.commit(job, { subscription: { status: "sleeping", reason, failing_since: null } });
  return untilNextRun(subscription, now(), now());
}

function failedEvent({ subscription, list }: RunAttempt, reason: string): NewEvent {
  const { id, workspace_id, connection_id, operation } = subscription;
  const external_id = list?.connection.record.external_id ?? null;
  return {
    workspace_id,
    type: "subscription.failed",
    connection_id,
    data: { subscription_id: id, connection_id, external_id, operation, reason },
  };
}

async function fail(
  attempt: RunAttempt,
  { reason, permanent, endsWalk }: Extract<Interruption, { kind: "failed" }>,
): Promise<number> {
  const { job, subscription, progress, store, opened, now } = attempt;
  // A walk that makes progress between failures does not count as failing.
  const madeProgress = opened !== undefined && opened.pagesSinceCheckpoint > 0 && !endsWalk;
  const failures = madeProgress ? 1 : progress.failures + 1;
  const wasFailing = subscription.status === "failing";
  const isFailing = wasFailing || permanent || failures >= MAX_FAILURES;
  const begins = isFailing && !wasFailing;
  await store.tracking.commit(job, {
    ...(endsWalk ? { endsWalk } : pausedWalk(opened)),
    events: begins ? [failedEvent(attempt, reason)] : [],
    subscription: {
      status: isFailing ? "failing" : "active",
      reason: isFailing ? reason : null,
      ...(begins ? { failing_since: isoTime(now()) } : {}),
      ...unfinished(opened, reason),
      progress: { ...progress, failures },
    },
  });
  return untilRetry(subscription, failures);
}

/** Runs subscriptions. Each call does one job and returns in how many milliseconds it is due again. */
export function createSubscriptionRunner(options: SubscriptionRunnerOptions) {
  const { store, openList, planHook, log, onOutcome, tracing, maxPages = MAX_PAGES, now = Date.now } = options;

  async function clear(job: Job, client: Cancellation): Promise<void> {
    while ((await store.tracking.clear(job, RECORDS_PER_CLEARING)) > 0) client.throwIfCancelled();
  }

  function setOutcome(attempt: RunAttempt, outcome: RunOutcome): void {
    attempt.outcome = outcome;
    onOutcome?.(outcome);
  }

  /** A hint does not bring the next run forward: the provider, or our limit, wants it later. */
  async function interrupt(attempt: RunAttempt, interruption: Interruption): Promise<Due> {
    setOutcome(attempt, interruption.kind);
    if (interruption.kind === "failed") return { inMs: await fail(attempt, interruption), isEarliest: true };
    if (interruption.kind === "sleeping") return sleep(attempt, interruption.reason);
    await pauseWalk(attempt);
    // Jitter, so that they do not all resume at the same time.
    return { inMs: (interruption.seconds + Math.random()) * 1000, isEarliest: true };
  }

  async function attemptRun(attempt: RunAttempt, client: Cancellation): Promise<Due> {
    const list = await openList(attempt.subscription, client, attempt.span);
    attempt.list = list;
    const { is_valid, invalid_reason } = list.connection.record;
    if (!is_valid)
      return interrupt(attempt, { kind: "sleeping", reason: invalid_reason ?? "the connection is invalid" });
    await wantHook(attempt, list);
    const run = attempt as ActiveRun & RunAttempt;
    const opened = await openWalk(run);
    attempt.opened = opened;
    if (await advance(run, opened, client)) {
      const dueInMs = await finish(run, opened);
      setOutcome(attempt, "finished");
      return dueInMs;
    }
    await pauseWalk(attempt);
    setOutcome(attempt, "continues");
    return 0;
  }

  /** Says what may start the subscription besides its interval, if that is not known yet or has changed. */
  async function wantHook({ subscription }: RunAttempt, { connection, operation }: ListReader): Promise<void> {
    const planned = planHook(connection, operation, subscription.parameters);
    const target = "target" in planned ? planned.target : null;
    const reason = "reason" in planned ? planned.reason : null;
    const isKnown = target === subscription.hook_target && reason === subscription.hook_reason;
    if (!isKnown || (target !== null && !subscription.hook)) await store.hooks.want(subscription, planned);
  }

  return async function runJob(job: Job, lost: AbortSignal): Promise<Due> {
    const client = new Cancellation();
    lost.addEventListener("abort", () => client.cancel());
    if (lost.aborted) client.cancel();
    const subscription = await store.tracking.load(job.id);
    if (!subscription || subscription.progress.clearing) await clear(job, client);
    if (!subscription) {
      await store.jobs.remove(job.id);
      return 0;
    }
    if (subscription.status === "paused") return DAY_MS;
    const progress = { ...subscription.progress, clearing: false };
    if (subscription.progress.clearing) await store.tracking.commit(job, { subscription: { progress } });
    const span = tracing?.startInternal();
    const attempt: RunAttempt = { job, subscription, progress, store, maxPages, now, span };
    try {
      return await attemptRun(attempt, client);
    } catch (error) {
      if (error instanceof CancelledError) {
        await pauseWalk(attempt);
        return 0;
      }
      // It was deleted together with its subscription: the next run, which is due now, removes what is left.
      if (error instanceof Fault && error.kind === "connection_missing") return 0;
      const { walk } = attempt.opened ?? {};
      const interruption = interruptionBy(error, walk !== undefined && walk.cursor !== null && !walk.isRead);
      if (!interruption) throw error;
      return interrupt(attempt, interruption);
    } finally {
      span?.end(() => describeRun(attempt));
      const skipped = attempt.opened?.skipped ?? 0;
      if (skipped > 0) log.warn({ subscription_id: job.id, skipped }, "skipped records without an id");
    }
  };
}
