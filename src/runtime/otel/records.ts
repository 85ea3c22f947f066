import type { MetricsReport } from "../process-metrics.ts";
import { toAttributes, toNanoseconds } from "./attributes.ts";
import type { EndedSpan } from "./tracer.ts";

const ERROR = 2;
const CUMULATIVE = 2;
/** Trace flags, and whether the parent is in another process. */
const SAMPLED = 0x1;
const KNOWS_PARENT = 0x100;
const REMOTE_PARENT = 0x200;

export const toSpan = (span: EndedSpan) => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.state ? { traceState: span.state } : {}),
  ...(span.parentId ? { parentSpanId: span.parentId } : {}),
  flags: SAMPLED | (span.hasRemoteParent === undefined ? 0 : KNOWS_PARENT | (span.hasRemoteParent ? REMOTE_PARENT : 0)),
  name: span.name,
  kind: span.kind,
  startTimeUnixNano: toNanoseconds(span.startedAt),
  endTimeUnixNano: toNanoseconds(span.endedAt),
  attributes: toAttributes(span.attributes),
  ...(span.link
    ? { links: [{ traceId: span.link.traceId, spanId: span.link.spanId, flags: KNOWS_PARENT | REMOTE_PARENT }] }
    : {}),
  ...(span.isError ? { status: { code: ERROR } } : {}),
});

type ReportedMetric = MetricsReport[number];
interface ReportedValue {
  value: number;
  labels: Record<string, string | number>;
  metricName?: string;
}

const UNITS: [suffix: RegExp, unit: string][] = [
  [/_seconds(_total)?$/, "s"],
  [/_bytes(_total)?$/, "By"],
];
const unitOf = (name: string) => UNITS.find(([suffix]) => suffix.test(name))?.[1] ?? "1";

/** A status is a number or a word, which may not be mixed. */
const toLabels = (labels: ReportedValue["labels"]) =>
  toAttributes(Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)])));

/** The values of one set of labels, whose buckets are cumulative in Prometheus and not in OTLP. */
function toHistogramPoint(values: readonly ReportedValue[], times: object) {
  const bounds: number[] = [];
  const counts: number[] = [];
  let before = 0;
  let count = 0;
  let sum = 0;
  for (const { metricName = "", labels, value } of values) {
    if (metricName.endsWith("_sum")) sum = value;
    else if (metricName.endsWith("_count")) count = value;
    else if (Number.isFinite(Number(labels.le))) {
      bounds.push(Number(labels.le));
      counts.push(value - before);
      before = value;
    }
  }
  const { le: _, ...labels } = values[0]!.labels;
  return {
    attributes: toLabels(labels),
    ...times,
    count: String(count),
    sum,
    bucketCounts: [...counts, count - before].map(String),
    explicitBounds: bounds,
  };
}

/** A metric as Prometheus gets it, under the same name. Undefined if it has no values. */
export function toMetric(metric: ReportedMetric, startedAt: number, now: number) {
  const times = { startTimeUnixNano: toNanoseconds(startedAt), timeUnixNano: toNanoseconds(now) };
  const values = (metric.values as ReportedValue[]).filter(({ value }) => Number.isFinite(value));
  if (values.length === 0) return undefined;
  const described = { name: metric.name, description: metric.help, unit: unitOf(metric.name) };
  const type = String(metric.type);
  if (type === "histogram") {
    const byLabels = Object.groupBy(values, ({ labels: { le: _, ...labels } }) => JSON.stringify(labels));
    const dataPoints = Object.values(byLabels).map((some) => toHistogramPoint(some!, times));
    return { ...described, histogram: { dataPoints, aggregationTemporality: CUMULATIVE } };
  }
  const dataPoints = values.map(({ labels, value }) => ({ attributes: toLabels(labels), ...times, asDouble: value }));
  return type === "counter"
    ? { ...described, sum: { dataPoints, aggregationTemporality: CUMULATIVE, isMonotonic: true } }
    : { ...described, gauge: { dataPoints } };
}

const SEVERITIES: Record<string, number> = { trace: 1, debug: 5, info: 9, warn: 13, error: 17, fatal: 21 };

interface LoggedError {
  type?: unknown;
  message?: unknown;
  stack?: unknown;
}

/** A line of the log as a record. `findSpan` returns where a request is in its trace. */
export function toLogRecord(
  line: string,
  findSpan: (requestId: string) => { traceId: string; spanId: string } | undefined,
) {
  const { level, time, msg, err, ...details } = JSON.parse(line) as Record<string, unknown>;
  const error = (err ?? {}) as LoggedError;
  const at = toNanoseconds(Date.parse(String(time)));
  const span = typeof details.request_id === "string" ? findSpan(details.request_id) : undefined;
  return {
    timeUnixNano: at,
    observedTimeUnixNano: at,
    severityNumber: SEVERITIES[String(level)] ?? 0,
    severityText: String(level),
    body: { stringValue: String(msg ?? "") },
    attributes: toAttributes({
      ...details,
      "exception.type": error.type,
      "exception.message": error.message,
      "exception.stacktrace": error.stack,
    }),
    ...(span ? { traceId: span.traceId, spanId: span.spanId, flags: SAMPLED } : {}),
  };
}
