import { expect, test } from "vitest";
import { sweepEvents } from "./retention.ts";

test("a sweep continues until no expired events are left", async () => {
  const limits: number[] = [];
  let expired = 1_234;
  const sweep = async (before: string, limit: number) => {
    expect(before).toBe("2026-01-01T00:00:00.000Z");
    limits.push(limit);
    const deleted = Math.min(limit, expired);
    expired -= deleted;
    return deleted;
  };
  await sweepEvents({ events: { sweep } as never }, 7, { nowMs: Date.UTC(2026, 0, 8) });
  expect(expired).toBe(0);
  expect(limits.length).toBeGreaterThan(1);
});
