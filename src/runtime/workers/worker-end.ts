import type { Worker } from "node:cluster";
import type { WorkerExit } from "./supervisor.ts";

/** A message between the two halves of `node:cluster`. */
interface ClusterMessage {
  cmd: "NODE_CLUSTER";
  seq?: number;
  ack?: number;
  accepted?: boolean;
}

/**
 * Resolves when the process has ended. (The event `disconnect` does not come if the worker was killed while it was
 * handed a connection. Its messages have been received by then: Node reads sockets before signals.)
 *
 * The primary closes its copy of a connection when the worker confirms that it has it. `node:cluster` forgets those of
 * a worker that was killed before that, and their clients would wait forever. Confirming them in its place closes them.
 */
export async function endOf({ process }: Worker): Promise<WorkerExit> {
  const unconfirmed = trackHandedConnections(process);
  const exit = await new Promise<WorkerExit>((resolve) =>
    process.once("exit", (code, signal) => resolve({ code, signal })),
  );
  for (const ack of unconfirmed)
    process.emit("internalMessage", { cmd: "NODE_CLUSTER", ack, accepted: true } satisfies ClusterMessage);
  return exit;
}

/** The numbers of the messages with a connection that the worker has not confirmed. */
function trackHandedConnections(process: Worker["process"]): ReadonlySet<number> {
  const unconfirmed = new Set<number>();
  const send = process.send.bind(process) as (...args: unknown[]) => boolean;
  process.send = ((message: ClusterMessage, handle: unknown, ...rest: unknown[]) => {
    if (handle && message.seq !== undefined) unconfirmed.add(message.seq);
    return send(message, handle, ...rest);
  }) as typeof process.send;
  process.on("internalMessage", ({ ack }: ClusterMessage) => {
    if (ack !== undefined) unconfirmed.delete(ack);
  });
  return unconfirmed;
}
