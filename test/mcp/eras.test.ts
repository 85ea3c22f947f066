// Both eras of the protocol with the official clients: up to 2025-11-25, and from 2026-07-28 on.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { providers } from "../../src/providers/registry.gen.ts";
import { startService, type TestService } from "../support/service.ts";
import { connectTo, readText, startUpstream } from "../support/upstream.ts";
import { connectClient, connectModernClient, keyAndHeader, oneCredential, textOf } from "./support.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT: "100000/60", ALLOW_PRIVATE_UPSTREAMS: "true" } });
});
afterAll(() => service?.close());

const VERSION = "2026-07-28";
const envelope = {
  "io.modelcontextprotocol/protocolVersion": VERSION,
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

describe("Unified MCP in both eras", () => {
  const post = (method: string, params: object, headers: Record<string, string> = {}) =>
    fetch(`${service.url}/unified/v1/mcp`, {
      method: "POST",
      headers: {
        ...keyAndHeader(service, "github"),
        "content-type": "application/json",
        "mcp-protocol-version": VERSION,
        "mcp-method": method,
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: envelope } }),
    });

  it("clients of both eras get the same tools in the same order, and the same results", async () => {
    const address = `${service.url}/unified/v1/mcp`;
    const older = await connectClient(address, oneCredential(service, "github"));
    const newer = await connectModernClient(address, oneCredential(service, "github"));
    expect(newer.client.getNegotiatedProtocolVersion()).toBe(VERSION);
    const [{ tools: first }, { tools: second }] = [await older.client.listTools(), await newer.client.listTools()];
    expect(second).toEqual(first);
    const call = { name: "git_list_repositories", arguments: { limit: 2 } };
    const [one, other] = [await older.client.callTool(call), await newer.client.callTool(call)];
    expect(other.structuredContent).toEqual(one.structuredContent);
    const failed = await newer.client.callTool({ name: "git_list_issues", arguments: { repo: "nobody/nothing" } });
    expect([failed.isError, textOf(failed)]).toEqual([true, expect.stringContaining("GitHub responded with 404")]);
    await Promise.all([older.close(), newer.close()]);
  });

  it("server/discover and tools/list say how long they may be kept, and by whom", async () => {
    for (const method of ["server/discover", "tools/list"]) {
      const { result } = (await (await post(method, {})).json()) as any;
      expect([method, result.ttlMs, result.cacheScope]).toEqual([method, 60_000, "private"]);
    }
    const { result } = (await (await post("server/discover", {})).json()) as any;
    expect(result).toMatchObject({ supportedVersions: [VERSION], capabilities: { tools: {} } });
  });

  it("headers that do not match the body are refused", async () => {
    const call = { name: "git_list_repositories", arguments: { limit: 1 } };
    const named = { "mcp-name": "git_list_repositories" };
    expect((await post("tools/call", call, named)).status).toBe(200);
    const mismatches: Record<string, string>[] = [
      { "mcp-method": "tools/list", ...named },
      { "mcp-name": "git_list_issues" },
      { ...named, "mcp-protocol-version": "2025-11-25" },
      {},
    ];
    for (const wrong of mismatches) {
      const response = await post("tools/call", call, wrong);
      expect([wrong, response.status]).toEqual([wrong, 400]);
      expect(((await response.json()) as any).error.code).toEqual(expect.any(Number));
    }
  });

  it("a subscription is refused instead of staying open, because nothing is announced", async () => {
    const response = await post("subscriptions/listen", { notifications: { toolsListChanged: true } });
    expect(await response.text()).toContain("-32603");
  });
});

describe("the providers' own servers in both eras", () => {
  it.each(providers.filter(({ manifest }) => manifest.addresses.mcp).map(({ manifest }) => manifest.id))(
    "a client of the protocol of 2026-07-28 lists and calls the tools of %s",
    async (provider) => {
      const { client, close } = await connectModernClient(`${service.url}/mcp`, oneCredential(service, provider));
      const { tools } = await client.listTools();
      expect(tools.length).toBeGreaterThan(0);
      const free = tools.find(({ inputSchema }) => (inputSchema.required ?? []).length === 0);
      if (free) expect((await client.callTool({ name: free.name, arguments: {} })).isError).toBe(false);
      await close();
    },
  );

  it("headers, bodies and answers of a protocol that Plugboard does not know are passed on untouched", async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: randomUUID(), method: "tools/call", params: { name: "größer" } });
    const upstream = await startUpstream(async (request, response) => {
      const received = await readText(request);
      response.writeHead(400, { "content-type": "application/json", "mcp-extra": "kept" });
      response.end(JSON.stringify({ received, headers: request.headers }));
    });
    const { headers } = await connectTo(service, upstream.url, { mcp_url: `${upstream.url}/mcp` });
    const sent = {
      "mcp-protocol-version": "2099-01-01",
      "mcp-method": "tools/call",
      "mcp-name": "=?base64?Z3LDtsOfZXI=?=",
      "mcp-param-region": "eu",
      "mcp-param-odd_name": "=?base64?w6Q=?=",
    };
    const response = await fetch(`${service.url}/mcp`, {
      method: "POST",
      headers: { ...headers, ...sent, "content-type": "application/json" },
      body,
    });
    expect([response.status, response.headers.get("mcp-extra")]).toEqual([400, "kept"]);
    const echoed = (await response.json()) as any;
    expect(echoed.received).toBe(body);
    expect(echoed.headers).toMatchObject(sent);
    await upstream.close();
  });
});
