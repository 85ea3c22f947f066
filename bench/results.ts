// What a run finds out, as it stands in results.json.
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
  /** Processor time of the server for one call. */
  cpuMicroseconds: number;
  /** Most resident memory of the server at the end of a round. */
  megabytes: number;
  /** What it is measured against, and the median over the rounds of its throughput as a share of that one's. */
  limit?: string;
  ratio?: number;
}

export interface Results {
  quick: boolean;
  node: string;
  /** Bytes of each body. */
  bodies: Record<string, number>;
  measured: Measured[];
  stores: Measured[];
  /** Resident memory of a server that has not answered a call yet, in MB. */
  idleMegabytes: number;
}
