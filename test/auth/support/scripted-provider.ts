import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { readText } from "../../support/upstream.ts";

export interface Answer {
  status?: number;
  body?: unknown;
  /** Closes the connection instead of answering. */
  drop?: boolean;
}

type TokenScript = (fields: URLSearchParams) => Answer | Promise<Answer>;

/** A provider's server that answers as a test scripts it, and records what it was asked. */
export async function startScriptedProvider() {
  const tokenRequests: URLSearchParams[] = [];
  const revocations: URLSearchParams[] = [];
  const calls: string[] = [];
  const acceptedTokens = new Set<string>();
  let script: TokenScript = () => ({ status: 500 });
  let onCall: (token: string) => void | Promise<void> = () => {};

  async function answer(request: IncomingMessage): Promise<Answer> {
    const fields = new URLSearchParams(await readText(request));
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
    if (!acceptedTokens.has(token)) return { status: 401, body: { message: "token refused" } };
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
    acceptedTokens,
    onToken(next: TokenScript): void {
      script = next;
    },
    onCall(next: typeof onCall): void {
      onCall = next;
    },
    /** A token answer whose access token is accepted from now on. */
    grant(more: Record<string, unknown> = {}): Answer & { body: { access_token: string; refresh_token: string } } {
      issued += 1;
      const body = { access_token: `access-${issued}`, refresh_token: `refresh-${issued}`, expires_in: 3600, ...more };
      acceptedTokens.add(body.access_token);
      return { body };
    },
    reset(): void {
      for (const list of [tokenRequests, revocations, calls]) list.length = 0;
      acceptedTokens.clear();
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

/** Holds up one side until the test opens it. */
export function gate() {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  return {
    /** Called by the side that waits. */
    pass(): Promise<void> {
      reach();
      return opened;
    },
    /** Resolves when somebody waits. */
    reached,
    open,
  };
}
