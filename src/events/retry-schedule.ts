const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Delays before the retries, each counted from the failed attempt before it. The first attempt is made immediately. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** Spreads retries of what failed together: each delay is longer by up to this part. */
const JITTER = 0.1;
/** A receiver cannot postpone deliveries for longer than this. */
const MAX_RETRY_AFTER_MS = DAY;
/** A webhook whose attempts have all failed for this long is turned off. */
export const MAX_FAILING_MS = 5 * DAY;

/** The time of the next attempt after `tries` failed ones; undefined if there is none. */
export function nextAttemptMs(
  nowMs: number,
  tries: number,
  askedSeconds: number | undefined,
  random: () => number = Math.random,
): number | undefined {
  const delay = RETRY_DELAYS_MS[tries - 1];
  if (delay === undefined) return undefined;
  const asked = Math.min((askedSeconds ?? 0) * SECOND, MAX_RETRY_AFTER_MS);
  return nowMs + Math.max(delay, asked) * (1 + JITTER * random());
}
