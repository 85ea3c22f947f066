import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Coordination, RateLimit } from "../contracts/coordination.ts";

/** Counts by limiters that are made as they are needed, one for each limit. */
export function createLimits(create: (limit: RateLimit) => RateLimiterAbstract): Coordination["consume"] {
  const limiters = new Map<string, RateLimiterAbstract>();

  function limiterOf(limit: RateLimit): RateLimiterAbstract {
    const name = `${limit.points}/${limit.seconds}`;
    const known = limiters.get(name);
    if (known) return known;
    const made = create(limit);
    limiters.set(name, made);
    return made;
  }

  return async (key, limit) => {
    try {
      await limiterOf(limit).consume(key);
      return undefined;
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      return Math.max(1, Math.ceil(error.msBeforeNext / 1000));
    }
  };
}

/** Counts in this process alone. */
export const memoryLimits = (): Coordination["consume"] =>
  createLimits(({ points, seconds }) => new RateLimiterMemory({ points, duration: seconds }));
