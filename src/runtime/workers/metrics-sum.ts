import { AggregatorRegistry } from "prom-client";
import type { MetricsReport } from "../process-metrics.ts";

/** Longer than a worker takes to find out that the database is unavailable. */
const REPORT_TIMEOUT_MS = 4_000;

export interface MetricsSource {
  /** Asks for a report, which is then passed to the function that `add` returned. */
  ask(): void;
  readonly ended: Promise<unknown>;
}

interface MetricsSumOptions {
  /** The metrics of this process, which are added. */
  own(): Promise<MetricsReport>;
  /** A worker did not report in time. */
  timedOut(): void;
}

/**
 * The metrics of all workers as those of one process. Counters never decrease, because Prometheus would take that for a
 * restart and count everything again: the last counts of a worker that ended, or does not answer, stay part of the sum.
 */
export function createMetricsSum({ own, timedOut }: MetricsSumOptions) {
  const sources = new Set<{ ask(): Promise<boolean>; last: MetricsReport }>();
  let ended: MetricsReport = [];

  /** Returns what to call with each report of this worker. */
  function add({ ask, ended: end }: MetricsSource): (report: MetricsReport) => void {
    let waiting: ((answered: boolean) => void)[] = [];
    function settle(answered: boolean): void {
      for (const resolve of waiting) resolve(answered);
      waiting = [];
    }
    const source = {
      last: [] as MetricsReport,
      ask() {
        const { promise, resolve } = Promise.withResolvers<boolean>();
        const timer = setTimeout(() => {
          timedOut();
          resolve(false);
        }, REPORT_TIMEOUT_MS);
        waiting.push(resolve);
        ask();
        return promise.finally(() => clearTimeout(timer));
      },
    };
    sources.add(source);
    void end.then(() => {
      sources.delete(source);
      ended = sum([ended, countsOf(source.last)]).getMetricsAsArray() as MetricsReport;
      settle(false);
    });
    return (report) => {
      source.last = report;
      settle(true);
    };
  }

  /** In Prometheus' text format. */
  async function render(): Promise<string> {
    const answered = new Set<unknown>();
    await Promise.all(
      [...sources].map(async (source) => {
        if (await source.ask()) answered.add(source);
      }),
    );
    const mine = await own();
    const reports = [...sources].map((source) => (answered.has(source) ? source.last : countsOf(source.last)));
    return sum([mine, ...reports, ended]).metrics();
  }

  return { add, render };
}

const sum = (reports: MetricsReport[]) => AggregatorRegistry.aggregate(reports);

/** Without values that describe a moment, such as memory in use. */
const countsOf = (report: MetricsReport): MetricsReport =>
  report.filter(({ type }) => ["counter", "histogram"].includes(String(type)));
