import type { KeyObject } from "node:crypto";
import type { Job } from "../contracts/events.ts";
import type { BasicLogger } from "../contracts/telemetry.ts";
import type { Tracing } from "../contracts/tracing.ts";
import type { AttemptResult, DueDeliveries, WebhookOutcome, WebhookStore } from "../contracts/webhooks.ts";
import { Cancellation, describeCall, type Engine, type EventAnswer } from "../engine/index.ts";
import { MAX_FAILING_MS, nextAttemptMs } from "./retry-schedule.ts";
import { eventBody, signedHeaders, signingKey } from "./signature.ts";

const TIMEOUT_MS = 15_000;
/** How many deliveries of one webhook are sent in parallel. */
const CONCURRENCY = 16;
/** How many are read, and their results written, together. */
const BATCH_SIZE = 64;
/** How long deliveries in flight may still take when the job has to stop. */
const STOP_GRACE_MS = 5_000;
/** When a webhook with nothing to deliver is looked at again. Its job is woken when that changes. */
const IDLE_MS = 24 * 3_600_000;
/** How far `last_triggered_at` may be behind, so that it does not cost a write for each delivery. */
const TRIGGERED_PRECISION_MS = 60_000;
/** The status with which a receiver says that it will not come back. */
const GONE = 410;

/** How an attempt ended, for metrics. `rejected`: the answer was not a success. */
export type AttemptOutcome = "delivered" | "rejected" | "timeout" | "unreachable" | "forbidden";

export interface WebhookWorkerOptions {
  store: Pick<WebhookStore, "deliveries">;
  post: Engine["eventPoster"]["post"];
  log: BasicLogger;
  attempted(outcome: AttemptOutcome): void;
  /** Undefined if traces are off. */
  tracing?: Tracing | undefined;
  /** The time in milliseconds. */
  now?: () => number;
  random?: () => number;
}

type DueDelivery = DueDeliveries["deliveries"][number];

interface FinishedAttempt {
  result: AttemptResult;
  gone: boolean;
}

const isSuccess = (status: number) => status >= 200 && status < 300;
const iso = (milliseconds: number) => new Date(milliseconds).toISOString();

/** Sends the due deliveries of one webhook. Returns in how many milliseconds there is more to do. */
export function createWebhookWorker(options: WebhookWorkerOptions) {
  const { store, post, log, attempted, tracing, now = Date.now, random = Math.random } = options;

  function toAttempt(delivery: DueDelivery, startedAt: number, answer: EventAnswer): FinishedAttempt {
    const endedAt = now();
    const status = answer.outcome === "answered" ? answer.status : null;
    const delivered = status !== null && isSuccess(status);
    if (answer.outcome === "answered") attempted(delivered ? "delivered" : "rejected");
    else if (answer.outcome !== "cancelled") attempted(answer.outcome);
    const gone = status === GONE;
    const asked = answer.outcome === "answered" ? answer.retryAfterSeconds : undefined;
    const next = delivered || gone ? undefined : nextAttemptMs(endedAt, delivery.tries + 1, asked, random);
    return {
      gone,
      result: {
        delivery_id: delivery.id,
        at: iso(startedAt),
        status,
        error: answer.outcome === "answered" ? null : answer.error,
        duration_ms: endedAt - startedAt,
        answer: answer.outcome === "answered" && answer.answer !== "" ? answer.answer : null,
        state: delivered ? "delivered" : next === undefined ? "failed" : "pending",
        next_attempt_at: next === undefined ? null : iso(next),
      },
    };
  }

  async function send(
    { id, url, keys }: { id: string; url: string; keys: KeyObject[] },
    delivery: DueDelivery,
    stop: Cancellation,
  ): Promise<FinishedAttempt | undefined> {
    const startedAt = now();
    const body = eventBody(delivery.event);
    const headers = signedHeaders({ id: delivery.event.id, body, atMs: startedAt }, keys);
    const span = tracing?.startClient(undefined);
    const traceparent = span?.traceparent;
    const sent = traceparent ? { ...headers, traceparent } : headers;
    const answer = await post({ url, headers: sent, body, timeoutMs: TIMEOUT_MS }, stop);
    span?.end(() => {
      const outcome = answer.outcome === "answered" ? answer.status : answer.outcome;
      return describeCall({ method: "POST", origin: new URL(url).origin }, outcome, delivery.tries, {
        "plugboard.webhook_id": id,
        "plugboard.event_id": delivery.event.id,
        "plugboard.event_type": delivery.event.type,
        "plugboard.workspace_id": delivery.event.workspace_id,
      });
    });
    // Whether it arrived is unknown, so it is sent again.
    return answer.outcome === "cancelled" ? undefined : toAttempt(delivery, startedAt, answer);
  }

  /** Sends in parallel lanes, oldest first; a lane stops after a failure. Returns the attempts as they finished. */
  async function sendAll(due: DueDeliveries, lost: AbortSignal): Promise<FinishedAttempt[]> {
    const attempts: FinishedAttempt[] = [];
    const receiver = { id: due.webhook.id, url: due.webhook.url, keys: due.secrets.map(signingKey) };
    const waiting = [...due.deliveries];
    let failed = due.webhook.failing_since !== null;
    // A failing webhook is tried with one delivery.
    const lanes = failed ? 1 : CONCURRENCY;
    if (failed) waiting.length = 1;
    const stop = new Cancellation();
    let graceTimer: NodeJS.Timeout | undefined;
    const startGracePeriod = () => {
      graceTimer = setTimeout(() => stop.cancel(), STOP_GRACE_MS);
    };
    lost.addEventListener("abort", startGracePeriod);
    async function lane(): Promise<void> {
      for (let first = true; first || !failed; first = false) {
        const delivery = lost.aborted ? undefined : waiting.shift();
        if (!delivery) return;
        const attempt = await send(receiver, delivery, stop);
        if (!attempt) return;
        attempts.push(attempt);
        failed = attempt.result.state !== "delivered";
      }
    }
    await Promise.all(Array.from({ length: lanes }, lane));
    lost.removeEventListener("abort", startGracePeriod);
    clearTimeout(graceTimer);
    return attempts;
  }

  function outcomeOf({ webhook }: DueDeliveries, attempts: readonly FinishedAttempt[]): WebhookOutcome {
    const { failing_since: was_failing_since, last_triggered_at: was_triggered_at } = webhook;
    const lastSuccess = attempts.findLastIndex(({ result }) => result.state === "delivered");
    const firstFailure = attempts[lastSuccess + 1]?.result.at ?? null;
    const failing_since = lastSuccess >= 0 ? firstFailure : (was_failing_since ?? firstFailure);
    const triggered = attempts.at(-1)!.result.at;
    const isRecent =
      was_triggered_at !== null && Date.parse(triggered) - Date.parse(was_triggered_at) < TRIGGERED_PRECISION_MS;
    const state = { was_failing_since, failing_since, last_triggered_at: isRecent ? undefined : triggered };
    if (attempts.some(({ gone }) => gone))
      return { ...state, disabled_reason: `the endpoint answered with status ${GONE}` };
    if (failing_since !== null && now() - Date.parse(failing_since) >= MAX_FAILING_MS)
      return { ...state, disabled_reason: `every attempt since ${failing_since} failed` };
    return state;
  }

  return async function run(job: Job, lost: AbortSignal): Promise<number> {
    while (!lost.aborted) {
      const due = await store.deliveries.due(job.id, iso(now()), BATCH_SIZE);
      if (!due?.webhook.enabled) return IDLE_MS;
      if (due.deliveries.length === 0)
        return due.next_at === null ? IDLE_MS : Math.max(0, Date.parse(due.next_at) - now());
      const attempts = await sendAll(due, lost);
      if (attempts.length === 0) continue;
      const outcome = outcomeOf(due, attempts);
      await store.deliveries.record(
        job,
        attempts.map(({ result }) => result),
        outcome,
      );
      if (outcome.disabled_reason === undefined) continue;
      const { id, workspace_id } = due.webhook;
      log.warn({ webhook_id: id, workspace_id, reason: outcome.disabled_reason }, "a webhook was turned off");
    }
    return 0;
  };
}
