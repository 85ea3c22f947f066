import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { TestService } from "../support/service.ts";

/** The official client, connected: by one credential, or by a key and a header. */
export async function connectClient(
  address: string,
  headers: Record<string, string>,
): Promise<{ client: Client; transport: StreamableHTTPClientTransport }> {
  const client = new Client({ name: "test", version: "1.0.0" });
  const transport = new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } });
  await client.connect(transport);
  return { client, transport };
}

export const oneCredential = (service: TestService, provider: string) => ({
  authorization: `Bearer ${service.apiKey}.${service.connections[provider]}`,
});

export const keyAndHeader = (service: TestService, provider: string) => ({
  authorization: `Bearer ${service.apiKey}`,
  "SVC-Connection-ID": service.connections[provider]!,
});

export const textOf = (result: object): string => (result as { content: { text: string }[] }).content[0]!.text;
