// How much of a model's context the tools take. The figures in docs/mcp.md are checked here.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createStrictPlatform } from "../support/platform.ts";
import { startService, type TestService } from "../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.close());

async function tokens(query: string, headers: Record<string, string>): Promise<{ tools: number; tokens: number }> {
  const response = await fetch(`${service.url}/unified/v1/mcp${query}`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });
  const { result } = (await response.json()) as { result: { tools: object[] } };
  return { tools: result.tools.length, tokens: Math.ceil(JSON.stringify(result).length / 4) };
}

const documented = readFileSync(new URL("../../docs/mcp.md", import.meta.url), "utf8");
const rounded = (value: number) => (Math.ceil(value / 100) * 100).toLocaleString("en");

it("the tools of one connection take less than 6,000 tokens, as documented", async () => {
  const sizes = await Promise.all(
    Object.values(service.connections).map((id) => tokens("", { authorization: `Bearer ${service.apiKey}.${id}` })),
  );
  const largest = Math.max(...sizes.map((size) => size.tokens));
  expect(largest).toBeLessThan(6_000);
  expect(documented).toContain(`at most ${rounded(largest)} tokens for one connection`);
});

it("the tools of five accounts take less than 10,000 tokens, as documented", async () => {
  const platform = createStrictPlatform(service, service.apiKey);
  const connection_ids = ["github", "asana", "hubspot", "slack", "intercom"].map((one) => service.connections[one]!);
  const { api_key } = await platform("POST", "/api-keys", { scopes: ["mcp"], connection_ids });
  const listed = await tokens("?tools=all", { authorization: `Bearer ${api_key}` });
  expect(listed.tools).toBeGreaterThan(30);
  expect(listed.tokens).toBeLessThan(10_000);
  expect(documented).toContain(`${rounded(listed.tokens)} tokens for five accounts`);
});
