import type { Coordination, Topic } from "../contracts/coordination.ts";
import type { Store } from "../contracts/store.ts";
import { memoryLimits } from "./memory-limits.ts";
import { storeLocks } from "./store-locks.ts";

/**
 * How long something cached may be trusted where changes by other processes are not heard of. A second less than the
 * five after which nobody may go by what is no longer true: reading it again takes time, too.
 */
export const UNTOLD_CACHE_LIFE_MS = 4000;

/** How long it may be trusted where every change is heard of. */
export const TOLD_CACHE_LIFE_MS = 60_000;
const LOOK_EVERY_MS = 1000;

/**
 * For one process. Another one on the same store shares the locks. Its changes are not heard of one by one; but where
 * the store tells that there were none since an entry was loaded, that entry is still true.
 */
export function createMemoryCoordination(store: Pick<Store, "locks" | "outsideWrites">): Coordination {
  const listeners: ((topic: Topic, id: string) => void)[] = [];
  let version: number | undefined;
  let changedAt = Number.POSITIVE_INFINITY;

  function look(): void {
    let found: number | undefined;
    try {
      found = store.outsideWrites!();
    } catch {
      // The store is away, and nobody knows.
    }
    if (found === undefined || found !== version) changedAt = Date.now();
    version = found;
  }

  let timer: NodeJS.Timeout | undefined;
  if (store.outsideWrites) {
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
    get cacheLifeMs() {
      return Math.min(TOLD_CACHE_LIFE_MS, Math.max(UNTOLD_CACHE_LIFE_MS, Date.now() - changedAt));
    },
    sharing: undefined,
    async ping() {},
    async close() {
      clearInterval(timer);
    },
  };
}
