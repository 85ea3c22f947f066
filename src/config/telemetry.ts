import type { BatchSettings, Sampler, Signal, SignalSettings, TelemetrySettings } from "../contracts/telemetry.ts";
import { address, oneOf, type Variable, variable, wholeNumber } from "./define.ts";

const SAMPLERS: Record<string, (ratio: number) => Sampler> = {
  parentbased_always_on: () => ({ isParentBased: true, ratio: 1 }),
  parentbased_always_off: () => ({ isParentBased: true, ratio: 0 }),
  parentbased_traceidratio: (ratio) => ({ isParentBased: true, ratio }),
  always_on: () => ({ isParentBased: false, ratio: 1 }),
  always_off: () => ({ isParentBased: false, ratio: 0 }),
  traceidratio: (ratio) => ({ isParentBased: false, ratio }),
};

/** `name=value,name=value` with percent-encoded values. */
function pairs(text: string): Record<string, string> | undefined {
  const result: Record<string, string> = {};
  for (const pair of text.split(",")) {
    const equals = pair.indexOf("=");
    if (equals < 1) return undefined;
    try {
      result[decodeURIComponent(pair.slice(0, equals).trim())] = decodeURIComponent(pair.slice(equals + 1).trim());
    } catch {
      return undefined;
    }
  }
  return result;
}

const headers = (text: string) => {
  const found = pairs(text);
  return found && Object.keys(found).every((name) => /^[\w!#$%&'*+.^`|~-]+$/.test(name)) ? found : undefined;
};

const trueOrFalse = (text: string) => oneOf("true", "false")(text.toLowerCase());
const ratio = (text: string) => (/^(?:0(?:\.\d+)?|1(?:\.0+)?)$/.test(text) ? Number(text) : undefined);
const milliseconds = (fallback: string) =>
  variable(fallback, "a number of milliseconds from 1 to 3600000", wholeNumber(1, 3_600_000));
const size = (fallback: string) => variable(fallback, "a whole number from 1 to 1000000", wholeNumber(1, 1_000_000));
const file = () => variable("", "a file", (text) => text);
const exporter = () => variable("otlp", "otlp or none", oneOf("otlp", "none"));

const endpoint = () =>
  variable("", "an address such as http://127.0.0.1:4318", (text) => address("http:", "https:")(text));
const headerList = () =>
  variable("", "headers such as name=value,name=value, with percent-encoded values", headers, { secret: true });
const protocol = (fallback: string) =>
  variable(
    fallback,
    "http/protobuf or http/json (gRPC is not supported: give the collector's port for OTLP over HTTP, usually 4318)",
    oneOf("http/protobuf", "http/json"),
  );
const compression = (fallback: string) => variable(fallback, "gzip or none", oneOf("gzip", "none"));

/** OpenTelemetry's own variables: https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/ */
export const telemetryVariables = {
  OTEL_SDK_DISABLED: variable("false", "true or false", trueOrFalse),
  OTEL_SERVICE_NAME: variable("plugboard", "a name", (text) => text),
  OTEL_RESOURCE_ATTRIBUTES: variable("", "attributes such as name=value,name=value", pairs),
  OTEL_PROPAGATORS: variable("tracecontext", "tracecontext or none, or several names separated by commas", (text) =>
    text.split(",").map((name) => name.trim()),
  ),
  OTEL_TRACES_SAMPLER: variable(
    "parentbased_always_on",
    `one of ${Object.keys(SAMPLERS).join(", ")}`,
    oneOf(...Object.keys(SAMPLERS)),
  ),
  OTEL_TRACES_SAMPLER_ARG: variable("1", "a number from 0 to 1", ratio),
  OTEL_TRACES_EXPORTER: exporter(),
  OTEL_METRICS_EXPORTER: exporter(),
  OTEL_LOGS_EXPORTER: exporter(),
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint(),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: endpoint(),
  OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: endpoint(),
  OTEL_EXPORTER_OTLP_HEADERS: headerList(),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: headerList(),
  OTEL_EXPORTER_OTLP_METRICS_HEADERS: headerList(),
  OTEL_EXPORTER_OTLP_LOGS_HEADERS: headerList(),
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol("http/protobuf"),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol(""),
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: protocol(""),
  OTEL_EXPORTER_OTLP_LOGS_PROTOCOL: protocol(""),
  OTEL_EXPORTER_OTLP_COMPRESSION: compression("none"),
  OTEL_EXPORTER_OTLP_TIMEOUT: milliseconds("10000"),
  OTEL_EXPORTER_OTLP_CERTIFICATE: file(),
  OTEL_EXPORTER_OTLP_CLIENT_KEY: file(),
  OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: file(),
  OTEL_BSP_SCHEDULE_DELAY: milliseconds("5000"),
  OTEL_BSP_MAX_QUEUE_SIZE: size("2048"),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: size("512"),
  OTEL_BLRP_SCHEDULE_DELAY: milliseconds("1000"),
  OTEL_BLRP_MAX_QUEUE_SIZE: size("2048"),
  OTEL_BLRP_MAX_EXPORT_BATCH_SIZE: size("512"),
  OTEL_METRIC_EXPORT_INTERVAL: milliseconds("60000"),
} satisfies Record<string, Variable<unknown>>;

type Variables = typeof telemetryVariables;
type Values = { [name in keyof Variables]?: ReturnType<Variables[name]["read"]> };

/** A signal's own address is used as it is; the common one gets the standard path. */
function signalSettings(signal: Signal, values: Values): SignalSettings | undefined {
  const name = signal.toUpperCase() as Uppercase<Signal>;
  const base = values.OTEL_EXPORTER_OTLP_ENDPOINT;
  const url = values[`OTEL_EXPORTER_OTLP_${name}_ENDPOINT`] ?? (base && `${base.replace(/\/+$/, "")}/v1/${signal}`);
  if (!url || values[`OTEL_${name}_EXPORTER`] === "none") return undefined;
  return {
    url,
    headers: values[`OTEL_EXPORTER_OTLP_${name}_HEADERS`] ?? values.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    protocol: values[`OTEL_EXPORTER_OTLP_${name}_PROTOCOL`] ?? values.OTEL_EXPORTER_OTLP_PROTOCOL!,
    compression: values.OTEL_EXPORTER_OTLP_COMPRESSION!,
    timeoutMs: values.OTEL_EXPORTER_OTLP_TIMEOUT!,
  };
}

const batches = (values: Values, kind: "BSP" | "BLRP"): BatchSettings => {
  const maxQueue = values[`OTEL_${kind}_MAX_QUEUE_SIZE`]!;
  return {
    delayMs: values[`OTEL_${kind}_SCHEDULE_DELAY`]!,
    maxQueue,
    maxBatch: Math.min(values[`OTEL_${kind}_MAX_EXPORT_BATCH_SIZE`]!, maxQueue),
  };
};

/** Undefined without an address, or if it is turned off. */
export function readTelemetry(values: Values, problems: readonly string[]): TelemetrySettings | undefined {
  if (problems.length > 0 || values.OTEL_SDK_DISABLED === "true") return undefined;
  const traces = signalSettings("traces", values);
  const metrics = signalSettings("metrics", values);
  const logs = signalSettings("logs", values);
  if (!traces && !metrics && !logs) return undefined;
  const { "service.name": named, ...resourceAttributes } = values.OTEL_RESOURCE_ATTRIBUTES ?? {};
  return {
    traces,
    metrics,
    logs,
    // The default gives way to the attribute.
    serviceName: values.OTEL_SERVICE_NAME === "plugboard" ? (named ?? "plugboard") : values.OTEL_SERVICE_NAME!,
    resourceAttributes,
    sampler: SAMPLERS[values.OTEL_TRACES_SAMPLER!]!(values.OTEL_TRACES_SAMPLER_ARG!),
    propagates: values.OTEL_PROPAGATORS!.includes("tracecontext"),
    spanBatches: batches(values, "BSP"),
    logBatches: batches(values, "BLRP"),
    metricIntervalMs: values.OTEL_METRIC_EXPORT_INTERVAL!,
    tls: {
      ca: values.OTEL_EXPORTER_OTLP_CERTIFICATE,
      key: values.OTEL_EXPORTER_OTLP_CLIENT_KEY,
      cert: values.OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE,
    },
  };
}
