import type { CountedCall, RateLimit } from "../../contracts/coordination.ts";
import type { SurfaceReply } from "./surface-types.ts";

const names = (prefix: string) => ({
  limit: `${prefix}ratelimit-limit`,
  remaining: `${prefix}ratelimit-remaining`,
  reset: `${prefix}ratelimit-reset`,
});

const USUAL_PREFIX = "x-";
export const USUAL_RATE_LIMIT_NAMES = Object.values(names(USUAL_PREFIX));

/**
 * Returns the function that sets the headers about our limit on a response. The Proxy gives them our own prefix, since
 * the usual names belong to the provider there.
 */
export function createRateLimitHeaders({ points }: RateLimit, prefix = USUAL_PREFIX) {
  const { limit, remaining, reset } = names(prefix.toLowerCase());
  return (reply: Pick<SurfaceReply, "header">, counted: CountedCall): void => {
    reply.header(limit, points);
    reply.header(remaining, counted.remaining);
    reply.header(reset, counted.resetSeconds);
  };
}
