import { afterEach, expect, it, vi } from "vitest";
import { backoff, isRetryableStatus, retry, retryAfter } from "./retry.ts";

afterEach(() => void vi.restoreAllMocks());

it("the backoff doubles with each attempt, with full jitter", () => {
  vi.spyOn(Math, "random").mockReturnValue(1);
  expect([0, 1, 2, 3].map((attempt) => backoff(attempt, undefined))).toEqual([200, 400, 800, 1600]);
  vi.spyOn(Math, "random").mockReturnValue(0.25);
  expect(backoff(2, undefined)).toBe(200);
});

it("a wait that the provider asks for is honored up to 20 seconds, and left to the client beyond", () => {
  expect(backoff(0, 0)).toBe(0);
  expect(backoff(5, 7)).toBe(7000);
  expect(backoff(0, 20)).toBe(20_000);
  expect(backoff(0, 20.5)).toBeUndefined();
});

it("408, 429 and 5xx may be retried", () => {
  expect([200, 301, 400, 401, 404, 409, 422, 499].filter(isRetryableStatus)).toEqual([]);
  expect([408, 429, 500, 502, 503, 504, 599].filter((status) => !isRetryableStatus(status))).toEqual([]);
});

it("Retry-After is read as seconds or as a date", () => {
  const read = (value: string | string[] | undefined) => retryAfter({ headers: { "retry-after": value } });
  expect(read(undefined)).toBeUndefined();
  expect(read("3")).toBe(3);
  expect(read("1.5")).toBe(1.5);
  expect(read("-4")).toBe(0);
  expect(read(["2", "9"])).toBe(2);
  expect(read("soon")).toBeUndefined();
  const inTenSeconds = read(new Date(Date.now() + 10_000).toUTCString())!;
  expect(inTenSeconds).toBeGreaterThan(8);
  expect(inTenSeconds).toBeLessThanOrEqual(10);
  expect(read(new Date(Date.now() - 10_000).toUTCString())).toBe(0);
});

it("work that fails is repeated with growing pauses until it succeeds", async () => {
  vi.useFakeTimers();
  try {
    const times: number[] = [];
    const start = Date.now();
    const work = vi.fn(async () => {
      times.push(Date.now() - start);
      if (times.length < 4) throw new Error("not yet");
      return "done";
    });
    const result = retry(work, { forMs: 10_000, firstPauseMs: 50, maxPauseMs: 150 });
    await vi.runAllTimersAsync();
    expect(await result).toBe("done");
    expect(times).toEqual([0, 50, 150, 300]);
  } finally {
    vi.useRealTimers();
  }
});

it("work that keeps failing is given up in time, with its last error", async () => {
  vi.useFakeTimers();
  try {
    let attempts = 0;
    const result = retry(() => Promise.reject(new Error(`attempt ${++attempts}`)), { forMs: 120, firstPauseMs: 50 });
    const outcome = expect(result).rejects.toThrow("attempt 2");
    await vi.runAllTimersAsync();
    await outcome;
  } finally {
    vi.useRealTimers();
  }
});

it("work is not repeated after an error that another attempt cannot fix", async () => {
  const work = vi.fn(() => Promise.reject(new Error("permanent")));
  await expect(retry(work, { forMs: 1000, mayRetry: () => false })).rejects.toThrow("permanent");
  expect(work).toHaveBeenCalledOnce();
});
