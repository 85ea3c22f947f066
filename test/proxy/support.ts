import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { type AddressInfo, connect as connectSocket } from "node:net";
import type { TestService } from "../support/service.ts";
import { newWorkspace } from "../support/workspace.ts";

/** A server of the test's own that stands for a provider, and remembers every request that reached it. */
export async function startUpstream(handler: RequestListener = (_, response) => response.end("ok")) {
  const seen: IncomingMessage[] = [];
  let sockets = 0;
  let handle = handler;
  const server = createServer((request, response) => {
    seen.push(request);
    handle(request, response);
  });
  server.on("connection", () => {
    sockets++;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    seen,
    /** Connections so far, whether or not a request came over them. */
    sockets: () => sockets,
    answer(next: RequestListener) {
      handle = next;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

export type Upstream = Awaited<ReturnType<typeof startUpstream>>;

export interface Connected {
  key: string;
  connection: string;
  token: string;
  headers: Record<string, string>;
}

let workspaces = 0;

/** A provider with a path in its base address, on a server of the user's own: requests arrive below it. */
export const PROVIDER = "github";
export const BASE_PATH = "/api/v3";

/** A workspace with one connection that leads to `url`. */
export async function connectTo(
  service: TestService,
  url: string,
  integration: Record<string, unknown> = {},
): Promise<Connected & { integration: string; again(): Promise<string> }> {
  const key = await newWorkspace(service, `proxy-${process.pid}-${++workspaces}`);
  const token = `made-up-${crypto.randomUUID()}`;
  const platform = async (path: string, body: object): Promise<any> => {
    const response = await fetch(`${service.url}/platform/v1${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (response.status !== 201) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const { id } = await platform("/integrations", {
    identifier: PROVIDER,
    type: "api_key",
    base_url: url,
    ...integration,
  });
  const again = async () => (await platform("/connections", { integration_id: id, auth_token: token })).id as string;
  const connection = await again();
  const headers = { authorization: `Bearer ${key}`, "SVC-Connection-ID": connection };
  return { key, connection, token, headers, integration: id, again };
}

/** Writes bytes to a socket as they are and gives all that comes back until the other end is done. */
export async function rawRequest(port: number, text: string | Buffer, { waitMs = 2_000 } = {}): Promise<string> {
  const socket = connectSocket(port, "127.0.0.1");
  let received = "";
  socket.setTimeout(waitMs, () => socket.destroy());
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1");
  });
  socket.on("error", () => {});
  socket.write(text);
  await once(socket, "close");
  return received;
}

export const textOf = async (request: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};
