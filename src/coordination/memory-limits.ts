import type { Coordination, RateLimit } from "../contracts/coordination.ts";

interface Window {
  count: number;
  endsAt: number;
}

function createCounter({ points, seconds }: RateLimit) {
  // In the order of their ends, since all are as long and the clock is one that is never set.
  const windows = new Map<string, Window>();

  function begin(key: string, now: number): void {
    for (const [old, { endsAt }] of windows) {
      if (endsAt > now) break;
      windows.delete(old);
    }
    windows.set(key, { count: 1, endsAt: now + seconds * 1000 });
  }

  return (key: string): number | undefined => {
    const now = performance.now();
    const window = windows.get(key);
    if (!window || window.endsAt <= now) begin(key, now);
    else if (++window.count > points) return Math.max(1, Math.ceil((window.endsAt - now) / 1000));
    return undefined;
  };
}

/** Counts in this process alone, and at once. A window begins with its first call. */
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
