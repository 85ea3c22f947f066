import type { Coordination, RateLimit } from "../contracts/coordination.ts";

interface Window {
  count: number;
  endsAt: number;
}

function createCounter({ points, seconds }: RateLimit) {
  // Ordered by end time: all windows have the same length, and the clock is monotonic.
  const windows = new Map<string, Window>();

  function startWindow(key: string, now: number): void {
    for (const [oldest, { endsAt }] of windows) {
      if (endsAt > now) break;
      windows.delete(oldest);
    }
    windows.set(key, { count: 1, endsAt: now + seconds * 1000 });
  }

  return (key: string): number | undefined => {
    const now = performance.now();
    const window = windows.get(key);
    if (!window || window.endsAt <= now) startWindow(key, now);
    else if (++window.count > points) return Math.max(1, Math.ceil((window.endsAt - now) / 1000));
    return undefined;
  };
}

/** Rate limits counted in this process only, synchronously. A window starts with its first call. */
export function memoryLimits(): Coordination["consume"] {
  const counters = new Map<string, ReturnType<typeof createCounter>>();
  return (key, limit) => {
    const name = `${limit.points}/${limit.seconds}`;
    let count = counters.get(name);
    if (!count) {
      count = createCounter(limit);
      counters.set(name, count);
    }
    return count(key);
  };
}
