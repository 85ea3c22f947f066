// The goals, checked against the results of a run: the worst case of each, by name.
import type { Measured, Results } from "./results.ts";
import { addedLatency, shareOfEmbedded, table } from "./tables.ts";
import { stores as storeTargets } from "./targets.ts";

interface Goal {
  what: string;
  min?: number;
  max?: number;
  found: { where: string; value: number }[];
}

const at = ({ size, concurrency }: Pick<Measured, "size" | "concurrency">) => `${size}, ${concurrency} at once`;

function goals({ measured, stores }: Results): Goal[] {
  const ours = measured.filter(({ target }) => target.startsWith("Plugboard") && !target.includes(","));
  const cost = (surface: string, size: string, min: number): Goal => ({
    what: `${surface}, ${size}: CPU time of the baseline, divided by ours`,
    min,
    found: ours
      .filter((one) => one.target.endsWith(surface) && one.size === size && one.concurrency > 1)
      .map((one) => ({ where: at(one), value: one.ratio! })),
  });
  const latency = addedLatency(measured).filter(({ target }) => ours.some((one) => one.target === target));
  const added = (surface: string, part: "p50" | "p99", max: number): Goal => ({
    what: `${surface}: latency added at ${part}, as a multiple of the baseline's`,
    max,
    found: latency
      .filter(({ target }) => target.endsWith(surface))
      .map((one) => ({ where: one.size, value: one.times[part] })),
  });
  return [
    cost("Proxy", "1kB", 0.62),
    cost("Proxy", "300kB", 1),
    cost("Unified", "1kB", 0.6),
    cost("Unified", "300kB", 0.9),
    added("Proxy", "p50", 1.3),
    added("Proxy", "p99", 2),
    added("Unified", "p50", 1.3),
    added("Unified", "p99", 2),
    {
      what: "a full store: CPU time with ten connections stored, divided by its",
      min: 0.95,
      found: stores
        .filter(({ limit, target }) => limit === storeTargets.few && /^one connection, /.test(target))
        .map((one) => ({ where: at(one), value: one.ratio! })),
    },
    {
      what: "Postgres and Redis: CPU time with the embedded store, divided by theirs",
      min: 0.85,
      found: shareOfEmbedded(measured).map((one) => ({ where: `${one.surface}, ${at(one)}`, value: one.share })),
    },
    {
      what: "MB at 300kB, 64 at once",
      max: 220,
      found: ours
        .filter(({ size, concurrency }) => size === "300kB" && concurrency === 64)
        .map((one) => ({ where: one.target, value: one.megabytes })),
    },
  ];
}

const format = (value: number) => (value >= 10 ? value.toFixed(0) : value.toFixed(2));

export function goalsTable(results: Results): string {
  const rows = goals(results).map(({ what, min, max, found }) => {
    const goal = min !== undefined ? `at least ${min.toFixed(2)}` : `at most ${format(max!)}`;
    // Results of an earlier version of the benchmark lack what it did not measure.
    if (found.length === 0) return [what, goal, "", "", "not measured"];
    const sorted = found.toSorted((one, other) => one.value - other.value);
    if (max !== undefined) sorted.reverse();
    const [worst, best] = [sorted[0]!, sorted.at(-1)!];
    const missed = found.filter(({ value }) => (min !== undefined ? value < min : value > max!));
    return [
      what,
      goal,
      `${format(worst.value)} (${worst.where})`,
      format(best.value),
      missed.length === 0 ? "yes" : `missed in ${missed.length} of ${found.length}`,
    ];
  });
  return table([["what", "goal", "worst", "best", "met"], ...rows]);
}
