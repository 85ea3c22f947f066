import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import { type BackgroundOptions, createBackground } from "./index.ts";

it("a process publishes events, claims jobs of each kind, and deletes expired events every ten minutes until it stops", async () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 8) });
  onTestFinished(() => void vi.useRealTimers());
  const publish = vi.fn(async () => 0);
  const claim = vi.fn(async (_kind: string) => []);
  const sweep = vi.fn(async (_before: string) => 0);
  const warn = vi.fn();
  const background = createBackground({
    store: { events: { publish, sweep, onWritten() {} }, jobs: { claim } },
    engine: { eventPoster: {}, hooks: {} },
    operations: [],
    rateLimit: { points: 1, seconds: 1 },
    log: { info() {}, warn },
    retentionDays: 7,
    attempted() {},
  } as unknown as BackgroundOptions);
  background.start();
  await vi.advanceTimersByTimeAsync(0);
  expect(publish).toHaveBeenCalled();
  while (claim.mock.calls.length < 3) await nextTurn();
  expect(claim.mock.calls.map(([kind]) => kind).toSorted()).toEqual(["hook", "subscription", "webhook"]);
  expect(sweep).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(599_999);
  expect(sweep).not.toHaveBeenCalled();
  sweep.mockRejectedValueOnce(new Error("no database"));
  await vi.advanceTimersByTimeAsync(1);
  expect(sweep.mock.calls).toEqual([["2026-01-01T00:10:00.000Z", expect.any(Number)]]);
  expect(warn).toHaveBeenCalledWith({ err: new Error("no database") }, "could not delete expired events");
  await vi.advanceTimersByTimeAsync(600_000);
  expect(sweep).toHaveBeenCalledTimes(2);
  await background.stop();
  expect(vi.getTimerCount()).toBe(0);
});
