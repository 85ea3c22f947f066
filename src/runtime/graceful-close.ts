import { once } from "node:events";
import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";

/** Long enough for clients that have just received a response to send their next request, if they have one. */
const HOLD_MS = 25;
const MAX_TURNS = 200;
const IDLE_TURN_MS = 0.1;

/** Closes a server's listening socket without losing a request. */
export interface GracefulClose {
  /** While this is set, new requests must wait for it before they are handled. */
  readonly requestHold: Promise<void> | undefined;
  /**
   * Accepts no more connections and leaves the open ones as they are. (The HTTP server's own `close` closes the ones
   * that look idle, although a request may be on its way.)
   *
   * Closing the socket resets connections that the kernel has accepted and the process has not; to the client that looks
   * like a lost request. So requests are held for a moment while all waiting connections are accepted, and the socket is
   * closed right after an idle turn of the event loop.
   */
  stopListening(server: Server): Promise<void>;
}

export function createGracefulClose(): GracefulClose {
  let requestHold: Promise<void> | undefined;
  return {
    get requestHold() {
      return requestHold;
    },
    async stopListening(server) {
      if (!server.listening) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      requestHold = promise;
      await wait(HOLD_MS);
      for (let turns = 0; turns < MAX_TURNS; turns++) {
        const startedAt = performance.now();
        await nextTurn();
        if (performance.now() - startedAt < IDLE_TURN_MS) break;
      }
      NetServer.prototype.close.call(server);
      requestHold = undefined;
      resolve();
    },
  };
}

/** Waits until every client has closed its connection, but at most `maxMs`. */
export async function waitForConnectionsToClose(server: Server, maxMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  if ((await promise) === 0) return;
  // A server that no longer listens emits `close` when its last connection is closed.
  await once(server, "close", { signal: AbortSignal.timeout(maxMs) }).catch(() => {});
}
