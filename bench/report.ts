// The tables at the end of a run: ratios to the limits, measured in that same run.
import { sizes } from "./bodies.ts";
import type { Measured, Results } from "./results.ts";
import { DIRECT } from "./targets.ts";

export const table = (rows: string[][]) => {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const line = (row: string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`;
  return [line(rows[0]!), line(widths.map((width) => "-".repeat(width))), ...rows.slice(1).map(line)].join("\n");
};

function throughput(measured: Measured[]): string {
  const rows = measured.map((one) => [
    one.size,
    String(one.concurrency),
    one.target,
    String(Math.round(one.perSecond)),
    one.p50.toFixed(2),
    one.p99.toFixed(2),
    one.cpuMicroseconds.toFixed(0),
    one.megabytes.toFixed(0),
    one.ratio?.toFixed(2) ?? "",
  ]);
  return table([["body", "at once", "target", "calls/s", "p50 ms", "p99 ms", "CPU µs", "MB", "ratio"], ...rows]);
}

/** Of those that stand between the load and the provider, one call at a time. */
function addedLatency(measured: Measured[]): string {
  const find = (target: string, size: string) =>
    measured.find((one) => one.target === target && one.size === size && one.concurrency === 1)!;
  const rows = sizes.flatMap((size) =>
    measured
      .filter((one) => one.size === size && one.concurrency === 1 && one.limit)
      .map((one) => {
        const direct = find(DIRECT, size);
        const limit = find(one.limit!, size);
        const added = (part: "p50" | "p99") => one[part] - direct[part];
        const times = (part: "p50" | "p99") => (added(part) / (limit[part] - direct[part])).toFixed(2);
        return [size, one.target, added("p50").toFixed(2), added("p99").toFixed(2), times("p50"), times("p99")];
      }),
  );
  return table([["body", "target", "p50 ms", "p99 ms", "p50 ×", "p99 ×"], ...rows]);
}

/** What Postgres and Redis leave of the embedded store's throughput. */
function shared(measured: Measured[]): string {
  const SHARED = ", Postgres and Redis";
  const rows = measured
    .filter(({ target }) => target.endsWith(SHARED))
    .map((one) => {
      const name = one.target.slice(0, -SHARED.length);
      const alone = measured.find(
        ({ target, size, concurrency }) => target === name && size === one.size && concurrency === one.concurrency,
      )!;
      return [one.size, String(one.concurrency), name, (one.ratio! / alone.ratio!).toFixed(2)];
    });
  return table([["body", "at once", "target", "ratio"], ...rows]);
}

export function report({ node, bodies, measured, stores, idleMegabytes }: Results): string {
  const size = (name: string) => Math.round(bodies[name]! / 1000);
  const atOne = measured.some(({ concurrency }) => concurrency === 1);
  return `
Node ${node}; bodies of ${sizes.map((name) => `${size(name)} kB`).join(", ")}; ${idleMegabytes} MB before the first call.

## Throughput and latency

The ratio is to the bare server that does the same work. CPU is the processor time of the server for one call, MB its most resident memory at the end of a round.

${throughput(measured)}
${
  atOne
    ? `
## Latency added to a direct call, one call at a time

The last two columns: how many times what the bare server adds.

${addedLatency(measured)}
`
    : ""
}
## With Postgres and Redis

As a share of what the embedded store reaches.

${shared(measured)}
${
  stores.length > 0
    ? `
## The store

Unified on the embedded store. The ratio is to the first of them with the same body.

${throughput(stores)}
`
    : ""
}
`;
}
