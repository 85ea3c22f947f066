import { setTimeout as sleep } from "node:timers/promises";

/** Other work gets its turn in between, also if it is written by this very process. */
const PAUSE_MS = 20;

/**
 * Deletes what is old in small batches, so that nothing else waits for longer than one of them, until the signal.
 * `deleteSome` returns how many of the `limit` there were.
 */
export async function deleteInBatches(
  deleteSome: (limit: number) => Promise<number>,
  limit: number,
  signal?: AbortSignal,
): Promise<void> {
  while ((await deleteSome(limit)) >= limit && !signal?.aborted) await sleep(PAUSE_MS, undefined, { ref: false });
}
