import type { Redis } from "ioredis";
import type { BasicLogger } from "../contracts/telemetry.ts";

interface BreakerOptions {
  /** A key to write to, to find out whether Redis works. */
  probeKey: string;
  log: BasicLogger;
  /** Redis is available, for the first time or again. */
  onAvailable(): void;
}

const PROBE_EVERY_MS = 1000;

/**
 * A circuit breaker, so that an unavailable or hanging Redis does not delay requests: after one failure the fallback is
 * used immediately, until a probe in the background succeeds.
 */
export function createBreaker(redis: Redis, { probeKey, log, onAvailable }: BreakerOptions) {
  let available = false;
  let warned = false;
  let outages = 0;
  let closed = false;

  function markUnavailable(error: Error): void {
    available = false;
    if (warned || closed) return;
    warned = true;
    outages += 1;
    log.warn({ reason: error.message }, "Redis is unavailable; falling back to per-process rate limits");
  }

  async function probe(): Promise<void> {
    if (available || closed) return;
    try {
      // A write, because a replica or a full server still answers reads.
      await redis.set(probeKey, "", "PX", PROBE_EVERY_MS);
    } catch (error) {
      // A connection may be dead without having been closed.
      if (redis.status === "ready") redis.disconnect(true);
      return markUnavailable(error as Error);
    }
    if (available) return;
    available = true;
    if (warned) log.info("Redis is available again");
    warned = false;
    onAvailable();
  }

  redis.on("ready", probe);
  redis.on("error", markUnavailable);
  redis.on("close", () => markUnavailable(new Error("the connection was closed")));
  const timer = setInterval(probe, PROBE_EVERY_MS);
  timer.unref();

  return {
    probe,
    get available() {
      return available;
    },
    get outages() {
      return outages;
    },
    /** Runs a command, or the fallback if Redis is unavailable. */
    async run<Result>(
      command: () => Result | Promise<Result>,
      fallback: () => Result | Promise<Result>,
    ): Promise<Result> {
      if (!available) return fallback();
      try {
        return await command();
      } catch (error) {
        markUnavailable(error as Error);
        return fallback();
      }
    },
    close() {
      closed = true;
      clearInterval(timer);
    },
  };
}
