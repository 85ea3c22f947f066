// What was aimed at, held against what a run found: the worst case of each, by name.
import type { Measured, Results } from "./results.ts";
import { addedLatency, shareOfEmbedded, table } from "./tables.ts";

interface Aim {
  what: string;
  least?: number;
  most?: number;
  found: { where: string; value: number }[];
}

const at = ({ size, concurrency }: Pick<Measured, "size" | "concurrency">) => `${size}, ${concurrency} at once`;

function aims({ measured, stores }: Results): Aim[] {
  const ours = measured.filter(({ target }) => target.startsWith("Plugboard") && !target.includes(","));
  const throughput = (surface: string, size: string, least: number): Aim => ({
    what: `${surface}, ${size}: share of the bare server`,
    least,
    found: ours
      .filter((one) => one.target.endsWith(surface) && one.size === size)
      .map((one) => ({ where: at(one), value: one.ratio! })),
  });
  const latency = addedLatency(measured).filter(({ target }) => ours.some((one) => one.target === target));
  const added = (surface: string, part: "p50" | "p99"): Aim => ({
    what: `${surface}: latency added at ${part}, times the bare server's`,
    most: 1.5,
    found: latency
      .filter(({ target }) => target.endsWith(surface))
      .map((one) => ({ where: one.size, value: one.times[part] })),
  });
  return [
    throughput("Proxy", "1kB", 0.8),
    throughput("Proxy", "300kB", 0.9),
    throughput("Unified", "1kB", 0.75),
    throughput("Unified", "300kB", 0.9),
    added("Proxy", "p50"),
    added("Proxy", "p99"),
    added("Unified", "p50"),
    added("Unified", "p99"),
    {
      what: "a full store: share of one with ten connections",
      least: 0.95,
      found: stores
        .filter(({ target }) => /one connection, \d{5,} stored/.test(target))
        .map((one) => ({ where: at(one), value: one.ratio! })),
    },
    {
      what: "Postgres and Redis: share of the embedded store",
      least: 0.75,
      found: shareOfEmbedded(measured).map((one) => ({ where: `${one.surface}, ${at(one)}`, value: one.share })),
    },
    {
      what: "MB at 64 at once",
      most: 200,
      found: ours
        .filter(({ concurrency }) => concurrency === 64)
        .map((one) => ({ where: `${one.target}, ${one.size}`, value: one.megabytes })),
    },
  ];
}

const shown = (value: number) => (value >= 10 ? value.toFixed(0) : value.toFixed(2));

export function aimsTable(results: Results): string {
  const rows = aims(results).map(({ what, least, most, found }) => {
    const sorted = found.toSorted((one, other) => one.value - other.value);
    if (most !== undefined) sorted.reverse();
    const [worst, best] = [sorted[0]!, sorted.at(-1)!];
    const missed = found.filter(({ value }) => (least !== undefined ? value < least : value > most!));
    return [
      what,
      least !== undefined ? `at least ${least.toFixed(2)}` : `at most ${shown(most!)}`,
      `${shown(worst.value)} (${worst.where})`,
      shown(best.value),
      missed.length === 0 ? "yes" : `missed in ${missed.length} of ${found.length}`,
    ];
  });
  return table([["what", "aim", "worst", "best", "met"], ...rows]);
}
