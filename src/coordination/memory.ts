import type { Coordination, Topic } from "../contracts/coordination.ts";
import type { Store } from "../contracts/store.ts";
import { memoryLimits } from "./memory-limits.ts";
import { storeLocks } from "./store-locks.ts";

/**
 * How long a cache entry is valid if changes by other processes are not announced. Changes must take effect within five
 * seconds; one of them is left for reading the entry again.
 */
export const CACHE_TTL_WITHOUT_INVALIDATION_MS = 4000;

/** How long a cache entry is valid if every change is announced. */
export const CACHE_TTL_WITH_INVALIDATION_MS = 60_000;
const CHECK_EVERY_MS = 1000;

/**
 * For a single process. Other processes on the same store share the locks, but do not announce their changes. If the
 * store can show that no other process has written since an entry was loaded, the entry stays valid longer.
 */
export function createMemoryCoordination(store: Pick<Store, "locks" | "externalWriteCounter">): Coordination {
  const listeners: ((topic: Topic, id: string) => void)[] = [];
  let lastCounter: number | undefined;
  let changedAt = 0;
  let cacheTtlMs = CACHE_TTL_WITHOUT_INVALIDATION_MS;

  function checkForWrites(): void {
    let counter: number | undefined;
    try {
      counter = store.externalWriteCounter!();
    } catch {
      // The store is unavailable: assume that something changed.
    }
    const now = Date.now();
    if (counter === undefined || counter !== lastCounter) changedAt = now;
    lastCounter = counter;
    const quietMs = now - changedAt;
    cacheTtlMs = Math.min(CACHE_TTL_WITH_INVALIDATION_MS, Math.max(CACHE_TTL_WITHOUT_INVALIDATION_MS, quietMs));
  }

  let timer: NodeJS.Timeout | undefined;
  if (store.externalWriteCounter) {
    checkForWrites();
    timer = setInterval(checkForWrites, CHECK_EVERY_MS);
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
      return cacheTtlMs;
    },
    sharing: undefined,
    async ping() {},
    async close() {
      clearInterval(timer);
    },
  };
}
