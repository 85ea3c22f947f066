import { expect, it, onTestFinished, vi } from "vitest";
import { memoryLimits } from "./memory-limits.ts";

it("a window in memory ends after its time, and leaves those of other keys as they are", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const consume = memoryLimits();
  const remaining = (key: string) => consume(key, { points: 5, seconds: 10 }).remaining;
  expect(remaining("first")).toBe(4);
  vi.advanceTimersByTime(6_000);
  expect(remaining("second")).toBe(4);
  expect(remaining("first")).toBe(3);
  vi.advanceTimersByTime(3_999);
  expect(remaining("first")).toBe(2);
  vi.advanceTimersByTime(1);
  expect(remaining("first")).toBe(4);
  expect(remaining("second")).toBe(3);
});

it("a call in memory knows in how many seconds its window ends", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const consume = memoryLimits();
  const reset = () => consume("key", { points: 5, seconds: 10 }).resetSeconds;
  expect(reset()).toBe(10);
  vi.advanceTimersByTime(5_500);
  expect(reset()).toBe(5);
  vi.advanceTimersByTime(4_499);
  expect(reset()).toBe(1);
});
