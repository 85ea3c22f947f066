import { once } from "node:events";
import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setImmediate as turn, setTimeout as wait } from "node:timers/promises";

/** Long enough for clients that were just answered to be back with their next request, if they come at all. */
const HOLD_MS = 25;
const MAX_TURNS = 200;
const QUIET_TURN_MS = 0.1;

/** The way into the service, which can be closed without a request getting caught in it. */
export interface GracefulClose {
  /** A request that comes in waits for this before anything is done about it; undefined: it need not. */
  readonly held: Promise<void> | undefined;
  /**
   * Takes no more connections, and leaves those that are open as they are. (The HTTP server's own `close` ends the
   * ones that look idle, though a request may be on its way.)
   *
   * A connection that the system has taken and we have not is reset by this, which its client cannot tell from a lost
   * request. So nobody is answered for a moment, all who come meanwhile are taken in, and then it is done right after a
   * turn of the event loop in which nothing was to do.
   */
  close(server: Server): Promise<void>;
}

export function createGracefulClose(): GracefulClose {
  let held: Promise<void> | undefined;
  return {
    get held() {
      return held;
    },
    async close(server) {
      if (!server.listening) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      await wait(HOLD_MS);
      for (let turns = 0; turns < MAX_TURNS; turns++) {
        const began = performance.now();
        await turn();
        if (performance.now() - began < QUIET_TURN_MS) break;
      }
      NetServer.prototype.close.call(server);
      held = undefined;
      resolve();
    },
  };
}

/** Waits until every client has closed its connection, for so long at most. */
export async function waitForConnectionsToClose(server: Server, longestMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  if ((await promise) === 0) return;
  // Once it does not listen, it tells when the last connection is gone.
  await once(server, "close", { signal: AbortSignal.timeout(longestMs) }).catch(() => {});
}
