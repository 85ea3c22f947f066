import type { Answer } from "../contracts/upstream.ts";
import { header } from "./request.ts";

/** For providers that send the time at which the limit resets, as a Unix timestamp in seconds, instead of `Retry-After`. */
export function secondsUntilReset(answer: Answer): number | undefined {
  const reset = Number(header(answer, "x-ratelimit-reset"));
  return answer.status === 429 && reset > 0 ? Math.max(0, reset - Date.now() / 1000) : undefined;
}
