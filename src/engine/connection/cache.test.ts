import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Fault } from "../../contracts/fault.ts";
import { createCache, STALE_WHILE_STORE_IS_AWAY_MS } from "./cache.ts";

const LIFE_MS = 4000;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A cache over a store that answers, is away or hangs, as the test says. */
function setUp() {
  let loads = 0;
  let answer: () => Promise<string | undefined> = async () => "first";
  const cache = createCache({
    size: 10,
    life: () => LIFE_MS,
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
    isAway() {
      answer = async () => {
        throw new Fault("store_unavailable", "away");
      };
    },
    hangs() {
      const { promise, resolve } = Promise.withResolvers<string | undefined>();
      answer = () => promise;
      return resolve;
    },
  };
}

it("goes on with what it has while the store is away, for five minutes and no longer", async () => {
  const { cache, isAway, answers } = setUp();
  await cache.get("id");
  isAway();
  vi.advanceTimersByTime(LIFE_MS + 1);
  expect(await cache.get("id")).toBe("first");
  vi.advanceTimersByTime(STALE_WHILE_STORE_IS_AWAY_MS - LIFE_MS - 2);
  expect(await cache.get("id")).toBe("first");
  vi.advanceTimersByTime(2);
  await expect(cache.get("id")).rejects.toMatchObject({ kind: "store_unavailable" });
  answers("second");
  expect(await cache.get("id")).toBe("second");
});

it("asks a store that hangs now and then, and lets one call alone wait for it, for a second", async () => {
  const { cache, hangs, loads } = setUp();
  await cache.get("id");
  const answer = hangs();
  vi.advanceTimersByTime(LIFE_MS);
  const waiting = cache.get("id");
  await vi.advanceTimersByTimeAsync(1000);
  expect(await waiting).toBe("first");
  for (let call = 0; call < 100; call++) expect(cache.get("id")).toBe("first");
  expect(loads()).toBe(2);
  answer("second");
  await vi.advanceTimersByTimeAsync(0);
  expect(cache.get("id")).toBe("second");
});

it("never gives what was forgotten while the store was asked", async () => {
  const { cache, hangs, isAway } = setUp();
  await cache.get("id");
  const answer = hangs();
  vi.advanceTimersByTime(LIFE_MS);
  const waiting = cache.get("id");
  cache.forget("id");
  await vi.advanceTimersByTimeAsync(5000);
  answer(undefined);
  expect(await waiting).toBeUndefined();

  isAway();
  await expect(cache.get("id")).rejects.toMatchObject({ kind: "store_unavailable" });
});

it("does not keep what was read before a change that it was told of", async () => {
  const { cache, hangs, answers } = setUp();
  const answer = hangs();
  const waiting = cache.get("id");
  cache.forget("id");
  answers("new");
  answer("old");
  await waiting;
  expect(await cache.get("id")).toBe("new");
});

it("keeps what it has where reading it anew fails", async () => {
  const { cache, isAway } = setUp();
  await cache.get("id");
  isAway();
  await expect(cache.reload("id")).rejects.toMatchObject({ kind: "store_unavailable" });
  expect(cache.get("id")).toBe("first");
});

it("forgets what is no longer stored", async () => {
  const { cache, answers, isAway } = setUp();
  await cache.get("id");
  answers(undefined);
  vi.advanceTimersByTime(LIFE_MS);
  expect(await cache.get("id")).toBeUndefined();
  isAway();
  await expect(cache.get("id")).rejects.toMatchObject({ kind: "store_unavailable" });
});
