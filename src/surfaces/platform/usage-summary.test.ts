import { expect, it } from "vitest";
import type { UsageCount } from "../../contracts/usage.ts";
import { percentile, summarize } from "./usage-summary.ts";

const classes = (counts: Record<number, number>) => Array.from({ length: 14 }, (_, index) => counts[index] ?? 0);

it("a percentile is estimated within the class that it falls into", () => {
  expect(percentile(classes({}), 0.5)).toBeNull();
  expect(percentile(classes({ 4: 10 }), 0.5)).toBe(75);
  expect(percentile(classes({ 0: 1 }), 0.5)).toBe(3);
  expect(percentile(classes({ 2: 95, 9: 5 }), 0.5)).toBe(18);
  expect(percentile(classes({ 2: 95, 9: 5 }), 0.95)).toBe(25);
  expect(percentile(classes({ 2: 90, 9: 10 }), 0.95)).toBe(3750);
});

it("a percentile beyond the last limit is that limit", () => {
  expect(percentile(classes({ 13: 3 }), 0.95)).toBe(40_000);
});

it("a summary has every hour of the period, the total, and each surface", () => {
  const count = (start: string, surface: string, fields: Partial<UsageCount>): UsageCount => ({
    start,
    surface,
    requests: 10,
    application_errors: 0,
    plugboard_errors: 0,
    provider_errors: 0,
    durations: classes({ 4: 10 }),
    ...fields,
  });
  const summary = summarize(
    [
      count("2030-01-01T01:00:00.000Z", "unified", { provider_errors: 2, application_errors: 3 }),
      count("2030-01-01T01:00:00.000Z", "proxy", { plugboard_errors: 1, durations: classes({ 7: 10 }) }),
    ],
    { width: "hour", since: "2030-01-01T00:00:00.000Z", until: "2030-01-01T03:00:00.000Z" },
  );
  const none = {
    requests: 0,
    application_errors: 0,
    plugboard_errors: 0,
    provider_errors: 0,
    p50_ms: null,
    p95_ms: null,
    surfaces: {},
  };
  const busy = {
    requests: 20,
    application_errors: 3,
    plugboard_errors: 1,
    provider_errors: 2,
    p50_ms: 100,
    p95_ms: 950,
    surfaces: {
      unified: { requests: 10, application_errors: 3, plugboard_errors: 0, provider_errors: 2 },
      proxy: { requests: 10, application_errors: 0, plugboard_errors: 1, provider_errors: 0 },
    },
  };
  expect(summary).toEqual({
    since: "2030-01-01T00:00:00.000Z",
    until: "2030-01-01T03:00:00.000Z",
    bucket_seconds: 3600,
    total: busy,
    buckets: [
      { start: "2030-01-01T00:00:00.000Z", ...none },
      { start: "2030-01-01T01:00:00.000Z", ...busy },
      { start: "2030-01-01T02:00:00.000Z", ...none },
    ],
  });
});
