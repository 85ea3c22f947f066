import type { MetricsReport } from "../process-metrics.ts";

/** In the environment of a worker that is started after all others were ready. */
export const ALL_READY = "PLUGBOARD_ALL_WORKERS_READY";

export type MessageFromWorker =
  /** It serves requests at this address. */
  | { type: "ready"; url: string }
  /** Its metrics: the answer to `report`, and again when it ends. */
  | { type: "metrics"; report: MetricsReport }
  /** Somebody reads the metrics of all workers. */
  | { type: "render"; id: number };

export type MessageToWorker =
  | { type: "report" }
  /** Every worker has been ready. */
  | { type: "all_ready" }
  /** The answer to `render`: the sum over all workers, in Prometheus' text format. */
  | { type: "rendered"; id: number; body: string };
