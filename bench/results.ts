// The results of a run, as stored in results.json.
import type { Size } from "./bodies.ts";

export interface Measured {
  target: string;
  size: Size;
  concurrency: number;
  /** Medians over the rounds. */
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** CPU time of the server per call, user and system. */
  cpuMicroseconds: number;
  /** Highest resident memory of the server at the end of a round. */
  megabytes: number;
  /** The baseline, and the median over the rounds of the baseline's CPU time per call divided by this target's. */
  limit?: string;
  ratio?: number;
}

export interface Results {
  quick: boolean;
  /** When it was measured, such as 2026-11-15, and the commit that was checked out. */
  date: string;
  commit: string;
  node: string;
  /** The load generator: wrk, or the own one. */
  generator: string;
  /** Bytes of each body. */
  bodies: Record<string, number>;
  measured: Measured[];
  stores: Measured[];
  /** Resident memory of a server before its first call, in MB. */
  idleMegabytes: number;
}
