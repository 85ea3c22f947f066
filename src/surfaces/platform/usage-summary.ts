import type { ErrorSource } from "../../contracts/entities.ts";
import { DURATION_LIMITS_MS, USAGE_SECONDS, type UsageCount, type UsagePeriod } from "../../contracts/usage.ts";

/** The duration that a part of the requests did not exceed, estimated within its class; null without requests. */
export function percentile(durations: readonly number[], part: number): number | null {
  const total = durations.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let rest = total * part;
  const found = durations.findIndex((count) => {
    if (count > 0 && rest <= count) return true;
    rest -= count;
    return false;
  });
  const from = found === 0 ? 0 : DURATION_LIMITS_MS[found - 1]!;
  // The last class has no upper end.
  const to = DURATION_LIMITS_MS[found] ?? from;
  return Math.round(from + (to - from) * (rest / durations[found]!));
}

function counts(usage: readonly UsageCount[]) {
  const sum = (name: "requests" | `${ErrorSource}_errors`) => usage.reduce((total, each) => total + each[name], 0);
  return {
    requests: sum("requests"),
    application_errors: sum("application_errors"),
    plugboard_errors: sum("plugboard_errors"),
    provider_errors: sum("provider_errors"),
  };
}

function describe(usage: readonly UsageCount[]) {
  const durations = [...DURATION_LIMITS_MS, Number.POSITIVE_INFINITY].map((_, index) =>
    usage.reduce((total, each) => total + each.durations[index]!, 0),
  );
  const surfaces = Map.groupBy(usage, ({ surface }) => surface);
  return {
    ...counts(usage),
    p50_ms: percentile(durations, 0.5),
    p95_ms: percentile(durations, 0.95),
    surfaces: Object.fromEntries([...surfaces].map(([surface, own]) => [surface, counts(own)])),
  };
}

/** All minutes or hours of a period, also those without requests, so that they can be drawn as they are. */
export function summarize(usage: readonly UsageCount[], { width, since, until }: UsagePeriod) {
  const step = USAGE_SECONDS[width] * 1000;
  const byStart = Map.groupBy(usage, ({ start }) => start);
  const first = Date.parse(since);
  const length = (Date.parse(until) - first) / step;
  return {
    since,
    until,
    bucket_seconds: USAGE_SECONDS[width],
    total: describe(usage),
    buckets: Array.from({ length }, (_, index) => {
      const start = new Date(first + index * step).toISOString();
      return { start, ...describe(byStart.get(start) ?? []) };
    }),
  };
}
