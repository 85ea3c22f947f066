import type { Coordination } from "../contracts/coordination.ts";
import type { Store } from "../contracts/store.ts";
import type { BasicLogger } from "../contracts/telemetry.ts";
import { createMemoryCoordination } from "./memory.ts";

export interface CoordinationOptions {
  /** Absent or empty: coordination stays within this process. */
  redisUrl?: string;
  /** Prefix of all keys and channels, for a Redis that is shared with other applications. */
  prefix?: string;
  store: Pick<Store, "locks" | "externalWriteCounter">;
  log: BasicLogger;
}

export async function createCoordination(options: CoordinationOptions): Promise<Coordination> {
  const { redisUrl, prefix = "plugboard:", store, log } = options;
  if (!redisUrl) return createMemoryCoordination(store);
  const { createRedisCoordination } = await import("./redis.ts");
  return createRedisCoordination({ url: redisUrl, prefix, store, log });
}
