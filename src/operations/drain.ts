import { once } from "node:events";
import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setImmediate as turn } from "node:timers/promises";

const MOST_TURNS = 200;
const QUIET_TURN_MS = 0.3;

/**
 * Takes no more connections, and leaves those that are open as they are. (The HTTP server's own `close` ends the ones
 * that look idle, though a request may be on its way.) A connection that the system has taken and we have not is reset
 * by this, which its client cannot tell from a lost request: so it is done right after a turn of the event loop in
 * which all were taken and hardly anything else was to do.
 */
export async function stopListening(server: Server): Promise<void> {
  for (let turns = 0; turns < MOST_TURNS; turns++) {
    const began = performance.now();
    await turn();
    if (performance.now() - began < QUIET_TURN_MS) break;
  }
  if (server.listening) NetServer.prototype.close.call(server);
}

/** Waits until every client has closed its connection, for so long at most. */
export async function untilUnused(server: Server, longestMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  if ((await promise) === 0) return;
  // Once it does not listen, it tells when the last connection is gone.
  await once(server, "close", { signal: AbortSignal.timeout(longestMs) }).catch(() => {});
}
