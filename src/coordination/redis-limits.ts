import { randomBytes } from "node:crypto";
import type { Redis } from "ioredis";
import type { RateLimit } from "../contracts/coordination.ts";

/**
 * The points of a window that may be reserved in one request: this part of those that nobody has yet. The last seven
 * points are therefore never reserved, and what processes hold shrinks as the limit comes closer.
 */
export const MAX_RESERVED_PART = 8;

/** What a process asks for in the window of one key, and reports about the points that it reserved there before. */
export interface WindowRequest {
  /** The key in Redis. */
  name: string;
  limit: RateLimit;
  /** The window that `used` and `returned` are about. If it has ended, they are ignored. */
  window: string;
  /** How many calls to count. */
  calls: number;
  /** How many points to reserve for later calls. */
  reserve: number;
  /** Reserved points that were used since the last request. */
  used: number;
  /** Reserved points that are given back. */
  returned: number;
}

export interface WindowReply {
  /** Empty if there is no window and no call to start one. */
  window: string;
  /** How many of the calls are within the limit. */
  counted: number;
  reserved: number;
  /** The calls in this window that Redis knows of: all except those with reserved points that were not reported yet. */
  used: number;
  /** Nothing is reserved in this window anymore. */
  exact: boolean;
  /** Milliseconds until the window ends. */
  leftMs: number;
}

export type ExchangeRequests = (requests: WindowRequest[]) => Promise<WindowReply[]>;

/**
 * A window starts with its first call. `given` are the points that calls or processes have, `reserved` those of them
 * that processes have and did not report as used. If a call finds no point left while some are reserved, the window
 * becomes exact, and every process is asked to return what it has.
 */
const EXCHANGE = `
local channel, newWindow, replies = ARGV[1], ARGV[2], {}
for index, key in ipairs(KEYS) do
  local at = 7 * index - 4
  local points, length, known = tonumber(ARGV[at]), tonumber(ARGV[at + 1]), ARGV[at + 2]
  local calls, reserve = tonumber(ARGV[at + 3]), tonumber(ARGV[at + 4])
  local used, returned = tonumber(ARGV[at + 5]), tonumber(ARGV[at + 6])
  local stored = redis.call("hmget", key, "window", "given", "reserved", "exact")
  local window, exact = stored[1], tonumber(stored[4]) or 0
  local given, reserved = tonumber(stored[2]) or 0, tonumber(stored[3]) or 0
  if window == known then
    given = given - returned
    reserved = reserved - used - returned
  end
  if not window and calls == 0 then
    replies[index] = { "", 0, 0, 0, 0, 0 }
  else
    window = window or newWindow
    local counted = math.min(calls, points - given)
    given = given + counted
    local block = 0
    if exact == 0 then block = math.min(reserve, math.floor((points - given) / ${MAX_RESERVED_PART})) end
    given = given + block
    reserved = reserved + block
    if counted < calls and reserved > 0 and exact == 0 then
      exact = 1
      redis.call("publish", channel, window .. " " .. key)
    end
    redis.call("hset", key, "window", window, "given", given, "reserved", reserved, "exact", exact)
    local left = redis.call("pttl", key)
    if left < 0 then
      left = length
      redis.call("pexpire", key, length)
    end
    replies[index] = { window, counted, block, given - reserved, exact, left }
  end
end
return replies`;

/** Rate limits over all processes, counted in Redis. Messages on `channel` are for `parseRecall`. */
export function redisLimits(redis: Redis, channel: string): ExchangeRequests {
  redis.defineCommand("plugboardLimits", { lua: EXCHANGE });
  type Reply = [window: string, counted: number, reserved: number, used: number, exact: number, leftMs: number];
  const send = (redis as unknown as { plugboardLimits(...args: (string | number)[]): Promise<Reply[]> })
    .plugboardLimits;
  const self = randomBytes(9).toString("base64url");
  let commands = 0;

  return async (requests) => {
    const values = requests.flatMap(({ limit, window, calls, reserve, used, returned }) => [
      limit.points,
      limit.seconds * 1000,
      window,
      calls,
      reserve,
      used,
      returned,
    ]);
    const names = requests.map(({ name }) => name);
    const newWindow = `${self}${(commands++).toString(36)}`;
    const replies = await send.call(redis, names.length, ...names, channel, newWindow, ...values);
    return replies.map(([window, counted, reserved, used, exact, leftMs]) => ({
      window,
      counted,
      reserved,
      used,
      exact: exact === 1,
      leftMs,
    }));
  };
}

/** The window whose reserved points have to be returned. */
export function parseRecall(message: string): { window: string; name: string } {
  const space = message.indexOf(" ");
  return { window: message.slice(0, space), name: message.slice(space + 1) };
}
