import type { Coordination, Topic } from "../contracts/coordination.ts";
import type { Store } from "../contracts/store.ts";
import { memoryLimits } from "./rate-limits.ts";
import { storeLocks } from "./store-locks.ts";

/**
 * How long something cached may be trusted where changes by other processes are not heard of. A second less than the
 * five after which nobody may go by what is no longer true: reading it again takes time, too.
 */
export const UNTOLD_CACHE_LIFE_MS = 4000;

/** For one process. Another one on the same store shares the locks; it learns of changes when its cache runs out. */
export function createMemoryCoordination(store: Pick<Store, "locks">): Coordination {
  const listeners: ((topic: Topic, id: string) => void)[] = [];
  return {
    consume: memoryLimits(),
    lock: storeLocks(store),
    async invalidate(topic, id) {
      for (const listener of listeners) listener(topic, id);
    },
    onInvalidate(listener) {
      listeners.push(listener);
    },
    cacheLifeMs: UNTOLD_CACHE_LIFE_MS,
    sharing: undefined,
    async ping() {},
    async close() {},
  };
}
