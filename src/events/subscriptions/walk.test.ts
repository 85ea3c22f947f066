import { expect, it } from "vitest";
import type { ListWalk, SubscriptionProgress } from "../../contracts/subscriptions.ts";
import { type ActiveRun, progressAfter } from "./walk.ts";

const START = Date.UTC(2030, 0, 1);
const iso = (milliseconds: number) => new Date(milliseconds).toISOString();

const progress: SubscriptionProgress = {
  clearing: false,
  walk: 4,
  trusted_from: 1,
  newest: iso(START - 60_000),
  newest_at: iso(START - 50_000),
  settled: false,
  full_walk_at: null,
  is_incremental: false,
  full_calls: null,
  incremental_calls: null,
  failures: 3,
};
const walk = { kind: "full", newest: null, started_at: iso(START), calls: 6, round: 2 } as ListWalk;
const after = (change: Partial<ListWalk>, before: Partial<SubscriptionProgress> = {}) =>
  progressAfter(
    { progress: { ...progress, ...before }, list: { isIncremental: true }, now: () => START + 5_000 } as ActiveRun,
    { ...walk, ...change },
  );

it("the newest update stays the newest if a walk saw only older ones, or none", () => {
  for (const newest of [null, iso(START - 90_000), progress.newest])
    expect(after({ newest })).toMatchObject({ newest: progress.newest, newest_at: progress.newest_at });
  expect(after({ newest: iso(START) })).toMatchObject({ newest: iso(START), newest_at: iso(START + 5_000) });
});

it("a time in the future, also one that is stored, counts as the start of the walk", () => {
  const future = iso(START + 86_400_000);
  const newest = iso(START);
  expect(after({ newest: future })).toMatchObject({ newest, newest_at: iso(START + 5_000) });
  expect(after({}, { newest: future })).toMatchObject({ newest, newest_at: progress.newest_at });
});

it("a full walk that could read everything counts, and its calls are those of one round", () => {
  expect(after({})).toMatchObject({
    walk: 5,
    full_walk_at: iso(START),
    full_calls: 3,
    failures: 0,
    incremental_calls: null,
  });
  expect(after({ skipped: 1 })).toMatchObject({ walk: 4, full_walk_at: iso(START) });
  expect(after({ kind: "incremental" })).toMatchObject({ walk: 4, full_walk_at: null, incremental_calls: 6 });
});

it("a list is settled two minutes after its newest update, until a newer one comes", () => {
  const settled = (newest_at: string | null, before = false) => after({}, { newest_at, settled: before }).settled;
  expect(settled(iso(START - 119_999))).toBe(false);
  expect(settled(iso(START - 120_000))).toBe(true);
  expect(settled(null)).toBe(false);
  expect(settled(iso(START), true)).toBe(true);
  expect(after({ newest: iso(START) }, { settled: true }).settled).toBe(false);
});
