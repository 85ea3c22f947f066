/** What the engine tells of its work. Metrics and logs are made from it elsewhere. */
export interface Telemetry {
  upstream(call: { provider: string; status: number | "timeout" | "unreachable"; milliseconds: number }): void;
  refresh(refresh: { provider: string; outcome: "renewed" | "refused" | "failed" }): void;
  /** Something an operator should see. `details` must hold no secret. */
  warn(message: string, details?: Record<string, unknown>): void;
}
