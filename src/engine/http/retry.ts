import type { Answer } from "../../contracts/upstream.ts";
import { header } from "../../provider-kit/request.ts";
import { type Ending, pointless } from "./cancellation.ts";

/** A longer wait is left to the client: the provider's answer goes out with its `Retry-After`. */
const LONGEST_WAIT_SECONDS = 20;
const FIRST_BACKOFF_MS = 200;

export const isRetryableStatus = (status: number) => status === 408 || status === 429 || status >= 500;

/** Seconds that an answer asks to wait, by `Retry-After` as seconds or as a date. */
export function retryAfter(answer: Pick<Answer, "headers">): number | undefined {
  const value = header(answer, "retry-after");
  if (value === undefined) return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000);
}

/** How long to wait before the next try, in milliseconds; undefined: not worth waiting for. */
export function backoff(attempt: number, askedSeconds: number | undefined): number | undefined {
  if (askedSeconds !== undefined) return askedSeconds > LONGEST_WAIT_SECONDS ? undefined : askedSeconds * 1000;
  // Exponential with full jitter, so that clients which failed together do not come back together.
  return Math.random() * FIRST_BACKOFF_MS * 2 ** attempt;
}

/** Waits. Where something ends first that makes it pointless, it throws. */
export function pause(milliseconds: number, ending?: Ending): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      ending?.off(stop);
      resolve();
    }, milliseconds);
    const stop = () => {
      clearTimeout(timer);
      reject(pointless());
    };
    ending?.on(stop);
  });
}
