import { randomUUID } from "node:crypto";
import type { Coordination } from "../contracts/coordination.ts";
import type { Store } from "../contracts/store.ts";

/** Locks in the store, which all processes share. */
export const storeLocks =
  ({ locks }: Pick<Store, "locks">): Coordination["lock"] =>
  async (key, ttlMs) => {
    const owner = randomUUID();
    if (!(await locks.acquire(key, owner, ttlMs))) return undefined;
    return { release: () => locks.release(key, owner) };
  };
