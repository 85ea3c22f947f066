import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setImmediate as turn } from "node:timers/promises";

/**
 * Stops listening and leaves open connections to their clients until the next answer tells them to close, or until the
 * time is up. (The HTTP server's own `close` ends those that look idle at once, though a request may be on its way.)
 */
export async function drain(server: Server, longestMs: number): Promise<void> {
  // Right after what had arrived was accepted: a connection that still waits for that would be reset.
  await turn();
  if (!server.listening) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, longestMs);
  NetServer.prototype.close.call(server, () => resolve());
  await promise;
  clearTimeout(timer);
}
