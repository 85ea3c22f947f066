// Markdown tables, and the figures that two of them share with the goals.
import { type Size, sizes } from "./bodies.ts";
import type { Measured } from "./results.ts";
import { DIRECT } from "./targets.ts";

export const table = (rows: string[][]) => {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const line = (row: string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`;
  return [line(rows[0]!), line(widths.map((width) => "-".repeat(width))), ...rows.slice(1).map(line)].join("\n");
};

type Quantiles = Record<"p50" | "p99", number>;

export interface AddedLatency {
  size: Size;
  target: string;
  /** Milliseconds. */
  added: Quantiles;
  /** As a multiple of what its baseline adds. */
  times: Quantiles;
}

/** The latency that each target adds to a direct call to the provider, one call at a time. */
export function addedLatency(measured: Measured[]): AddedLatency[] {
  const find = (target: string, size: string) =>
    measured.find((one) => one.target === target && one.size === size && one.concurrency === 1)!;
  return sizes.flatMap((size) =>
    measured
      .filter((one) => one.size === size && one.concurrency === 1 && one.limit)
      .map((one) => {
        const direct = find(DIRECT, size);
        const limit = find(one.limit!, size);
        const added = { p50: one.p50 - direct.p50, p99: one.p99 - direct.p99 };
        const times = { p50: added.p50 / (limit.p50 - direct.p50), p99: added.p99 / (limit.p99 - direct.p99) };
        return { size, target: one.target, added, times };
      }),
  );
}

const SHARED = ", Postgres and Redis";

/** CPU time per call with the embedded store, divided by that with Postgres and Redis. */
export const shareOfEmbedded = (measured: Measured[]) =>
  measured
    .filter(({ target }) => target.endsWith(SHARED))
    .map(({ target, size, concurrency, ratio }) => {
      const surface = target.slice(0, -SHARED.length);
      const alone = measured.find(
        (one) => one.target === surface && one.size === size && one.concurrency === concurrency,
      )!;
      return { surface, size, concurrency, share: ratio! / alone.ratio! };
    });
