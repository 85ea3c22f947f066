import { randomUUID } from "node:crypto";
import type { ProxySettings } from "../../contracts/network.ts";
import type { Signal, TelemetrySettings } from "../../contracts/telemetry.ts";
import type { SpanContext, Tracing } from "../../contracts/tracing.ts";
import { copyLogTo, type Logger } from "../logger.ts";
import type { MetricsReport } from "../process-metrics.ts";
import { VERSION } from "../version.ts";
import { toAttributes } from "./attributes.ts";
import { createBatches } from "./batches.ts";
import { createExporter } from "./otlp-exporter.ts";
import { toLogRecord, toMetric, toSpan } from "./records.ts";
import { createTracer, type EndedSpan } from "./tracer.ts";

interface OpenTelemetryOptions {
  settings: TelemetrySettings;
  proxy: ProxySettings | undefined;
  log: Logger;
  /** The metrics of this process. */
  metrics(): Promise<MetricsReport>;
  dropped(signal: Signal, count: number): void;
}

export interface OpenTelemetry {
  /** Undefined if traces are off. */
  tracing: Tracing | undefined;
  /** Requests in progress, so that their lines in the log get their place in the trace. */
  requests: Map<string, SpanContext>;
  /** Sends what is left, for a limited time. */
  close(): Promise<void>;
}

const CLOSE_TIMEOUT_MS = 5_000;
const SCOPE = { name: "plugboard", version: VERSION };

/** Sends traces, metrics and logs to a collector, in the background. Whatever fails there, the service goes on. */
export function createOpenTelemetry({ settings, proxy, log, metrics, dropped }: OpenTelemetryOptions): OpenTelemetry {
  const exporter = createExporter(settings, proxy);
  const stop = new AbortController();
  const failing = new Set<Signal>();
  const requests = new Map<string, SpanContext>();
  const startedAt = performance.timeOrigin;
  const resource = {
    attributes: toAttributes({
      "service.name": settings.serviceName,
      "service.version": VERSION,
      "service.instance.id": randomUUID(),
      "process.pid": process.pid,
      "telemetry.sdk.name": "plugboard",
      "telemetry.sdk.language": "nodejs",
      "telemetry.sdk.version": VERSION,
      ...settings.resourceAttributes,
    }),
  };

  async function send(signal: Signal, count: number, body: object): Promise<void> {
    try {
      const rejected = await exporter.send(signal, body, stop.signal);
      if (rejected > 0) dropped(signal, rejected);
      if (failing.delete(signal)) log.info({ signal }, "telemetry is accepted again");
    } catch (error) {
      dropped(signal, count);
      if (failing.has(signal) || stop.signal.aborted) return;
      failing.add(signal);
      const { message, code } = error as NodeJS.ErrnoException;
      log.warn({ signal, reason: code ?? message }, "telemetry cannot be sent");
    }
  }

  const spans =
    settings.traces &&
    createBatches<EndedSpan>({
      ...settings.spanBatches,
      send: (batch) =>
        send("traces", batch.length, {
          resourceSpans: [{ resource, scopeSpans: [{ scope: SCOPE, spans: batch.map(toSpan) }] }],
        }),
      dropped: (count) => dropped("traces", count),
    });
  type LogRecord = ReturnType<typeof toLogRecord>;
  const logs =
    settings.logs &&
    createBatches<LogRecord>({
      ...settings.logBatches,
      send: (logRecords) =>
        send("logs", logRecords.length, { resourceLogs: [{ resource, scopeLogs: [{ scope: SCOPE, logRecords }] }] }),
      dropped: (count) => dropped("logs", count),
    });
  if (logs) copyLogTo(log, (line) => logs.add(toLogRecord(line, (id) => requests.get(id))));

  async function sendMetrics(): Promise<void> {
    const now = Date.now();
    const found = (await metrics()).flatMap((metric) => toMetric(metric, startedAt, now) ?? []);
    await send("metrics", found.length, {
      resourceMetrics: [{ resource, scopeMetrics: [{ scope: SCOPE, metrics: found }] }],
    });
  }
  let reading: Promise<void> | undefined;
  function readMetrics(): Promise<void> {
    reading ??= sendMetrics()
      .catch((error: unknown) => log.warn({ err: error }, "metrics cannot be read"))
      .finally(() => {
        reading = undefined;
      });
    return reading;
  }
  const reader = settings.metrics && setInterval(readMetrics, settings.metricIntervalMs).unref();

  return {
    tracing: spans && createTracer({ ...settings, ended: spans.add }),
    requests,
    async close() {
      clearInterval(reader);
      copyLogTo(log, undefined);
      const timer = setTimeout(() => stop.abort(), CLOSE_TIMEOUT_MS);
      await Promise.all([spans?.flush(), logs?.flush(), settings.metrics && readMetrics()]);
      clearTimeout(timer);
      await exporter.close();
    },
  };
}
