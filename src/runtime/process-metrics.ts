import { Counter, collectDefaultMetrics, type Metric, Registry } from "prom-client";

/** What a process has measured, in a form that can be sent to another one and added up there. */
export type MetricsReport = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/**
 * The library averages delays of the event loop over workers, which hides the one that is overloaded, and leaves out
 * the time of the start.
 */
const AGGREGATORS: [name: RegExp, aggregator: string][] = [
  [/^nodejs_eventloop_lag_(p\d+_)?seconds$/, "max"],
  [/^process_start_time_seconds$/, "min"],
];

/** Of this process. The library cannot stop what it measures with, so it starts once, however many services there are. */
let measured: Metric[] | undefined;

function measureProcess(): Metric[] {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const metrics = registry.getMetricsAsArray() as unknown as (Metric & { name: string; aggregator: string })[];
  for (const metric of metrics)
    for (const [name, aggregator] of AGGREGATORS) if (name.test(metric.name)) metric.aggregator = aggregator;
  return metrics;
}

/** Memory, processor time and the event loop of this process. */
export function collectProcessMetrics(registry: Registry): void {
  measured ??= measureProcess();
  for (const metric of measured) registry.registerMetric(metric);
}

/** What happens to workers. A process without workers has these metrics too, so that alerts can rely on them. */
export function createWorkerCounters(registry: Registry) {
  const registers = [registry];
  const crashes = new Counter({
    name: "plugboard_worker_crashes_total",
    help: "Workers that exited unexpectedly and were replaced",
    registers,
  });
  const timeouts = new Counter({
    name: "plugboard_worker_timeouts_total",
    help: "How often a worker did not report its metrics in time. Its last known counts are used then, and no other values",
    registers,
  });
  return { crashed: () => crashes.inc(), timedOut: () => timeouts.inc() };
}
