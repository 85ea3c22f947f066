import type { Coordination, Topic } from "../contracts/coordination.ts";
import type { Store } from "../contracts/store.ts";
import { memoryLimits } from "./memory-limits.ts";
import { storeLocks } from "./store-locks.ts";

/**
 * How long something cached may be trusted where changes by other processes are not heard of. A second less than the
 * five after which nobody may go by what is no longer true: reading it again takes time, too.
 */
export const CACHE_TTL_WITHOUT_INVALIDATION_MS = 4000;

/** How long it may be trusted where every change is heard of. */
export const CACHE_TTL_WITH_INVALIDATION_MS = 60_000;
const LOOK_EVERY_MS = 1000;

/**
 * For one process. Another one on the same store shares the locks. Its changes are not heard of one by one; but where
 * the store tells that there were none since an entry was loaded, that entry is still true.
 */
export function createMemoryCoordination(store: Pick<Store, "locks" | "externalWriteCounter">): Coordination {
  const listeners: ((topic: Topic, id: string) => void)[] = [];
  let version: number | undefined;
  let changedAt = Number.POSITIVE_INFINITY;

  function look(): void {
    let found: number | undefined;
    try {
      found = store.externalWriteCounter!();
    } catch {
      // The store is away, and nobody knows.
    }
    if (found === undefined || found !== version) changedAt = Date.now();
    version = found;
  }

  let timer: NodeJS.Timeout | undefined;
  if (store.externalWriteCounter) {
    look();
    timer = setInterval(look, LOOK_EVERY_MS);
    timer.unref();
  }
  return {
    consume: memoryLimits(),
    lock: storeLocks(store),
    async invalidate(topic, id) {
      for (const listener of listeners) listener(topic, id);
    },
    onInvalidate(listener) {
      listeners.push(listener);
    },
    get cacheTtlMs() {
      return Math.min(
        CACHE_TTL_WITH_INVALIDATION_MS,
        Math.max(CACHE_TTL_WITHOUT_INVALIDATION_MS, Date.now() - changedAt),
      );
    },
    sharing: undefined,
    async ping() {},
    async close() {
      clearInterval(timer);
    },
  };
}
