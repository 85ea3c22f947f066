export interface RateLimit {
  points: number;
  seconds: number;
}

export interface Lock {
  release(): Promise<void>;
}

/**
 * What processes share for a short time. In memory for one process, on Redis for many. Where Redis does not answer,
 * limits and invalidations are the process's own until it does; locks hold in any case.
 */
export interface Coordination {
  /** Counts one call. Undefined: go on. Else the seconds until the window ends. */
  consume(key: string, limit: RateLimit): number | undefined | Promise<number | undefined>;
  /**
   * Takes a lock that ends by itself after `ttlMs`, or returns undefined where another holds it. Only its owner can
   * release it.
   */
  lock(key: string, ttlMs: number): Promise<Lock | undefined>;
  /** Tells every process, this one included, that something cached is no longer true. */
  invalidate(topic: Topic, id: string): Promise<void>;
  onInvalidate(listener: (topic: Topic, id: string) => void): void;
  /** How long a process may trust what it has cached, in milliseconds: short where it hears of no changes. */
  readonly cacheTtlMs: number;
  /** Undefined where nothing is shared with other processes. */
  readonly sharing: Sharing | undefined;
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface Sharing {
  /** Whether limits and changes reach the other processes just now. */
  readonly works: boolean;
  /** How often it ceased to, since the start. */
  readonly outages: number;
}

/** `all`: changes may have been missed, so nothing cached can be trusted. */
export type Topic = "key" | "connection" | "integration" | "workspace" | "all";
