import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createStrictPlatform } from "./platform.ts";
import type { TestService } from "./service.ts";

/** A server that stands in for a provider and records every request that reaches it. */
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
    /** Connections so far, with or without a request. */
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

export const answerJson =
  (text: string): RequestListener =>
  (_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(text);

export interface Connected {
  key: string;
  connection: string;
  token: string;
  headers: Record<string, string>;
}

let workspaces = 0;

/** A provider that can be self-hosted and has a path in its base address, below which requests arrive. */
export const PROVIDER = "github";
export const BASE_PATH = "/api/v3";

/** A workspace with one connection that leads to `url`. */
export async function connectTo(
  service: Pick<TestService, "url" | "createWorkspace">,
  url: string,
  integration: Record<string, unknown> = {},
): Promise<Connected & { integration: string; addConnection(): Promise<string> }> {
  const key = await service.createWorkspace(`upstream-${process.pid}-${++workspaces}`);
  const token = `made-up-${crypto.randomUUID()}`;
  const platform = createStrictPlatform(service, key);
  const { id } = await platform("POST", "/integrations", {
    identifier: PROVIDER,
    type: "api_key",
    base_url: url,
    ...integration,
  });
  const addConnection = async () =>
    (await platform("POST", "/connections", { integration_id: id, auth_token: token })).id as string;
  const connection = await addConnection();
  const headers = { authorization: `Bearer ${key}`, "SVC-Connection-ID": connection };
  return { key, connection, token, headers, integration: id, addConnection };
}

export async function readText(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
