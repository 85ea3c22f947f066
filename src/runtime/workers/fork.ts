import cluster from "node:cluster";
import { ALL_READY, type MessageFromWorker, type MessageToWorker } from "./messages.ts";
import type { WorkerProcess } from "./supervisor.ts";
import { endOf } from "./worker-end.ts";

export interface ForkedWorker extends WorkerProcess {
  send(message: MessageToWorker): void;
}

/** Starts this command again as a worker. */
export function forkWorker(
  port: number,
  allReady: boolean,
  onMessage: (worker: ForkedWorker, message: MessageFromWorker) => void,
): ForkedWorker {
  // Connections are handed out in turn. If workers accepted them on their own, a few could have most of them, and
  // connections last long.
  cluster.schedulingPolicy = cluster.SCHED_RR;
  const worker = cluster.fork({ PORT: String(port), ...(allReady ? { [ALL_READY]: "true" } : {}) });
  worker.on("error", () => {});
  const { pid } = worker.process;
  if (pid === undefined) throw new Error("the operating system allows no more processes or files");

  const { promise: ready, resolve } = Promise.withResolvers<string>();
  const forked: ForkedWorker = {
    pid,
    ready,
    ended: endOf(worker),
    kill: (signal) => worker.process.kill(signal),
    // A worker that has just ended cannot receive anything, which is no error.
    send: (message) => worker.send(message, () => {}),
  };
  worker.on("message", (message: MessageFromWorker) => {
    if (message.type === "ready") resolve(message.url);
    onMessage(forked, message);
  });
  return forked;
}
