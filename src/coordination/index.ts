import type { Coordination } from "../contracts/coordination.ts";
import type { Store } from "../contracts/store.ts";
import { createMemoryCoordination } from "./memory.ts";
import type { Log } from "./redis-breaker.ts";

export interface CoordinationOptions {
  /** Absent or empty: within this process. */
  redisUrl?: string;
  /** For a Redis that is shared with others. */
  prefix?: string;
  store: Pick<Store, "locks" | "externalWriteCounter">;
  log: Log;
}

export async function createCoordination(options: CoordinationOptions): Promise<Coordination> {
  const { redisUrl, prefix = "plugboard:", store, log } = options;
  if (!redisUrl) return createMemoryCoordination(store);
  const { createRedisCoordination } = await import("./redis.ts");
  return createRedisCoordination({ url: redisUrl, prefix, store, log });
}
