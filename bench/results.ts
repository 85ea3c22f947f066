// What a run finds out, as it stands in results.json.
import type { Size } from "./bodies.ts";
import type { LoadResult } from "./load.ts";

export interface Measured {
  target: string;
  size: Size;
  concurrency: number;
  /** Medians over the rounds. */
  perSecond: number;
  p50: number;
  p99: number;
  rounds: LoadResult[];
}

export interface Results {
  quick: boolean;
  node: string;
  /** Bytes of each body. */
  bodies: Record<string, number>;
  measured: Omit<Measured, "rounds">[];
  stores: Omit<Measured, "rounds">[];
  /** Most resident memory seen, in MB. */
  memory: Record<string, number>;
}
