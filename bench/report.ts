// The tables at the end of a run: each target next to its baseline, measured in the same run.
import { sizes } from "./bodies.ts";
import { goalsTable } from "./goals.ts";
import type { Measured, Results } from "./results.ts";
import { addedLatency, shareOfEmbedded, table } from "./tables.ts";
import { PROXY, UNIFIED } from "./targets.ts";

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

const header = ({ quick, date, commit, node, generator, bodies, idleMegabytes }: Results) =>
  `${quick ? "Quick" : "Full"} run of ${date} at commit ${commit}. Node ${node}; load generator ${generator}; bodies of ${sizes.map((size) => `${Math.round(bodies[size]! / 1000)} kB`).join(", ")}; ${idleMegabytes} MB before the first call.`;

/** How many calls at once the figures of the summary are for: enough to keep a core busy. */
const SUMMARY_CONCURRENCY = 16;

/** What a user wants to know: the latency that a call gets, and how many calls a core serves. */
function expectations(measured: Measured[]): string {
  const targets = [PROXY, UNIFIED];
  const rows = sizes.map((size) => {
    const added = addedLatency(measured).filter((one) => one.size === size);
    const perCore = (target: string) => {
      const found = measured.find(
        (one) => one.target === target && one.size === size && one.concurrency === SUMMARY_CONCURRENCY,
      )!;
      return `${Math.round(1e4 / found.cpuMicroseconds) * 100}`;
    };
    const latencies = targets.map((target) => `${added.find((one) => one.target === target)!.added.p50.toFixed(1)} ms`);
    return [size, ...latencies, ...targets.map(perCore)];
  });
  return table([
    [
      "response",
      "Proxy adds",
      "Unified adds",
      "Proxy: calls per second and core",
      "Unified: calls per second and core",
    ],
    ...rows,
  ]);
}

const hasEverything = ({ measured }: Results) =>
  sizes.every((size) => measured.some((one) => one.size === size)) &&
  measured.some(({ target }) => target.endsWith("Redis"));

/** Joins the parts that have content. */
const join = (...parts: string[]) => `\n${parts.filter((part) => part !== "").join("\n\n")}\n\n`;

/** The short version: what to expect, and whether the goals are met. */
export const summary = (results: Results): string =>
  join(
    ...(hasEverything(results)
      ? [
          "## What to expect",
          expectations(results.measured),
          "Latency is the median that is added to a call to the provider itself, one call at a time, on loopback. Calls per second follow from the CPU time of a call.",
        ]
      : []),
    header(results),
    ...(hasEverything(results) ? ["## Goals", goalsTable(results)] : []),
  );

/** Every figure of a run. */
export function details(results: Results): string {
  const { measured, stores } = results;
  const parts: [title: string, explanation: string, content: string, isMeasured: boolean][] = [
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
      measured.some(({ target }) => target.endsWith("Redis")),
    ],
    [
      "The store",
      "Unified on the embedded store. The ratio is to the first row with the same body.",
      costs(stores),
      stores.length > 0,
    ],
  ];
  return join(
    ...parts
      .filter(([, , , isMeasured]) => isMeasured)
      .map(([title, explanation, content]) => [`## ${title}`, explanation, content].join("\n\n")),
  );
}
