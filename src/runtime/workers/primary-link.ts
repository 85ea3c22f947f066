import type { MetricsReport } from "../process-metrics.ts";
import { ALL_READY, type MessageFromWorker, type MessageToWorker } from "./messages.ts";

/** A worker's link to the process that started it. */
export interface PrimaryLink {
  /** Answers requests for this worker's metrics. */
  reportMetrics(report: () => Promise<MetricsReport>): void;
  /** The metrics of all workers, in Prometheus' text format. */
  sumOfMetrics(): Promise<string>;
  /** This worker serves requests. */
  ready(url: string): void;
  /** Whether every worker has been ready, which this one may learn later. */
  allReady(): boolean;
  /** Sends the last metrics. Nothing may be counted after this. */
  close(): Promise<void>;
}

export function connectToPrimary(): PrimaryLink {
  // The primary restarts the workers after this signal, which may be sent to all processes of a group.
  process.on("SIGHUP", () => {});
  const rendering = new Map<number, (body: string) => void>();
  let requests = 0;
  let allReady = process.env[ALL_READY] !== undefined;
  let read: () => Promise<MetricsReport> = async () => [];

  const send = (message: MessageFromWorker): Promise<void> =>
    // If the primary has ended, so does this process.
    new Promise((resolve) => process.send!(message, undefined, undefined, () => resolve()));
  const report = async () => send({ type: "metrics", report: await read() });

  process.on("message", (message: MessageToWorker) => {
    if (message.type === "report") void report();
    if (message.type === "all_ready") allReady = true;
    if (message.type === "rendered") {
      rendering.get(message.id)?.(message.body);
      rendering.delete(message.id);
    }
  });
  return {
    reportMetrics(source) {
      read = source;
    },
    sumOfMetrics() {
      const { promise, resolve } = Promise.withResolvers<string>();
      const id = ++requests;
      rendering.set(id, resolve);
      void send({ type: "render", id });
      return promise;
    },
    allReady: () => allReady,
    ready: (url) => void send({ type: "ready", url }),
    close: report,
  };
}
