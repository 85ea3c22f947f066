import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A TCP relay in front of a server, which can be cut or made to drop everything. */
export async function createRelay(target: URL, defaultPort: number) {
  const sockets = new Set<Socket>();
  let silent: boolean | string = false;
  let swallowed = 0;
  const server = createServer((socket) => {
    const upstream = connect(Number(target.port) || defaultPort, target.hostname);
    /** Once bytes are lost, nothing more may pass on this connection: the rest would make no sense. */
    let lost = false;
    for (const [from, to] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      sockets.add(from);
      from.on("data", (data) => {
        lost ||= typeof silent === "string" ? data.includes(silent) : silent;
        if (lost) swallowed += 1;
        else to.write(data);
      });
      from.on("error", () => {});
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  const listen = async (port: number) => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const url = new URL(target);
  url.hostname = "127.0.0.1";
  url.port = String(port);
  return {
    url,
    async cut() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    restore: () => listen(port),
    /** Drops everything, or everything on a connection from the first chunk with this text. */
    beSilent: (value: boolean | string) => {
      silent = value;
    },
    /** How many chunks were dropped. */
    swallowed: () => swallowed,
  };
}
