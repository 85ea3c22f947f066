import type { Redis } from "ioredis";
import type { RateLimit } from "../contracts/coordination.ts";

/** Adds to each key's count, whose window begins with its first call; answers with the count and the time left. */
const COUNT = `
local answers = {}
for index, key in ipairs(KEYS) do
  local count = redis.call("incrby", key, ARGV[2 * index - 1])
  local left = redis.call("pttl", key)
  if left < 0 then
    left = tonumber(ARGV[2 * index])
    redis.call("pexpire", key, left)
  end
  answers[2 * index - 1] = count
  answers[2 * index] = left
end
return answers`;

interface Counted {
  count: number;
  /** Milliseconds until the window ends. */
  left: number;
}

interface Question {
  windowMs: number;
  waiting: { resolve(counted: Counted): void; reject(error: unknown): void }[];
}

/** Most keys that are remembered as being over their limit. */
const MAX_BLOCKED = 10_000;

/**
 * Counts in Redis, for all processes together, exactly. All calls of one turn of the event loop are one command: each
 * by itself costs more than all else that is done for a call.
 */
export function redisLimits(redis: Redis, prefix: string) {
  redis.defineCommand("plugboardCount", { lua: COUNT });
  const send = (redis as unknown as { plugboardCount(...args: (string | number)[]): Promise<number[]> }).plugboardCount;
  /** Who is over the limit is turned away without asking again until the window ends. */
  const blocked = new Map<string, number>();
  let questions = new Map<string, Question>();

  async function ask(): Promise<void> {
    const asked = questions;
    questions = new Map();
    const amounts = [...asked.values()].flatMap(({ waiting, windowMs }) => [waiting.length, windowMs]);
    try {
      const answers = await send.call(redis, asked.size, ...asked.keys(), ...amounts);
      let at = 0;
      for (const { waiting } of asked.values()) {
        const [count, left] = [answers[at++]!, answers[at++]!];
        const before = count - waiting.length;
        for (const [index, { resolve }] of waiting.entries()) resolve({ count: before + index + 1, left });
      }
    } catch (error) {
      for (const { waiting } of asked.values()) for (const { reject } of waiting) reject(error);
    }
  }

  function count(key: string, windowMs: number): Promise<Counted> {
    if (questions.size === 0) setImmediate(ask);
    let question = questions.get(key);
    if (!question) {
      question = { windowMs, waiting: [] };
      questions.set(key, question);
    }
    const { waiting } = question;
    return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
  }

  const secondsOf = (milliseconds: number) => Math.max(1, Math.ceil(milliseconds / 1000));

  return async (key: string, { points, seconds }: RateLimit): Promise<number | undefined> => {
    const name = `${prefix}rate:${points}/${seconds}:${key}`;
    const until = blocked.get(name);
    if (until !== undefined) {
      const left = until - Date.now();
      if (left > 0) return secondsOf(left);
      blocked.delete(name);
    }
    const { count: number, left } = await count(name, seconds * 1000);
    if (number <= points) return undefined;
    if (blocked.size >= MAX_BLOCKED) blocked.clear();
    blocked.set(name, Date.now() + left);
    return secondsOf(left);
  };
}
