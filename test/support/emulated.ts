// One emulated provider on its own server, without Plugboard in front of it.
import { randomBytes } from "node:crypto";
import Fastify from "fastify";
import type { Emulator } from "../../src/contracts/emulator.ts";
import { authTypes, type Manifest } from "../../src/contracts/manifest.ts";
import { createSandbox } from "../../src/sandbox/index.ts";

export interface EmulatedAnswer {
  status: number;
  headers: Headers;
  body: any;
}

export async function serveEmulated(manifest: Manifest, emulator: Emulator) {
  const sandbox = createSandbox({
    providers: [{ manifest, categories: [] }],
    emulators: { [manifest.id]: emulator },
    secret: randomBytes(32),
  });
  const server = Fastify();
  await server.register(sandbox.plugin);
  const address = await server.listen({ port: 0, host: "127.0.0.1" });
  const type = authTypes(manifest)[0]!;
  const { credentials } = sandbox.credentials(manifest.id, type);
  const authorization = manifest.authorization?.(credentials, type).headers ?? {
    authorization: `Bearer ${credentials.token}`,
  };

  /** Sends the manifest's authorization, unless `headers` replaces it. A body is sent as JSON, `URLSearchParams` as a form. */
  async function call(
    path: string,
    sent: { body?: object; headers?: Record<string, string> } = {},
  ): Promise<EmulatedAnswer> {
    const isForm = sent.body instanceof URLSearchParams;
    const response = await fetch(`${address}/${manifest.id}${path}`, {
      headers: {
        ...authorization,
        ...(sent.body && !isForm ? { "content-type": "application/json" } : {}),
        ...sent.headers,
      },
      ...(sent.body
        ? { method: "POST", body: isForm ? (sent.body as URLSearchParams) : JSON.stringify(sent.body) }
        : {}),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json");
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }

  return { call, credentials, address: `${address}/${manifest.id}`, close: () => server.close() };
}

export type Emulated = Awaited<ReturnType<typeof serveEmulated>>;
