// A server that receives webhooks and records them.
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { readText } from "../../support/upstream.ts";

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export type Answering = (response: ServerResponse, received: Received) => void;

const accept: Answering = (response) => response.writeHead(204).end();

export async function startReceiver(answering: Answering = accept) {
  const received: Received[] = [];
  let answer = answering;
  let sockets = 0;
  const server = createServer(async (request, response) => {
    const { url = "", headers } = request;
    const one = { path: url, headers, body: await readText(request) };
    received.push(one);
    answer(response, one);
  });
  server.on("connection", () => {
    sockets++;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    received,
    sockets: () => sockets,
    answer(next: Answering) {
      answer = next;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

export const status =
  (code: number, headers: Record<string, string> = {}, body = ""): Answering =>
  (response) =>
    response.writeHead(code, headers).end(body);
