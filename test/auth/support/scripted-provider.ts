import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Answer {
  status?: number;
  body?: unknown;
  /** Hangs up instead. */
  drop?: boolean;
}

type TokenScript = (fields: URLSearchParams) => Answer | Promise<Answer>;

/** A provider's server that does what a test says, and remembers what it was asked. */
export async function startScriptedProvider() {
  const tokenRequests: URLSearchParams[] = [];
  const revocations: URLSearchParams[] = [];
  const calls: string[] = [];
  /** Access tokens that are taken. */
  const good = new Set<string>();
  let script: TokenScript = () => ({ status: 500 });
  let onCall: (token: string) => void | Promise<void> = () => {};

  async function answer(request: IncomingMessage): Promise<Answer> {
    const fields = new URLSearchParams(await read(request));
    if (request.url === "/token") {
      tokenRequests.push(fields);
      return script(fields);
    }
    if (request.url === "/revoke") {
      revocations.push(fields);
      return {};
    }
    const token = request.headers.authorization?.replace("Bearer ", "") ?? "";
    calls.push(token);
    await onCall(token);
    if (!good.has(token)) return { status: 401, body: { message: "token refused" } };
    return { body: { contacts: [{ id: "one" }] } };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status = 200, body = {}, drop } = await answer(request);
    if (drop) return void request.socket.destroy();
    response.writeHead(status, { "content-type": "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  }

  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  let issued = 0;

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tokenRequests,
    revocations,
    calls,
    good,
    onToken(next: TokenScript): void {
      script = next;
    },
    onCall(next: typeof onCall): void {
      onCall = next;
    },
    /** A token answer with a token that is taken from now on. */
    grant(more: Record<string, unknown> = {}): Answer & { body: { access_token: string; refresh_token: string } } {
      issued += 1;
      const body = { access_token: `access-${issued}`, refresh_token: `refresh-${issued}`, expires_in: 3600, ...more };
      good.add(body.access_token);
      return { body };
    },
    reset(): void {
      for (const list of [tokenRequests, revocations, calls]) list.length = 0;
      good.clear();
      script = () => ({ status: 500 });
      onCall = () => {};
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export type ScriptedProvider = Awaited<ReturnType<typeof startScriptedProvider>>;

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Something that a test lets go on when it likes. */
export function gate() {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  return {
    /** For the side that has to wait. */
    pass(): Promise<void> {
      reach();
      return opened;
    },
    /** For the test: somebody waits. */
    reached,
    open,
  };
}
