import { EventEmitter } from "node:events";
import type { Redis } from "ioredis";
import { expect, it, onTestFinished, vi } from "vitest";
import { createBreaker } from "./redis-breaker.ts";

function setUp(status: string) {
  const redis = Object.assign(new EventEmitter(), {
    status,
    set: vi.fn(async () => "OK"),
    disconnect: vi.fn(),
  });
  const log = { info: vi.fn(), warn: vi.fn() };
  const breaker = createBreaker(redis as unknown as Redis, { probeKey: "probe", log, onAvailable: vi.fn() });
  onTestFinished(breaker.close);
  return { redis, log, breaker };
}

it("every outage of Redis is counted and logged once, and so is its end", async () => {
  const { redis, log, breaker } = setUp("ready");
  await breaker.probe();
  for (const outage of [1, 2]) {
    redis.emit("close");
    expect(breaker.available).toBe(false);
    redis.emit("error", new Error("again"));
    expect([breaker.outages, log.warn.mock.calls.length]).toEqual([outage, outage]);
    await breaker.probe();
    expect(log.info).toHaveBeenCalledTimes(outage);
  }
});

it("a failed probe ends a connection that may be dead, but none that is still being made", async () => {
  for (const [status, ends] of [["ready", 1] as const, ["connecting", 0] as const]) {
    const { redis, breaker } = setUp(status);
    redis.set.mockRejectedValue(new Error("no answer"));
    await breaker.probe();
    expect(redis.disconnect).toHaveBeenCalledTimes(ends);
    expect(breaker.available).toBe(false);
  }
});

it("a connection that is ready is used without waiting for the next probe", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { redis, breaker } = setUp("ready");
  redis.emit("ready");
  await vi.advanceTimersByTimeAsync(0);
  expect(breaker.available).toBe(true);
});

it("when the service stops, nothing is logged about the closed connection, and nothing is probed", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { redis, log, breaker } = setUp("ready");
  breaker.close();
  redis.emit("close");
  expect(log.warn).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
  await breaker.probe();
  expect(redis.set).not.toHaveBeenCalled();
});
