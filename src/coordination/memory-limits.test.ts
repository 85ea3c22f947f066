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
