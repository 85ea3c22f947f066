// A proxy that notes what it is asked for, and leads every tunnel to one server of the test.
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

/** `port` is where tunnels lead; `refuse` the status with which it refuses them. */
export async function startProxy(port: number) {
  const asked: string[] = [];
  const credentials = new Set<string | undefined>();
  const sockets = new Set<Socket>();
  let refusal: number | undefined;
  const server = createServer((_, response) => response.writeHead(405).end());
  server.on("connect", ({ url = "", headers }, client: Socket) => {
    asked.push(url);
    credentials.add(headers["proxy-authorization"]);
    if (refusal) return client.end(`HTTP/1.1 ${refusal} Refused\r\n\r\n`);
    const upstream = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      upstream.pipe(client).pipe(upstream);
    });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {
        client.destroy();
        upstream.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const proxyPort = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${proxyPort}`,
    port: proxyPort,
    /** Hosts and ports, in the order of the tunnels. */
    asked,
    /** What clients sent about themselves. */
    credentials,
    refuse(status: number | undefined) {
      refusal = status;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
