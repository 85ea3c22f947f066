import { hash } from "node:crypto";
import { currentInterval, type ScheduledSubscription, type Subscription } from "../../contracts/subscriptions.ts";

const FIRST_RETRY_MS = 5_000;
const MAX_RETRY_INTERVALS = 8;
const DAY_MS = 86_400_000;

/** When in its interval a subscription runs, so that they do not all run at the same time. */
function slotOf(id: string, intervalMs: number): number {
  return hash("sha256", id, "buffer").readUInt32BE(0) % intervalMs;
}

/** Milliseconds until the next run, if the last one began at `startedMs`: at the slot, and not right after that run. */
export function untilNextRun(subscription: ScheduledSubscription, startedMs: number, nowMs: number): number {
  const { id } = subscription;
  const intervalMs = currentInterval(subscription, nowMs) * 1000;
  const earliest = Math.max(nowMs, startedMs + intervalMs / 2);
  const sinceSlot = (earliest - slotOf(id, intervalMs)) % intervalMs;
  return earliest - nowMs + (sinceSlot === 0 ? 0 : intervalMs - sinceSlot);
}

/** Milliseconds until the next attempt, after `failures` failed runs in a row. */
export function untilRetry({ interval_seconds }: Pick<Subscription, "interval_seconds">, failures: number): number {
  const longest = Math.min(interval_seconds * 1000 * MAX_RETRY_INTERVALS, DAY_MS);
  return Math.min(FIRST_RETRY_MS * 3 ** (failures - 1), longest);
}
