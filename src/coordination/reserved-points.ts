import type { CountedCall, RateLimit } from "../contracts/coordination.ts";
import { toCountedCall } from "./memory-limits.ts";
import type { WindowReply, WindowRequest } from "./redis-limits.ts";

/** A reservation is for as many calls as there would be in this time, at the rate since the last one. */
const RESERVED_MS = 100;
const MIN_RESERVATION = 4;
/** With fewer calls nothing is reserved: the points would be returned before they are used. */
const MIN_CALLS_PER_MS = 1 / 1000;

/** By how much the clocks of Redis and of a process may differ in speed. */
const CLOCK_DRIFT = 0.001;

/**
 * What one process knows about the window of one key, and the points that it has reserved in it. Times are in
 * milliseconds of a monotonic clock.
 */
export class ReservedPoints {
  readonly name: string;
  readonly limit: RateLimit;
  #window = "";
  /** Points that are left after all calls in this window that the process knows of. */
  #left: number;
  /** The window ends between these times. */
  #endsAfter = Number.NEGATIVE_INFINITY;
  #endsBefore = Number.POSITIVE_INFINITY;

  /** Reserved points for the next calls, and those that are given back with the next request. */
  #unused = 0;
  #toReturn = 0;
  /** Reserved points that calls in this window have used; of these, those that were reported, and that Redis counts. */
  #used = 0;
  #reported = 0;
  #acknowledged = 0;

  /** Nothing may be reserved in this window anymore. */
  #exact = false;
  /** The last window whose points had to be returned. It may be one that the process gets to know later. */
  #recalled: string | undefined;

  /** A request with a reservation is under way. */
  #reserving = false;
  /** The size that the last reservation was to have. */
  #size = 0;
  /** With so many unused points, or fewer, it is time for the next reservation. */
  #lowMark = 0;
  #reservedAt = Number.NEGATIVE_INFINITY;
  /** All calls so far, and how many they were at the last reservation and the last `tidy`. */
  #calls = 0;
  #callsAtReservation = 0;
  #callsAtTidy = 0;

  constructor(name: string, limit: RateLimit) {
    this.name = name;
    this.limit = limit;
    this.#left = limit.points;
  }

  get window(): string {
    return this.#window;
  }

  /** All points of this window are used. */
  get isFull(): boolean {
    return this.#left <= 0;
  }

  get isExact(): boolean {
    return this.#exact;
  }

  /** Whether points should be reserved before the next call needs one. */
  get isLow(): boolean {
    return this.#unused <= this.#lowMark && !this.#reserving && !this.#exact;
  }

  /** Whether there is something that Redis does not know. */
  get hasReport(): boolean {
    return this.#toReturn > 0 || this.#used > this.#reported;
  }

  /** Counts a call without Redis if there is a reserved point for it, or none for anybody. */
  take(now: number): CountedCall | undefined {
    if (now >= this.#endsAfter) return undefined;
    if (!this.isFull && this.#unused === 0) return undefined;
    this.#calls += 1;
    if (this.isFull) return this.refuse(now);
    this.#unused -= 1;
    this.#used += 1;
    return this.count(now);
  }

  /** The result for a call that has a point. */
  count(now: number): CountedCall {
    this.#left -= 1;
    return toCountedCall(this.limit.points - this.#left, this.limit, this.#endsBefore - now);
  }

  refuse(now: number): CountedCall {
    return toCountedCall(this.limit.points + 1, this.limit, this.#endsBefore - now);
  }

  /** The next request to Redis, with everything that Redis does not know. It ends with `apply` or `fail`. */
  request(calls: number, mayReserve: boolean, now: number): WindowRequest {
    this.#calls += calls;
    const request = {
      name: this.name,
      limit: this.limit,
      window: this.#window,
      calls,
      reserve: mayReserve && !this.#reserving && !this.#exact ? this.#nextReservation(now) : 0,
      used: this.#used - this.#reported,
      returned: this.#toReturn,
    };
    this.#reported = this.#used;
    this.#toReturn = 0;
    if (request.reserve > 0) this.#reserving = true;
    return request;
  }

  /** Starts small, follows the rate of calls, and at most doubles. */
  #nextReservation(now: number): number {
    const rate = (this.#calls - this.#callsAtReservation) / Math.max(1, now - this.#reservedAt);
    this.#reservedAt = now;
    this.#callsAtReservation = this.#calls;
    const most = Math.max(MIN_RESERVATION, 2 * this.#size);
    const wanted = Math.max(MIN_RESERVATION, Math.ceil(rate * RESERVED_MS));
    this.#size = rate < MIN_CALLS_PER_MS ? 0 : Math.min(wanted, most);
    this.#lowMark = this.#size >> 2;
    return Math.max(0, this.#size - this.#unused);
  }

  /** Replies must be applied in the order in which Redis executed the requests. */
  apply(request: WindowRequest, reply: WindowReply, sentAt: number, now: number): void {
    if (reply.window !== this.#window) this.#startWindow(reply.window);
    else this.#acknowledge(request);
    if (request.reserve > 0) this.#reserving = false;
    // Redis measured the time left after the request was sent and before the reply arrived.
    this.#endsAfter = Math.max(this.#endsAfter, sentAt + reply.leftMs * (1 - CLOCK_DRIFT) - 1);
    this.#endsBefore = Math.min(this.#endsBefore, now + reply.leftMs);
    const usedBefore = reply.used - reply.counted + (this.#used - this.#acknowledged);
    this.#left = Math.min(this.#left, this.limit.points - usedBefore);
    this.#unused += reply.reserved;
    this.#lowMark = Math.min(this.#size, this.#unused) >> 2;
    if (reply.exact || reply.window === this.#recalled) this.#exact = true;
  }

  /** Nobody knows whether Redis executed the request. Points that it was about may be lost until the window ends. */
  fail(request: WindowRequest): void {
    if (request.reserve > 0) this.#reserving = false;
    this.#acknowledge(request);
  }

  #acknowledge({ window, used }: WindowRequest): void {
    if (window === this.#window) this.#acknowledged += used;
  }

  #startWindow(window: string): void {
    this.#window = window;
    this.#left = this.limit.points;
    this.#endsAfter = Number.NEGATIVE_INFINITY;
    this.#endsBefore = Number.POSITIVE_INFINITY;
    this.#unused = 0;
    this.#toReturn = 0;
    this.#used = 0;
    this.#reported = 0;
    this.#acknowledged = 0;
    this.#exact = false;
  }

  /** Gives all unused points back with the next request, except `keep` of them. */
  returnUnused(keep = 0): void {
    if (this.#unused <= keep) return;
    this.#toReturn += this.#unused - keep;
    this.#unused = keep;
  }

  /** Another call found no point left in this window: from now on, every call in it is counted by Redis. */
  recall(window: string): void {
    this.#recalled = window;
    if (window !== this.#window) return;
    this.#exact = true;
    this.returnUnused();
  }

  /** Called regularly: returns what was not needed since the last time. Returns whether there were no calls at all. */
  tidy(now: number): boolean {
    const calls = this.#calls - this.#callsAtTidy;
    this.#callsAtTidy = this.#calls;
    this.returnUnused(now < this.#endsAfter ? 2 * calls : 0);
    return calls === 0;
  }
}
