/** `overloaded`: not made, because too many to the same provider are waiting; `malformed`: answered, but unreadable. */
export type UpstreamStatus = number | "timeout" | "unreachable" | "overloaded" | "malformed";

/** What the engine tells of its work. Metrics and logs are made from it elsewhere. */
export interface Telemetry {
  upstream(provider: string, status: UpstreamStatus, milliseconds: number): void;
  refresh(refresh: { provider: string; outcome: "renewed" | "refused" | "failed" }): void;
  /** Something an operator should see. `details` must hold no secret. */
  warn(message: string, details?: Record<string, unknown>): void;
}

/** What the store and the coordination need of a logger. */
export interface BasicLogger {
  info(message: string): void;
  warn(details: object, message: string): void;
}
