import type { Redis } from "ioredis";
import type { CountedCall, RateLimit } from "../contracts/coordination.ts";
import { BoundedMap } from "../runtime/bounded-map.ts";
import { toCountedCall } from "./memory-limits.ts";

/** Adds to each key's count and returns the count and the time left. A window starts with its first call. */
const COUNT = `
local results = {}
for index, key in ipairs(KEYS) do
  local count = redis.call("incrby", key, ARGV[2 * index - 1])
  local left = redis.call("pttl", key)
  if left < 0 then
    left = tonumber(ARGV[2 * index])
    redis.call("pexpire", key, left)
  end
  results[2 * index - 1] = count
  results[2 * index] = left
end
return results`;

interface Counted {
  count: number;
  /** Milliseconds until the window ends. */
  left: number;
}

/** The calls for one key that are counted together. */
interface PendingCount {
  windowMs: number;
  callers: { resolve(counted: Counted): void; reject(error: unknown): void }[];
}

const MAX_BLOCKED_KEYS = 10_000;

/**
 * Exact rate limits over all processes, counted in Redis. All calls of one turn of the event loop share one command,
 * because a command per call would cost more than all other work for a call.
 */
export function redisLimits(redis: Redis, prefix: string) {
  redis.defineCommand("plugboardCount", { lua: COUNT });
  const send = (redis as unknown as { plugboardCount(...args: (string | number)[]): Promise<number[]> }).plugboardCount;
  /** Keys over their limit, with the end of their window: until then they are refused without asking Redis. */
  const blocked = new BoundedMap<number>(MAX_BLOCKED_KEYS);
  let pending = new Map<string, PendingCount>();

  async function sendPending(): Promise<void> {
    const batch = pending;
    pending = new Map();
    const amounts = [...batch.values()].flatMap(({ callers, windowMs }) => [callers.length, windowMs]);
    try {
      const results = await send.call(redis, batch.size, ...batch.keys(), ...amounts);
      let at = 0;
      for (const { callers } of batch.values()) {
        const [count, left] = [results[at++]!, results[at++]!];
        const before = count - callers.length;
        for (const [index, { resolve }] of callers.entries()) resolve({ count: before + index + 1, left });
      }
    } catch (error) {
      for (const { callers } of batch.values()) for (const { reject } of callers) reject(error);
    }
  }

  function count(key: string, windowMs: number): Promise<Counted> {
    if (pending.size === 0) setImmediate(sendPending);
    let entry = pending.get(key);
    if (!entry) {
      entry = { windowMs, callers: [] };
      pending.set(key, entry);
    }
    const { callers } = entry;
    return new Promise((resolve, reject) => callers.push({ resolve, reject }));
  }

  return async (key: string, limit: RateLimit): Promise<CountedCall> => {
    const { points, seconds, group } = limit;
    const name = `${prefix}rate:${points}/${seconds}:${group === undefined ? key : `${group}:${key}`}`;
    const blockedFor = (blocked.get(name) ?? 0) - performance.now();
    if (blockedFor > 0) return toCountedCall(points + 1, limit, blockedFor);
    const { count: calls, left } = await count(name, seconds * 1000);
    if (calls > points) blocked.set(name, performance.now() + left);
    return toCountedCall(calls, limit, left);
  };
}
