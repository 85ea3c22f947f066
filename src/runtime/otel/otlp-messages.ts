// The messages that are sent, as far as their fields are used: https://github.com/open-telemetry/opentelemetry-proto
import type { Message } from "./protobuf.ts";

type Fields = Record<string, [number: number, type: Message[string]["type"]]>;
const message = (fields: Fields): Message =>
  Object.fromEntries(Object.entries(fields).map(([name, [number, type]]) => [name, { number, type }]));

const AnyValue = message({
  stringValue: [1, "string"],
  boolValue: [2, "bool"],
  intValue: [3, "int64"],
  doubleValue: [4, "double"],
  arrayValue: [5, () => Values],
  kvlistValue: [6, () => Attributes],
});
const Values = message({ values: [1, AnyValue] });
const KeyValue = message({ key: [1, "string"], value: [2, AnyValue] });
const Attributes = message({ values: [1, KeyValue] });

const Resource = message({ attributes: [1, KeyValue] });
const Scope = message({ name: [1, "string"], version: [2, "string"] });

/** Records by resource and scope: `resourceSpans` have `scopeSpans`, which have `spans`. */
const request = (byResource: string, byScope: string, records: string, record: Message): Message =>
  message({
    [byResource]: [
      1,
      message({ resource: [1, Resource], [byScope]: [2, message({ scope: [1, Scope], [records]: [2, record] })] }),
    ],
  });

const Link = message({ traceId: [1, "hex"], spanId: [2, "hex"], traceState: [3, "string"], flags: [6, "fixed32"] });
const Span = message({
  traceId: [1, "hex"],
  spanId: [2, "hex"],
  traceState: [3, "string"],
  parentSpanId: [4, "hex"],
  flags: [16, "fixed32"],
  name: [5, "string"],
  kind: [6, "uint32"],
  startTimeUnixNano: [7, "fixed64"],
  endTimeUnixNano: [8, "fixed64"],
  attributes: [9, KeyValue],
  links: [13, Link],
  status: [15, message({ message: [2, "string"], code: [3, "uint32"] })],
});

const NumberPoint = message({
  attributes: [7, KeyValue],
  startTimeUnixNano: [2, "fixed64"],
  timeUnixNano: [3, "fixed64"],
  asDouble: [4, "double"],
});
const HistogramPoint = message({
  attributes: [9, KeyValue],
  startTimeUnixNano: [2, "fixed64"],
  timeUnixNano: [3, "fixed64"],
  count: [4, "fixed64"],
  sum: [5, "double"],
  bucketCounts: [6, "fixed64"],
  explicitBounds: [7, "double"],
});
const Metric = message({
  name: [1, "string"],
  description: [2, "string"],
  unit: [3, "string"],
  gauge: [5, message({ dataPoints: [1, NumberPoint] })],
  sum: [7, message({ dataPoints: [1, NumberPoint], aggregationTemporality: [2, "uint32"], isMonotonic: [3, "bool"] })],
  histogram: [9, message({ dataPoints: [1, HistogramPoint], aggregationTemporality: [2, "uint32"] })],
});

const LogRecord = message({
  timeUnixNano: [1, "fixed64"],
  observedTimeUnixNano: [11, "fixed64"],
  severityNumber: [2, "uint32"],
  severityText: [3, "string"],
  body: [5, AnyValue],
  attributes: [6, KeyValue],
  flags: [8, "fixed32"],
  traceId: [9, "hex"],
  spanId: [10, "hex"],
});

export const requests = {
  traces: request("resourceSpans", "scopeSpans", "spans", Span),
  metrics: request("resourceMetrics", "scopeMetrics", "metrics", Metric),
  logs: request("resourceLogs", "scopeLogs", "logRecords", LogRecord),
};
