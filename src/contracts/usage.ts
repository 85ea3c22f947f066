/** Requests of a workspace are counted by minute and by hour. */
export type UsageWidth = "minute" | "hour";

export const USAGE_SECONDS: Readonly<Record<UsageWidth, number>> = { minute: 60, hour: 3600 };

/** The upper ends of the classes that durations are counted in; one more class has what took longer. */
export const DURATION_LIMITS_MS = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 20_000, 40_000] as const;

/** The requests to one surface in one minute or hour. */
export interface UsageCount {
  /** ISO 8601. */
  start: string;
  surface: string;
  requests: number;
  /** Errors by whose they are: see `ErrorSource`. */
  application_errors: number;
  plugboard_errors: number;
  provider_errors: number;
  /** How many took how long: one number per class. */
  durations: number[];
}

export interface UsagePeriod {
  width: UsageWidth;
  /** From this time on, in whole minutes or hours; ISO 8601. */
  since: string;
  /** Before this time. */
  until: string;
  /** Only requests over this connection, as far back as the request log goes. */
  connection_id?: string;
}
