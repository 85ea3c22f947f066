import type { Redis } from "ioredis";
import { expect, it, onTestFinished, vi } from "vitest";
import { redisLimits } from "./redis-limits.ts";

it("a key over its limit is refused without asking Redis, until its window has ended, also if the clock is set back", async () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const counts = [1, 2, 3, 1];
  const plugboardCount = vi.fn(async () => [counts.shift()!, 5000]);
  const consume = redisLimits({ defineCommand() {}, plugboardCount } as unknown as Redis, "");
  const limit = { points: 2, seconds: 5 };
  const calls = async (count: number) => {
    const allowed = [];
    for (let call = 0; call < count; call++) allowed.push((await consume("key", limit)).allowed);
    return allowed;
  };
  expect(await calls(5)).toEqual([true, true, false, false, false]);
  expect(plugboardCount).toHaveBeenCalledTimes(3);
  vi.setSystemTime(Date.now() - 3_600_000);
  vi.advanceTimersByTime(5000);
  expect(await calls(1)).toEqual([true]);
});

it("all calls of one turn of the event loop are counted by one command", async () => {
  const plugboardCount = vi.fn(async () => [3, 5000, 1, 5000]);
  const consume = redisLimits({ defineCommand() {}, plugboardCount } as unknown as Redis, "");
  const limit = { points: 5, seconds: 5 };
  const calls = ["one", "one", "one", "other"].map((key) => consume(key, limit));
  expect((await Promise.all(calls)).map(({ remaining }) => remaining)).toEqual([4, 3, 2, 4]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(plugboardCount).toHaveBeenCalledTimes(1);
});
