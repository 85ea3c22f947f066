import type { CountedCall, RateLimit } from "../contracts/coordination.ts";

interface Window {
  count: number;
  endsAt: number;
}

/** The call with this number in a window that ends in `leftMs`. */
export const toCountedCall = (number: number, { points, seconds }: RateLimit, leftMs: number): CountedCall => ({
  allowed: number <= points,
  remaining: Math.max(0, points - number),
  resetSeconds: Math.min(seconds, Math.max(1, Math.ceil(leftMs / 1000))),
});

function createCounter(limit: RateLimit) {
  // Ordered by end time: all windows have the same length, and the clock is monotonic.
  const windows = new Map<string, Window>();

  function startWindow(key: string, now: number): Window {
    for (const [oldest, { endsAt }] of windows) {
      if (endsAt > now) break;
      windows.delete(oldest);
    }
    const window = { count: 0, endsAt: now + limit.seconds * 1000 };
    windows.set(key, window);
    return window;
  }

  return (key: string): CountedCall => {
    const now = performance.now();
    let window = windows.get(key);
    if (!window || window.endsAt <= now) window = startWindow(key, now);
    return toCountedCall(++window.count, limit, window.endsAt - now);
  };
}

/** Rate limits counted in this process only, synchronously. A window starts with its first call. */
export function memoryLimits() {
  // A handful, which are found sooner without a key for a map.
  const counters: { limit: RateLimit; count: ReturnType<typeof createCounter> }[] = [];
  return (key: string, limit: RateLimit): CountedCall => {
    for (const { limit: known, count } of counters)
      if (known.points === limit.points && known.seconds === limit.seconds && known.group === limit.group)
        return count(key);
    const count = createCounter(limit);
    counters.push({ limit, count });
    return count(key);
  };
}
