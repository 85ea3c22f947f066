import type { Redis } from "ioredis";

export interface Log {
  info(message: string): void;
  warn(details: object, message: string): void;
}

interface BreakerOptions {
  /** A key that may be written to find out whether Redis works. */
  probeKey: string;
  log: Log;
  /** Redis answers, for the first time or again. */
  onAnswering(): void;
}

const PROBE_EVERY_MS = 1000;

/**
 * Keeps a Redis that is gone or hangs from holding requests up: after one failure everything goes the other way at
 * once, until a probe in the background is answered.
 */
export function createBreaker(redis: Redis, { probeKey, log, onAnswering }: BreakerOptions) {
  let answering = false;
  let warned = false;
  let outages = 0;
  let closed = false;

  function lost(error: Error): void {
    answering = false;
    if (warned || closed) return;
    warned = true;
    outages += 1;
    log.warn(
      { reason: error.message },
      "Redis does not answer: each process counts rate limits for itself until it does",
    );
  }

  async function probe(): Promise<void> {
    if (answering || closed) return;
    try {
      // A write, since a replica and a full server answer all else.
      await redis.set(probeKey, "", "PX", PROBE_EVERY_MS);
    } catch (error) {
      // A connection may be dead without having been closed.
      if (redis.status === "ready") redis.disconnect(true);
      return lost(error as Error);
    }
    if (answering) return;
    answering = true;
    if (warned) log.info("Redis answers again");
    warned = false;
    onAnswering();
  }

  redis.on("ready", probe);
  redis.on("error", lost);
  redis.on("close", () => lost(new Error("the connection was closed")));
  const timer = setInterval(probe, PROBE_EVERY_MS);
  timer.unref();

  return {
    probe,
    get answering() {
      return answering;
    },
    get outages() {
      return outages;
    },
    /** Asks Redis; where it does not answer, `otherwise` does. */
    async ask<Result>(
      question: () => Result | Promise<Result>,
      otherwise: () => Result | Promise<Result>,
    ): Promise<Result> {
      if (!answering) return otherwise();
      try {
        return await question();
      } catch (error) {
        lost(error as Error);
        return otherwise();
      }
    },
    close() {
      closed = true;
      clearInterval(timer);
    },
  };
}
