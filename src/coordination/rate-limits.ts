import { type RateLimiterAbstract, RateLimiterRes } from "rate-limiter-flexible";
import type { Coordination, RateLimit } from "../contracts/coordination.ts";

type Consume = Coordination["consume"];

/** Counters that are made as they are needed, one for each limit. */
function perLimit(create: (limit: RateLimit) => (key: string) => ReturnType<Consume>): Consume {
  const byName = new Map<string, (key: string) => ReturnType<Consume>>();
  const known = new WeakMap<RateLimit, (key: string) => ReturnType<Consume>>();
  return (key, limit) => {
    let count = known.get(limit);
    if (!count) {
      const name = `${limit.points}/${limit.seconds}`;
      count = byName.get(name) ?? create(limit);
      byName.set(name, count);
      known.set(limit, count);
    }
    return count(key);
  };
}

/** Counts by what several processes share. */
export const sharedLimits = (create: (limit: RateLimit) => RateLimiterAbstract): Consume =>
  perLimit((limit) => {
    const limiter = create(limit);
    return async (key) => {
      try {
        await limiter.consume(key);
        return undefined;
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        return Math.max(1, Math.ceil(error.msBeforeNext / 1000));
      }
    };
  });

interface Window {
  count: number;
  endsAt: number;
}

/** Counts in this process alone, and at once. A window begins with its first call. */
export const memoryLimits = (): Consume =>
  perLimit(({ points, seconds }) => {
    // In the order of their ends, since all are as long.
    const windows = new Map<string, Window>();

    function begin(key: string, now: number): void {
      for (const [old, { endsAt }] of windows) {
        if (endsAt > now) break;
        windows.delete(old);
      }
      windows.set(key, { count: 1, endsAt: now + seconds * 1000 });
    }

    return (key) => {
      const now = Date.now();
      const window = windows.get(key);
      if (!window || window.endsAt <= now) begin(key, now);
      else if (++window.count > points) return Math.max(1, Math.ceil((window.endsAt - now) / 1000));
      return undefined;
    };
  });
