// The tables at the end of a run: each target next to its baseline, measured in the same run.
import { sizes } from "./bodies.ts";
import { goalsTable } from "./goals.ts";
import type { Measured, Results } from "./results.ts";
import { addedLatency, shareOfEmbedded, table } from "./tables.ts";

function costs(measured: Measured[]): string {
  const rows = measured.map((one) => [
    one.size,
    String(one.concurrency),
    one.target,
    one.cpuMicroseconds.toFixed(0),
    one.ratio?.toFixed(2) ?? "",
    String(Math.round(one.perSecond)),
    one.p50.toFixed(2),
    one.p99.toFixed(2),
    one.megabytes.toFixed(0),
  ]);
  return table([["body", "at once", "target", "CPU µs", "ratio", "calls/s", "p50 ms", "p99 ms", "MB"], ...rows]);
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
  const { quick, date, commit, node, generator, bodies, measured, stores, idleMegabytes } = results;
  const hasAllSizes = sizes.every((size) => measured.some((one) => one.size === size));
  const hasShared = measured.some(({ target }) => target.endsWith("Redis"));
  const head = `${quick ? "Quick" : "Full"} run of ${date} at commit ${commit}. Node ${node}; load generator ${generator}; bodies of ${sizes.map((size) => `${Math.round(bodies[size]! / 1000)} kB`).join(", ")}; ${idleMegabytes} MB before the first call.`;
  const parts: [title: string, explanation: string, content: string, isMeasured: boolean][] = [
    ["Goals", "", hasAllSizes && hasShared ? goalsTable(results) : "", hasAllSizes && hasShared],
    [
      "CPU time, throughput and latency",
      "CPU is the server's CPU time per call. The ratio is the CPU time of the baseline, a bare server that does the same work, divided by it. MB is the highest resident memory at the end of a round.",
      costs(measured),
      true,
    ],
    [
      "Latency added to a direct call, one call at a time",
      "The last two columns are multiples of what the baseline adds.",
      latency(measured),
      measured.some(({ concurrency }) => concurrency === 1),
    ],
    [
      "With Postgres and Redis",
      "CPU time per call with the embedded store, divided by that with Postgres and Redis.",
      shared(measured),
      hasShared,
    ],
    [
      "The store",
      "Unified on the embedded store. The ratio is to the first row with the same body.",
      costs(stores),
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
