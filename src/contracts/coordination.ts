export interface RateLimit {
  points: number;
  seconds: number;
  /** Keys are counted apart from those of other groups. */
  group?: string;
}

/** A call that was counted against a limit. */
export interface CountedCall {
  /** Whether it is within the limit. */
  allowed: boolean;
  /** Calls that are left in this window. */
  remaining: number;
  /** Seconds until the window ends, at least 1. */
  resetSeconds: number;
}

export interface Lock {
  release(): Promise<void>;
}

/**
 * Short-lived state that processes share: in memory for one process, in Redis for several. While Redis is unavailable,
 * limits and invalidations only work within each process; locks still work between all of them.
 */
export interface Coordination {
  /** Counts one call. A key that is kept and passed again is found faster than one that is put together each time. */
  consume(key: string, limit: RateLimit): CountedCall | Promise<CountedCall>;
  /**
   * Takes a lock that expires after `ttlMs`, or returns undefined if it is already taken. Only its owner can release
   * it.
   */
  lock(key: string, ttlMs: number): Promise<Lock | undefined>;
  /** Notifies every process, including this one, that a cached value is outdated. */
  invalidate(topic: Topic, id: string): Promise<void>;
  onInvalidate(listener: (topic: Topic, id: string) => void): void;
  /** How long cached values are valid, in milliseconds: short while invalidations do not arrive. */
  readonly cacheTtlMs: number;
  /** Undefined if nothing is shared with other processes. */
  readonly sharing: Sharing | undefined;
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface Sharing {
  /** Whether limits and invalidations reach the other processes at the moment. */
  readonly works: boolean;
  /** How often that stopped since the start. */
  readonly outages: number;
}

/** `all`: invalidations may have been missed, so every cached value is outdated. */
export type Topic =
  | "key"
  | "connection"
  | "integration"
  | "provider"
  | "workspace"
  | "tool_pack"
  | "custom_field"
  | "all";
