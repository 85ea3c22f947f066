import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Agent, fetch } from "undici";
import type { TestService } from "../support/service.ts";

/** The official client, connected. `close` also closes its sockets. */
export async function connectClient(address: string, headers: Record<string, string>) {
  const client = new Client({ name: "test", version: "1.0.0" });
  const dispatcher = new Agent();
  const transport = new StreamableHTTPClientTransport(new URL(address), {
    requestInit: { headers },
    fetch: ((url: string, init: object) => fetch(url, { ...init, dispatcher })) as unknown as typeof globalThis.fetch,
  });
  await client.connect(transport);
  return {
    client,
    transport,
    async close() {
      await client.close();
      await dispatcher.destroy();
    },
  };
}

export const oneCredential = (service: TestService, provider: string) => ({
  authorization: `Bearer ${service.apiKey}.${service.connections[provider]}`,
});

export const keyAndHeader = (service: TestService, provider: string) => ({
  authorization: `Bearer ${service.apiKey}`,
  "SVC-Connection-ID": service.connections[provider]!,
});

export const textOf = (result: object): string => (result as { content: { text: string }[] }).content[0]!.text;

/** The official client of the protocol of 2026-07-28. `onQuestion` answers when it is asked to open an address. */
export async function connectModernClient(
  address: string,
  headers: Record<string, string>,
  onQuestion?: (question: { url: string; message: string }) => Promise<"accept" | "decline" | "cancel">,
) {
  const client = new ModernClient(
    { name: "modern test", version: "1.0.0" },
    {
      versionNegotiation: { mode: { pin: "2026-07-28" } },
      capabilities: onQuestion ? { elicitation: { url: {} } } : {},
    },
  );
  if (onQuestion)
    client.setRequestHandler("elicitation/create", async ({ params }) => ({
      action: await onQuestion(params as { url: string; message: string }),
    }));
  const dispatcher = new Agent();
  const transport = new ModernTransport(new URL(address), {
    requestInit: { headers },
    fetch: ((url: string, init: object) => fetch(url, { ...init, dispatcher })) as unknown as typeof globalThis.fetch,
  });
  await client.connect(transport);
  return {
    client,
    async close() {
      await client.close();
      await dispatcher.destroy();
    },
  };
}
