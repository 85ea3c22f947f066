// The table at the end of a run: ratios to the limits, measured in that same run.
import { sizes } from "./bodies.ts";
import type { Results } from "./results.ts";

const table = (rows: string[][]) => {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const line = (row: string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`;
  return [line(rows[0]!), line(widths.map((width) => "-".repeat(width))), ...rows.slice(1).map(line)].join("\n");
};

/** What each of ours is measured against. */
const limitOf = (target: string) =>
  target.includes("Unified")
    ? "bare map"
    : target.includes("Plugboard") || target === "nginx"
      ? "bare proxy"
      : undefined;

export function report(results: Results): string {
  const find = (target: string, size: string, concurrency: number) =>
    results.measured.find((one) => one.target === target && one.size === size && one.concurrency === concurrency)!;
  const rows = results.measured.map((one) => {
    const limit = limitOf(one.target);
    return [
      one.size,
      String(one.concurrency),
      one.target,
      String(Math.round(one.perSecond)),
      one.p50.toFixed(2),
      one.p99.toFixed(2),
      limit ? (one.perSecond / find(limit, one.size, one.concurrency).perSecond).toFixed(2) : "",
    ];
  });
  const added = sizes.flatMap((size) =>
    results.measured
      .filter((one) => one.size === size && one.concurrency === 1 && limitOf(one.target))
      .map((one) => {
        const direct = find("direct", size, 1);
        const limit = find(limitOf(one.target)!, size, 1);
        const times = (part: "p50" | "p99") => ((one[part] - direct[part]) / (limit[part] - direct[part])).toFixed(2);
        return [
          size,
          one.target,
          (one.p50 - direct.p50).toFixed(2),
          (one.p99 - direct.p99).toFixed(2),
          times("p50"),
          times("p99"),
        ];
      }),
  );
  const stores = results.stores.map((one) => {
    const first = results.stores.find((other) => other.size === one.size)!;
    return [one.size, one.target, String(Math.round(one.perSecond)), (one.perSecond / first.perSecond).toFixed(2)];
  });
  const memory = Object.entries(results.memory).map(([name, megabytes]) => [name, `${Math.round(megabytes)}`]);
  const size = (name: string) => Math.round(results.bodies[name]! / 1000);
  return `
Node ${results.node}; bodies of ${sizes.map((name) => `${size(name)} kB`).join(", ")}.

## Throughput and latency

The ratio is to the bare server that does the same work.

${table([["body", "at once", "target", "calls/s", "p50 ms", "p99 ms", "ratio"], ...rows])}

## Latency added to a direct call, one call at a time

The last two columns: how many times what the bare server adds.

${table([["body", "target", "p50 ms", "p99 ms", "p50 ×", "p99 ×"], ...added])}

## The store

Unified, 16 calls at once. The ratio is to one connection.

${table([["body", "store", "calls/s", "ratio"], ...stores])}

## Memory

The most resident memory seen, in MB, over the whole run.

${table([["process", "MB"], ...memory])}

`;
}
