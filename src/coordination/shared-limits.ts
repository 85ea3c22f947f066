import type { CountedCall, RateLimit } from "../contracts/coordination.ts";
import type { WindowReply, WindowRequest } from "./redis-limits.ts";
import { ReservedPoints } from "./reserved-points.ts";

const MAX_KEYS = 10_000;
/** A longer script would hold up the other clients of Redis. */
const MAX_KEYS_PER_COMMAND = 500;
const TIDY_EVERY_MS = 1000;

/**
 * When a call that found no point is tried again, because other processes have points that they did not use. After that
 * it is refused: a process that does not return them within this time is dead or hangs.
 */
const RETRY_AFTER_MS = [1, 2, 4, 8, 16, 32, 64, 128];

export interface LimitsClock {
  /** Milliseconds of a monotonic clock. */
  now(): number;
  /** Runs it at the end of this turn of the event loop. */
  defer(run: () => void): void;
  later(run: () => void, ms: number): void;
  /** Returns the function that ends it. */
  every(run: () => void, ms: number): () => void;
}

const realClock: LimitsClock = {
  now: () => performance.now(),
  defer: setImmediate,
  later: setTimeout,
  every(run, ms) {
    const timer = setInterval(run, ms);
    timer.unref();
    return () => clearInterval(timer);
  },
};

export interface SharedLimitsOptions {
  /** Prefix of all keys in Redis. */
  prefix: string;
  /** Whether Redis is available. */
  available(): boolean;
  /** Sends requests to Redis. Undefined if it is unavailable. */
  exchange(requests: WindowRequest[]): Promise<WindowReply[] | undefined>;
  /** Whether `recall` is called when another process needs the points that this one has reserved. */
  mayReserve(): boolean;
  /** Counts a call while Redis is unavailable. */
  countInProcess(key: string, limit: RateLimit): CountedCall;
  clock?: LimitsClock;
}

type Caller = (counted: CountedCall) => void;

interface Entry {
  points: ReservedPoints;
  /** Calls to be counted with the next request. */
  callers: Caller[];
  /** A request is sent at the end of this turn of the event loop. */
  scheduled: boolean;
  /** The next request is to reserve points even if there is no call to count. */
  refill: boolean;
  /** How often calls of a window were tried again, and whether they wait for the next time. */
  retries: { window: string; made: number };
  waiting: boolean;
}

interface Sent {
  entry: Entry;
  callers: Caller[];
  request: WindowRequest;
}

/**
 * Exact rate limits over all processes. While there is room, a process reserves points in Redis ahead of the calls that
 * use them, so that no call waits. Otherwise each call is counted by Redis, all calls of one turn of the event loop with
 * one command. docs/decisions.md has the rules, and why they keep the limit exact.
 */
export function createSharedLimits(options: SharedLimitsOptions) {
  const { prefix, available, exchange, mayReserve, countInProcess, clock = realClock } = options;
  /** Those that were asked for last are at the end. */
  const entries = new Map<string, Entry>();
  let scheduled: Entry[] = [];
  /** Redis replies in order, so when this has ended, all others have. */
  let lastCommand = Promise.resolve();

  const isCurrent = (entry: Entry) => entries.get(entry.points.name) === entry;

  function entryOf(key: string, limit: RateLimit): Entry {
    const name = `${prefix}limit:${limit.points}/${limit.seconds}:${key}`;
    const known = entries.get(name);
    if (known) return known;
    const entry = {
      points: new ReservedPoints(name, limit),
      callers: [],
      scheduled: false,
      refill: false,
      retries: { window: "", made: 0 },
      waiting: false,
    };
    entries.set(name, entry);
    if (entries.size > MAX_KEYS) {
      const [oldest, dropped] = entries.entries().next().value!;
      entries.delete(oldest);
      returnPoints(dropped);
    }
    return entry;
  }

  function schedule(entry: Entry): void {
    if (entry.scheduled) return;
    entry.scheduled = true;
    if (scheduled.push(entry) === 1) clock.defer(sendScheduled);
  }

  function sendScheduled(): void {
    const batch = scheduled;
    scheduled = [];
    if (!available()) {
      // What is to be returned stays for later.
      for (const entry of batch) countAllInProcess(entry, unschedule(entry));
      return;
    }
    for (let start = 0; start < batch.length; start += MAX_KEYS_PER_COMMAND)
      lastCommand = send(batch.slice(start, start + MAX_KEYS_PER_COMMAND));
  }

  async function send(batch: Entry[]): Promise<void> {
    const sentAt = clock.now();
    const sent = batch.map((entry) => prepare(entry, sentAt));
    const replies = await exchange(sent.map(({ request }) => request));
    const now = clock.now();
    for (const [index, each] of sent.entries()) {
      if (replies) settle(each, replies[index]!, sentAt, now);
      else fail(each);
    }
  }

  function prepare(entry: Entry, now: number): Sent {
    const { points } = entry;
    const callers = unschedule(entry);
    const reserve = isCurrent(entry) && (callers.length > 0 || entry.refill) && mayReserve();
    const request = points.request(callers.length, reserve, now);
    entry.refill = false;
    if (isCurrent(entry)) {
      entries.delete(points.name);
      entries.set(points.name, entry);
    }
    return { entry, callers, request };
  }

  function unschedule(entry: Entry): Caller[] {
    const { callers } = entry;
    entry.callers = [];
    entry.scheduled = false;
    return callers;
  }

  function fail({ entry, callers, request }: Sent): void {
    entry.points.fail(request);
    countAllInProcess(entry, callers);
  }

  function countAllInProcess({ points }: Entry, callers: Caller[]): void {
    for (const resolve of callers) resolve(countInProcess(points.name, points.limit));
  }

  function settle({ entry, callers, request }: Sent, reply: WindowReply, sentAt: number, now: number): void {
    const { points } = entry;
    points.apply(request, reply, sentAt, now);
    const withoutPoint: Caller[] = [];
    for (const [index, resolve] of callers.entries()) {
      // There may be a reserved point that came with another reply in the meantime.
      const counted = index < reply.counted ? points.count(now) : points.isFull ? points.refuse(now) : points.take(now);
      if (counted) resolve(counted);
      else withoutPoint.push(resolve);
    }
    if (withoutPoint.length > 0) waitForPoints(entry, withoutPoint, now);
    if (points.isExact || !isCurrent(entry)) returnPoints(entry);
  }

  /** All points are given out, but some are not known to be used: they are on their way back, unless a process died. */
  function waitForPoints(entry: Entry, callers: Caller[], now: number): void {
    const { points } = entry;
    if (entry.retries.window !== points.window) entry.retries = { window: points.window, made: 0 };
    const pause = RETRY_AFTER_MS[entry.retries.made];
    if (pause === undefined) {
      for (const resolve of callers) resolve(points.refuse(now));
      return;
    }
    entry.callers.unshift(...callers);
    if (entry.waiting) return;
    entry.waiting = true;
    entry.retries.made += 1;
    clock.later(() => {
      entry.waiting = false;
      schedule(entry);
    }, pause);
  }

  function returnPoints(entry: Entry): void {
    entry.points.returnUnused();
    if (entry.points.hasReport) schedule(entry);
  }

  function tidy(): void {
    if (!available()) return;
    const now = clock.now();
    for (const [name, entry] of entries) {
      const isIdle = entry.points.tidy(now);
      if (isIdle) entries.delete(name);
      if (entry.points.hasReport) schedule(entry);
    }
  }
  const stopTidying = clock.every(tidy, TIDY_EVERY_MS);

  return {
    /** Counts a call: without a promise if no request to Redis is needed. */
    consume(key: string, limit: RateLimit): CountedCall | Promise<CountedCall> {
      const entry = entryOf(key, limit);
      const { points } = entry;
      const counted = points.take(clock.now());
      if (counted) {
        if (points.isLow && !points.isFull && mayReserve()) {
          entry.refill = true;
          schedule(entry);
        }
        return counted;
      }
      if (!available()) return countInProcess(points.name, limit);
      if (!entry.waiting) schedule(entry);
      return new Promise((resolve) => entry.callers.push(resolve));
    },

    /** Another process found no point left in this window. */
    recall({ window, name }: { window: string; name: string }): void {
      const entry = entries.get(name);
      if (!entry) return;
      entry.points.recall(window);
      if (entry.points.isExact) returnPoints(entry);
    },

    returnAll(): void {
      for (const entry of entries.values()) returnPoints(entry);
    },

    /** Returns all reserved points, and those of reservations that are under way. */
    async close(): Promise<void> {
      stopTidying();
      const all = [...entries.values()];
      entries.clear();
      for (const entry of all) returnPoints(entry);
      sendScheduled();
      await lastCommand;
      sendScheduled();
      await lastCommand;
    },
  };
}
