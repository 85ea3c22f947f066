import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Fault } from "../../contracts/fault.ts";
import { createCache, MAX_STALE_MS } from "./cache.ts";

const TTL_MS = 4000;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A cache over a store that responds, is unavailable or hangs, as the test chooses. */
function setUp() {
  let loads = 0;
  let answer: () => Promise<string | undefined> = async () => "first";
  const cache = createCache({
    size: 10,
    ttlMs: () => TTL_MS,
    load() {
      loads++;
      return answer();
    },
  });
  return {
    cache,
    loads: () => loads,
    answers(value: string | undefined) {
      answer = async () => value;
    },
    isUnavailable() {
      answer = async () => {
        throw new Fault("store_unavailable", "unavailable");
      };
    },
    hangs() {
      const { promise, resolve } = Promise.withResolvers<string | undefined>();
      answer = () => promise;
      return resolve;
    },
  };
}

it("a cached value is used for at most five minutes while the store is unavailable", async () => {
  const { cache, isUnavailable, answers } = setUp();
  await cache.get("id");
  isUnavailable();
  vi.advanceTimersByTime(TTL_MS + 1);
  expect(await cache.get("id")).toBe("first");
  vi.advanceTimersByTime(MAX_STALE_MS - TTL_MS - 2);
  expect(await cache.get("id")).toBe("first");
  vi.advanceTimersByTime(2);
  await expect(cache.get("id")).rejects.toMatchObject({ kind: "store_unavailable" });
  answers("second");
  expect(await cache.get("id")).toBe("second");
});

it("an unavailable store is tried once a second, however many calls there are", async () => {
  const { cache, isUnavailable, loads } = setUp();
  await cache.get("id");
  isUnavailable();
  vi.advanceTimersByTime(TTL_MS + 1);
  for (let second = 1; second <= 3; second++) {
    for (let call = 0; call < 10; call++) expect(await cache.get("id")).toBe("first");
    expect(loads()).toBe(1 + second);
    await vi.advanceTimersByTimeAsync(1000);
  }
});

it("a store that hangs is tried again now and then, and only one call waits for it, for a second", async () => {
  const { cache, hangs, loads } = setUp();
  await cache.get("id");
  const answer = hangs();
  vi.advanceTimersByTime(TTL_MS);
  const waiting = cache.get("id");
  await vi.advanceTimersByTimeAsync(1000);
  expect(await waiting).toBe("first");
  for (let call = 0; call < 100; call++) expect(cache.get("id")).toBe("first");
  expect(loads()).toBe(2);
  answer("second");
  await vi.advanceTimersByTimeAsync(0);
  expect(cache.get("id")).toBe("second");
});

it("a value that is forgotten while the store is read is not returned", async () => {
  const { cache, hangs, isUnavailable } = setUp();
  await cache.get("id");
  const answer = hangs();
  vi.advanceTimersByTime(TTL_MS);
  const waiting = cache.get("id");
  cache.forget("id");
  await vi.advanceTimersByTimeAsync(5000);
  answer(undefined);
  expect(await waiting).toBeUndefined();

  isUnavailable();
  await expect(cache.get("id")).rejects.toMatchObject({ kind: "store_unavailable" });
});

it("a value that was read before an invalidation is not cached", async () => {
  const { cache, hangs, answers } = setUp();
  const answer = hangs();
  const waiting = cache.get("id");
  cache.forget("id");
  answers("new");
  answer("old");
  await waiting;
  expect(await cache.get("id")).toBe("new");
});

it("a reload that fails keeps the cached value", async () => {
  const { cache, isUnavailable } = setUp();
  await cache.get("id");
  isUnavailable();
  await expect(cache.reload("id")).rejects.toMatchObject({ kind: "store_unavailable" });
  expect(cache.get("id")).toBe("first");
});

it("a value that is no longer stored is dropped from the cache", async () => {
  const { cache, answers, isUnavailable } = setUp();
  await cache.get("id");
  answers(undefined);
  vi.advanceTimersByTime(TTL_MS);
  expect(await cache.get("id")).toBeUndefined();
  isUnavailable();
  await expect(cache.get("id")).rejects.toMatchObject({ kind: "store_unavailable" });
});

it("calls that ask for the same value at the same time read the store once", async () => {
  const { cache, loads } = setUp();
  expect(await Promise.all([cache.get("id"), cache.get("id"), cache.get("id")])).toEqual(["first", "first", "first"]);
  expect(loads()).toBe(1);
});

it("a full cache drops the value that has not been used for longest", async () => {
  const { cache, loads } = setUp();
  for (let id = 0; id < 10; id++) await cache.get(String(id));
  await cache.get("0");
  await cache.get("new");
  expect(loads()).toBe(11);
  expect(cache.get("0")).toBe("first");
  await cache.get("1");
  expect(loads()).toBe(12);
});
