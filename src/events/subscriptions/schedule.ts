import { hash } from "node:crypto";
import type { Subscription } from "../../contracts/subscriptions.ts";

const FIRST_RETRY_MS = 5_000;
const MAX_RETRY_INTERVALS = 8;
const DAY_MS = 86_400_000;

/** When in its interval a subscription runs, so that they do not all run at the same time. */
function slotOf(id: string, intervalMs: number): number {
  return hash("sha256", id, "buffer").readUInt32BE(0) % intervalMs;
}

type Scheduled = Pick<Subscription, "id" | "interval_seconds" | "poll_with_webhook_seconds" | "hook">;

/** Whether the provider's own webhook can be relied on now. */
export const isHookHealthy = ({ hook }: Pick<Subscription, "hook">, nowMs: number): boolean =>
  hook !== null &&
  hook.state === "active" &&
  hook.missed_at === null &&
  (hook.expires_at === null || Date.parse(hook.expires_at) > nowMs);

/** How long until the list is read again, if nothing says that it has changed. */
export function currentInterval(subscription: Scheduled, nowMs: number): number {
  const { interval_seconds, poll_with_webhook_seconds, hook } = subscription;
  if (!isHookHealthy(subscription, nowMs)) return interval_seconds;
  const untilExpiry = hook?.expires_at ? (Date.parse(hook.expires_at) - nowMs) / 1000 : Number.POSITIVE_INFINITY;
  return Math.max(interval_seconds, Math.min(poll_with_webhook_seconds, Math.ceil(untilExpiry)));
}

/** Milliseconds until the next run, if the last one began at `startedMs`: at the slot, and not right after that run. */
export function untilNextRun(subscription: Scheduled, startedMs: number, nowMs: number): number {
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
