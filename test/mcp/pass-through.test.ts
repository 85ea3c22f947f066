// MCP to a provider's own server: the official client on one side, an emulated provider's server on the official SDK on
// the other.
import { LoggingMessageNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { providers } from "../../src/providers/registry.gen.ts";
import { clearFaults, injectFault } from "../support/sandbox.ts";
import { startService, type TestService } from "../support/service.ts";
import { connectTo, readText, startUpstream } from "../support/upstream.ts";
import { connectClient, keyAndHeader, oneCredential, textOf } from "./support.ts";

let service: TestService;

beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT: "100000/60", ALLOW_PRIVATE_UPSTREAMS: "true" } });
});
afterAll(() => service?.close());
afterEach(() => clearFaults(service));

describe.each(providers.filter(({ manifest }) => manifest.addresses.mcp).map(({ manifest }) => manifest.id))(
  "%s",
  (provider) => {
    it(`an MCP session with ${provider} is initialized, lists tools and is closed, with either form of the credential`, async () => {
      for (const headers of [oneCredential(service, provider), keyAndHeader(service, provider)]) {
        const { client, transport, close } = await connectClient(`${service.url}/mcp`, headers);
        const { tools } = await client.listTools();
        expect(tools.length).toBeGreaterThan(0);
        expect(transport.sessionId).toMatch(/^[\w-]{36}$/);
        await transport.terminateSession();
        await close();
      }
    });

    it(`a tool of ${provider} that needs no arguments returns what its API returns`, async () => {
      const { client, close } = await connectClient(`${service.url}/mcp`, oneCredential(service, provider));
      const { tools } = await client.listTools();
      const [tool] = tools.filter(({ inputSchema }) => (inputSchema.required ?? []).length === 0);
      if (tool) {
        const result = await client.callTool({ name: tool.name, arguments: {} });
        expect([tool.name, result.isError, textOf(result)]).toEqual([tool.name, false, expect.stringMatching(/^[[{]/)]);
      }
      await close();
    });
  },
);

describe("an MCP session", () => {
  it("an MCP session calls the provider's tools and gets their results", async () => {
    const { client, close } = await connectClient(`${service.url}/mcp`, oneCredential(service, "github"));
    const me = JSON.parse(textOf(await client.callTool({ name: "get_me", arguments: {} })));
    expect(me.login).toEqual(expect.any(String));
    const response = await fetch(`${service.url}/unified/v1/git/repos?limit=1`, {
      headers: keyAndHeader(service, "github"),
    });
    const [owner, repo] = ((await response.json()) as any).response.data[0].full_name.split("/");
    const issues = await client.callTool({ name: "list_issues", arguments: { owner, repo, perPage: 3 } });
    expect(JSON.parse(textOf(issues))).toHaveLength(3);
    const missing = await client.callTool({ name: "list_issues", arguments: { owner, repo: "nothing" } });
    expect([missing.isError, JSON.parse(textOf(missing)).message]).toEqual([true, "Not Found"]);
    await close();
  });

  it("an MCP session gets progress in the stream of the answer, and other notifications in the separate stream", async () => {
    const { client, close } = await connectClient(`${service.url}/mcp`, oneCredential(service, "slack"));
    const notified = Promise.withResolvers<unknown>();
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => notified.resolve(params.data));
    const progress: number[] = [];
    const result = await client.callTool({ name: "slack_search_channels", arguments: { limit: 2 } }, undefined, {
      onprogress: (step) => progress.push(step.progress),
    });
    expect(JSON.parse(textOf(result)).channels).toHaveLength(2);
    expect(progress).toEqual([1]);
    expect(await notified.promise).toBe("slack_search_channels was called");
    await close();
  });

  it("an MCP session that was terminated gets the provider's own 404", async () => {
    const { transport, close } = await connectClient(`${service.url}/mcp`, oneCredential(service, "linear"));
    const { sessionId } = transport;
    await transport.terminateSession();
    const response = await fetch(`${service.url}/mcp`, {
      method: "POST",
      headers: {
        ...oneCredential(service, "linear"),
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        "mcp-session-id": sessionId!,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
    expect([response.status, await response.text()]).toEqual([404, "Session not found"]);
    await close();
  });

  it("an MCP session continues when the token expires during it", async () => {
    const { client, close } = await connectClient(`${service.url}/mcp`, oneCredential(service, "github"));
    await injectFault(service, { provider: "github", expire_tokens: true });
    expect((await client.callTool({ name: "get_me", arguments: {} })).isError).toBeFalsy();
    await close();
  });

  it("20 MCP sessions work at the same time", async () => {
    const clients = await Promise.all(
      Array.from({ length: 20 }, () => connectClient(`${service.url}/mcp`, oneCredential(service, "github"))),
    );
    expect(new Set(clients.map(({ transport }) => transport.sessionId)).size).toBe(20);
    const results = await Promise.all(clients.map(({ client }) => client.callTool({ name: "get_me", arguments: {} })));
    expect(results.every(({ isError }) => !isError)).toBe(true);
    await Promise.all(clients.map(({ close }) => close()));
  });
});

describe("errors of the MCP endpoint", () => {
  const post = (headers: Record<string, string>, path = "/mcp", method = "POST") =>
    fetch(service.url + path, {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(method === "POST" ? { body: "{}" } : {}),
    });
  const statusAndBody = async (response: Response) => [response.status, await response.json()];

  it("an MCP request without a key or a connection gets the errors of the specification", async () => {
    expect(await statusAndBody(await post({}))).toEqual([401, { status: 401, message: "Not authorized" }]);
    expect(await statusAndBody(await post({ authorization: `Bearer ${service.apiKey}` }))).toEqual([
      400,
      { status: 400, code: "connection_invalid", message: "Missing or invalid connection ID" },
    ]);
  });

  it("a provider without an MCP server gets mcp_not_supported, before its token is checked", async () => {
    const without = service.parts.engine.sharedProviders.values().find(({ manifest }) => !manifest.addresses.mcp)!;
    expect(await statusAndBody(await post(keyAndHeader(service, without.manifest.id)))).toEqual([
      400,
      { status: 400, code: "mcp_not_supported", message: "MCP is not supported for this integration" },
    ]);
  });

  it("unknown paths and methods of the MCP endpoint get 4xx", async () => {
    for (const [path, method] of [
      ["/mcp/x", "POST"],
      ["/mcp", "PUT"],
      ["/mcp", "HEAD"],
      ["/mcp", "OPTIONS"],
    ] as const) {
      const response = await post(keyAndHeader(service, "github"), path, method);
      expect([path, method, response.status >= 400 && response.status < 500]).toEqual([path, method, true]);
    }
    expect(await statusAndBody(await post(keyAndHeader(service, "github"), "/mcp/x"))).toEqual([
      404,
      { status: 404, code: "not_found", message: "Not found" },
    ]);
    expect((await post({}, "/mcp/x")).status).toBe(401);
  });

  it("an error of the provider's MCP server is passed on unchanged and is not retried", async () => {
    await injectFault(service, { provider: "github", path: "/mcp", status: 503, times: 1 });
    const response = await post(oneCredential(service, "github"), "/mcp", "GET");
    expect([response.status, ((await response.json()) as any).message]).toEqual([503, "Server Error"]);
  });
});

it("protocol headers and the query are passed on to the integration's mcp_url, and no other headers", async () => {
  const upstream = await startUpstream(async (request, response) => {
    response.writeHead(200, { "Mcp-Session-Id": "session-2", "content-type": "application/json" });
    response.end(JSON.stringify({ body: await readText(request) }));
  });
  const me = await connectTo(service, "https://provider.example", { mcp_url: `${upstream.url}/own/server` });
  const response = await fetch(`${service.url}/mcp?toolsets=all`, {
    method: "POST",
    headers: {
      ...me.headers,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "Mcp-Session-Id": "session-1",
      "MCP-Protocol-Version": "2025-11-25",
      "Last-Event-ID": "event-7",
      Cookie: "a=b",
    },
    body: '{"jsonrpc":"2.0"}',
  });
  expect(response.headers.get("mcp-session-id")).toBe("session-2");
  expect(await response.json()).toEqual({ body: '{"jsonrpc":"2.0"}' });
  const { url, headers } = upstream.seen[0]!;
  expect(url).toBe("/own/server?toolsets=all");
  expect(headers).toMatchObject({
    accept: "application/json, text/event-stream",
    authorization: `Bearer ${me.token}`,
    "mcp-session-id": "session-1",
    "mcp-protocol-version": "2025-11-25",
    "last-event-id": "event-7",
  });
  for (const name of ["cookie", "svc-connection-id", "x-github-api-version"]) expect(headers).not.toHaveProperty(name);
  await upstream.close();
});
