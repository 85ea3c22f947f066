import type { UpstreamAttempt } from "./entities.ts";

/** `overloaded`: not sent, as too many calls to the provider are waiting; `malformed`: the response is unreadable. */
export type UpstreamStatus = number | "timeout" | "unreachable" | "overloaded" | "malformed";

/** The calls made to a provider for one client request. */
export interface CallTrace {
  /** Retries not counted. */
  upstreamCalls: number;
  /** The first attempts of the calls. */
  upstream: UpstreamAttempt[];
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
}

/** What the store and the coordination need of a logger. */
export interface BasicLogger {
  info(message: string): void;
  warn(details: object, message: string): void;
}
