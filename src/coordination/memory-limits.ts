import type { Coordination, RateLimit } from "../contracts/coordination.ts";

interface Window {
  count: number;
  endsAt: number;
}

function createCounter({ points, seconds }: RateLimit) {
  // In the order of their ends, since all are as long.
  const windows = new Map<string, Window>();

  function begin(key: string, now: number): void {
    for (const [old, { endsAt }] of windows) {
      if (endsAt > now) break;
      windows.delete(old);
    }
    windows.set(key, { count: 1, endsAt: now + seconds * 1000 });
  }

  return (key: string): number | undefined => {
    const now = Date.now();
    const window = windows.get(key);
    if (!window || window.endsAt <= now) begin(key, now);
    else if (++window.count > points) return Math.max(1, Math.ceil((window.endsAt - now) / 1000));
    return undefined;
  };
}

/** Counts in this process alone, and at once. A window begins with its first call. */
export function memoryLimits(): Coordination["consume"] {
  const byName = new Map<string, ReturnType<typeof createCounter>>();
  const known = new WeakMap<RateLimit, ReturnType<typeof createCounter>>();
  return (key, limit) => {
    let count = known.get(limit);
    if (!count) {
      const name = `${limit.points}/${limit.seconds}`;
      count = byName.get(name) ?? createCounter(limit);
      byName.set(name, count);
      known.set(limit, count);
    }
    return count(key);
  };
}
