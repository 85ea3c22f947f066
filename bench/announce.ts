import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Listens on a free loopback port and sends its number to the parent process. */
export function announce(server: Server): void {
  server.keepAliveTimeout = 60_000;
  server.listen(0, "127.0.0.1", () => process.send!({ port: (server.address() as AddressInfo).port }));
}
