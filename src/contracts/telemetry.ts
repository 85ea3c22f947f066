/** `overloaded`: not sent, as too many calls to the provider are waiting; `malformed`: the response is unreadable. */
export type UpstreamStatus = number | "timeout" | "unreachable" | "overloaded" | "malformed";

/** What the engine reports for metrics and logs. */
export interface Telemetry {
  upstream(provider: string, status: UpstreamStatus, milliseconds: number): void;
  refresh(refresh: { provider: string; outcome: "renewed" | "refused" | "failed" }): void;
  /** Something an operator should see. `details` must not contain secrets. */
  warn(message: string, details?: Record<string, unknown>): void;
}

/** What the store and the coordination need of a logger. */
export interface BasicLogger {
  info(message: string): void;
  warn(details: object, message: string): void;
}
