// What keeps the windows of rate limits, at a time that the test decides: a model, and the script in a real Redis.
import { once } from "node:events";
import type { Redis } from "ioredis";
import {
  MAX_RESERVED_PART,
  parseRecall,
  redisLimits,
  type WindowReply,
  type WindowRequest,
} from "../../../src/coordination/redis-limits.ts";

export interface WindowServer {
  /** Executes a request. `recalled`: it asked all processes to return their points in this window. */
  execute(request: WindowRequest, now: number): Promise<{ reply: WindowReply; recalled: boolean }>;
}

/** Redis rounds the time left to milliseconds, upwards at worst. */
const leftMs = (endsAt: number, now: number) => Math.ceil(endsAt - now);

/** The same rules as those of the script, but fast. */
export function modelServer(): WindowServer {
  interface Window {
    id: string;
    given: number;
    reserved: number;
    exact: boolean;
    endsAt: number;
  }
  const windows = new Map<string, Window>();
  let ids = 0;

  return {
    async execute({ name, limit, window, calls, reserve, used, returned }, now) {
      let stored = windows.get(name);
      if (stored && stored.endsAt <= now) stored = undefined;
      if (!stored && calls === 0) {
        const reply = { window: "", counted: 0, reserved: 0, used: 0, exact: false, leftMs: 0 };
        return { reply, recalled: false };
      }
      if (!stored) {
        stored = { id: `model${ids++}`, given: 0, reserved: 0, exact: false, endsAt: now + limit.seconds * 1000 };
        windows.set(name, stored);
      }
      if (stored.id === window) {
        stored.given -= returned;
        stored.reserved -= used + returned;
      }
      const counted = Math.min(calls, limit.points - stored.given);
      stored.given += counted;
      const room = Math.floor((limit.points - stored.given) / MAX_RESERVED_PART);
      const reserved = stored.exact ? 0 : Math.min(reserve, room);
      stored.given += reserved;
      stored.reserved += reserved;
      const recalled = counted < calls && stored.reserved > 0 && !stored.exact;
      if (recalled) stored.exact = true;
      const reply = {
        window: stored.id,
        counted,
        reserved,
        used: stored.given - stored.reserved,
        exact: stored.exact,
        leftMs: leftMs(stored.endsAt, now),
      };
      return { reply, recalled };
    },
  };
}

/** The script. Windows end when the test's time says so, not Redis's. */
export function scriptServer(redis: Redis, subscriber: Redis, channel: string): WindowServer {
  const exchange = redisLimits(redis, channel);
  const ends = new Map<string, number>();
  const exactWindows = new Set<string>();

  return {
    async execute(request, now) {
      const { name, limit } = request;
      if ((ends.get(name) ?? now) <= now) {
        await redis.del(name);
        ends.delete(name);
      }
      const message = once(subscriber, "message");
      const [reply] = await exchange([{ ...request, limit: { ...limit, seconds: 3600 } }]);
      const { window, exact } = reply!;
      if (window && !ends.has(name)) ends.set(name, now + limit.seconds * 1000);
      const recalled = exact && !exactWindows.has(window);
      if (recalled) {
        exactWindows.add(window);
        const [, text] = await message;
        const recall = parseRecall(text);
        if (recall.window !== window || recall.name !== name) throw new Error(`the script recalled ${text}`);
      }
      return { reply: { ...reply!, leftMs: window ? leftMs(ends.get(name)!, now) : 0 }, recalled };
    },
  };
}
