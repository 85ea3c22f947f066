import type { Answer } from "../../contracts/upstream.ts";
import { type Cancellation, CancelledError } from "./cancellation.ts";

/** A longer wait is left to the client, which gets the provider's response with its `Retry-After`. */
const MAX_WAIT_SECONDS = 20;
const FIRST_BACKOFF_MS = 200;

export const isRetryableStatus = (status: number) => status === 408 || status === 429 || status >= 500;

/** How many seconds a response asks to wait, by `Retry-After` as seconds or as a date. */
export function retryAfter({ headers }: Pick<Answer, "headers">): number | undefined {
  const [value] = [headers["retry-after"]].flat();
  if (value === undefined) return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000);
}

/** Milliseconds to wait before the next attempt; undefined if the provider asks for more than is worth waiting. */
export function backoff(attempt: number, askedSeconds: number | undefined): number | undefined {
  if (askedSeconds !== undefined) return askedSeconds > MAX_WAIT_SECONDS ? undefined : askedSeconds * 1000;
  // Exponential with full jitter, so that clients which failed together do not retry together.
  return Math.random() * FIRST_BACKOFF_MS * 2 ** attempt;
}

/** Waits; throws if it is canceled meanwhile. */
export function sleep(milliseconds: number, cancellation?: Cancellation): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      cancellation?.off(stop);
      resolve();
    }, milliseconds);
    const stop = {
      cancel() {
        clearTimeout(timer);
        reject(new CancelledError());
      },
    };
    cancellation?.onCancel(stop);
  });
}

interface RetryOptions {
  /** No further attempt starts after this long. */
  forMs: number;
  firstPauseMs?: number;
  maxPauseMs?: number;
  mayRetry?: (error: unknown) => boolean;
}

/** Repeats work that fails, with growing pauses, for a limited time. */
export async function retry<Result>(
  work: () => Promise<Result>,
  { forMs, firstPauseMs = 50, maxPauseMs = 1_000, mayRetry = () => true }: RetryOptions,
): Promise<Result> {
  const deadline = Date.now() + forMs;
  for (let wait = firstPauseMs; ; wait = Math.min(wait * 2, maxPauseMs)) {
    try {
      return await work();
    } catch (error) {
      if (!mayRetry(error) || Date.now() + wait > deadline) throw error;
      await sleep(wait);
    }
  }
}
