// The tables at the end of a run: each target next to its baseline, measured in the same run.
import { sizes } from "./bodies.ts";
import { goalsTable } from "./goals.ts";
import type { Measured, Results } from "./results.ts";
import { addedLatency, shareOfEmbedded, table } from "./tables.ts";

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

const latency = (measured: Measured[]) =>
  table([
    ["body", "target", "p50 ms", "p99 ms", "p50 ×", "p99 ×"],
    ...addedLatency(measured).map(({ size, target, added, times }) => [
      size,
      target,
      ...[added.p50, added.p99, times.p50, times.p99].map((value) => value.toFixed(2)),
    ]),
  ]);

const shared = (measured: Measured[]) =>
  table([
    ["body", "at once", "target", "ratio"],
    ...shareOfEmbedded(measured).map(({ surface, size, concurrency, share }) => [
      size,
      String(concurrency),
      surface,
      share.toFixed(2),
    ]),
  ]);

export function report(results: Results): string {
  const { quick, date, commit, node, bodies, measured, stores, idleMegabytes } = results;
  const hasAllSizes = sizes.every((size) => measured.some((one) => one.size === size));
  const hasShared = measured.some(({ target }) => target.endsWith("Redis"));
  const head = `${quick ? "Quick" : "Full"} run of ${date} at commit ${commit}. Node ${node}; bodies of ${sizes.map((size) => `${Math.round(bodies[size]! / 1000)} kB`).join(", ")}; ${idleMegabytes} MB before the first call.`;
  const parts: [title: string, explanation: string, content: string, isMeasured: boolean][] = [
    ["Goals", "", hasAllSizes && hasShared ? goalsTable(results) : "", hasAllSizes && hasShared],
    [
      "Throughput and latency",
      "The ratio is to the baseline: a bare server that does the same work. CPU is the server's CPU time per call, MB its highest resident memory at the end of a round.",
      throughput(measured),
      true,
    ],
    [
      "Latency added to a direct call, one call at a time",
      "The last two columns are multiples of what the baseline adds.",
      latency(measured),
      measured.some(({ concurrency }) => concurrency === 1),
    ],
    ["With Postgres and Redis", "Throughput as a share of the embedded store's.", shared(measured), hasShared],
    [
      "The store",
      "Unified on the embedded store. The ratio is to the first row with the same body.",
      throughput(stores),
      stores.length > 0,
    ],
  ];
  return `\n${[
    head,
    ...parts
      .filter(([, , , isMeasured]) => isMeasured)
      .map(([title, explanation, content]) =>
        [`## ${title}`, explanation, content].filter((text) => text !== "").join("\n\n"),
      ),
  ].join("\n\n")}\n\n`;
}
