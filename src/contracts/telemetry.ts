import type { UpstreamAttempt } from "./entities.ts";
import type { SpanContext, Tracing } from "./tracing.ts";

/** `overloaded`: not sent, as too many calls to the provider are waiting; `malformed`: the response is unreadable. */
export type UpstreamStatus = number | "timeout" | "unreachable" | "overloaded" | "malformed";

/** The calls made to a provider for one client request. */
export interface CallTrace {
  /** Retries not counted. */
  upstreamCalls: number;
  /** The first attempts of the calls. */
  upstream: UpstreamAttempt[];
  /** Whose children the attempts are, if they are traced. */
  span?: SpanContext | undefined;
  /** Of the last attempt, by name or as a list of names and values: what must not be kept if the provider quotes it. */
  sentHeaders?: Readonly<Record<string, string | string[]>> | readonly (string | string[])[];
}

export interface TokenRefresh {
  provider: string;
  connection_id: string;
  workspace_id: string;
  outcome: "renewed" | "refused" | "failed";
  reason?: string;
}

export interface SkippedItems {
  provider: string;
  connection_id: string;
  operation: string;
  count: number;
  reason: string;
}

/** What the engine reports for metrics and logs. */
export interface Telemetry {
  upstream(provider: string, status: UpstreamStatus, milliseconds: number): void;
  /** `reason` says why it was refused or failed. */
  refresh(refresh: TokenRefresh): void;
  /** A response that was counted as received turned out to have another format than documented. */
  malformed(details: { provider: string; connection_id: string; err: unknown }): void;
  /** Items of a list that could not be read and were left out. `reason` has nothing of their content. */
  skipped(items: SkippedItems): void;
  /** Something an operator should see. `details` must not contain secrets. */
  warn(message: string, details?: Record<string, unknown>): void;
  /** Undefined if traces are off. */
  tracing?: Tracing | undefined;
}

/** What is sent to OpenTelemetry. */
export type Signal = "traces" | "metrics" | "logs";

/** Where one signal is sent to. */
export interface SignalSettings {
  url: string;
  /** They may contain secrets. */
  headers: Readonly<Record<string, string>>;
  protocol: "http/protobuf" | "http/json";
  compression: "gzip" | "none";
  timeoutMs: number;
}

export interface BatchSettings {
  delayMs: number;
  maxQueue: number;
  maxBatch: number;
}

export interface Sampler {
  /** Whether a trace that a client has begun is kept if the client keeps it. */
  isParentBased: boolean;
  /** The part of the other traces that is kept, from 0 to 1. */
  ratio: number;
}

/** OpenTelemetry, as its environment variables say. Signals that are off are undefined. */
export interface TelemetrySettings {
  traces: SignalSettings | undefined;
  metrics: SignalSettings | undefined;
  logs: SignalSettings | undefined;
  serviceName: string;
  resourceAttributes: Readonly<Record<string, string>>;
  sampler: Sampler;
  /** Whether `traceparent` is read and sent. */
  propagates: boolean;
  spanBatches: BatchSettings;
  logBatches: BatchSettings;
  metricIntervalMs: number;
  /** Files: whom to trust, and who we are. */
  tls: { ca: string | undefined; key: string | undefined; cert: string | undefined };
}

/** What the store and the coordination need of a logger. */
export interface BasicLogger {
  info(message: string): void;
  warn(details: object, message: string): void;
}
