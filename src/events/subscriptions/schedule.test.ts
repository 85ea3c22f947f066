import { describe, expect, it } from "vitest";
import { untilNextRun, untilRetry } from "./schedule.ts";

const START = Date.UTC(2026, 0, 1);
const byInterval = { poll_with_webhook_seconds: 86_400, hook: null };

describe("the next run", () => {
  it("the next run comes at the same point of every interval, neither immediately nor more than an interval and a half later", () => {
    for (let index = 0; index < 200; index++) {
      const subscription = { id: `sub_${index}`, interval_seconds: 300, ...byInterval };
      const first = untilNextRun(subscription, START, START + 1_000);
      expect(first).toBeGreaterThanOrEqual(149_000);
      expect(first).toBeLessThanOrEqual(449_000);
      const ran = START + 1_000 + first;
      expect(untilNextRun(subscription, ran, ran + 2_000)).toBe(298_000);
      expect(untilNextRun(subscription, ran - 300_000, ran)).toBe(0);
      // A run that took longer than the interval leaves out slots.
      expect(untilNextRun(subscription, ran, ran + 700_000)).toBe(200_000);
    }
  });

  it("the runs of many subscriptions are spread over the interval", () => {
    const counts = new Array(60).fill(0);
    for (let index = 0; index < 6_000; index++) {
      const at = START + untilNextRun({ id: `sub_${index}`, interval_seconds: 3_600, ...byInterval }, START, START);
      counts[Math.floor((at % 3_600_000) / 60_000)] += 1;
    }
    // 100 on average in each minute.
    expect(Math.max(...counts)).toBeLessThan(160);
    expect(Math.min(...counts)).toBeGreaterThan(50);
  });
});

it("a failed run is repeated soon at first, then more rarely, and at least once a day", () => {
  const waits = (interval_seconds: number) =>
    [1, 2, 3, 6, 20].map((failures) => untilRetry({ interval_seconds }, failures) / 1000);
  expect(waits(60)).toEqual([5, 15, 45, 480, 480]);
  expect(waits(86_400)).toEqual([5, 15, 45, 1_215, 86_400]);
});
