// Surfaces at the root of their own hosts, as set by `PROXY_URL` and `MCP_URL`.
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort } from "../support/postgres.ts";
import { rawRequest } from "../support/raw-request.ts";
import { startService, type TestService } from "../support/service.ts";
import { BASE_PATH, type Connected, connectTo, startUpstream, type Upstream } from "../support/upstream.ts";

let service: TestService;
let upstream: Upstream;
let me: Connected;
let port: number;

beforeAll(async () => {
  // The port is part of the host, so it has to be known before the service starts.
  port = await freePort();
  service = await startService({
    env: {
      PORT: String(port),
      ALLOW_PRIVATE_UPSTREAMS: "true",
      PROXY_URL: `http://proxy.localhost:${port}`,
      MCP_URL: `http://mcp.localhost:${port}/`,
    },
  });
  upstream = await startUpstream();
  me = await connectTo(service, upstream.url, { mcp_url: `${upstream.url}/own/mcp` });
});
afterAll(async () => {
  await service?.close();
  await upstream?.close();
});

async function ask(target: string, host: string, { method = "GET" } = {}): Promise<{ answer: string; seen: string[] }> {
  upstream.seen.length = 0;
  const answer = await rawRequest(
    port,
    `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${me.key}\r\n` +
      `SVC-Connection-ID: ${me.connection}\r\nConnection: close\r\n\r\n`,
  );
  return { answer, seen: upstream.seen.map((request) => `${request.method} ${request.url}`) };
}

it("the Proxy is at the root of its host, whose name is case-insensitive", async () => {
  for (const host of [`proxy.localhost:${port}`, `PROXY.localhost:${port}`]) {
    const { answer, seen } = await ask("/repos/a%2Fb/x?q=1", host);
    expect([answer.slice(0, 12), seen]).toEqual(["HTTP/1.1 200", [`GET ${BASE_PATH}/repos/a%2Fb/x?q=1`]]);
  }
  expect((await ask("/", `proxy.localhost:${port}`)).seen).toEqual([`GET ${BASE_PATH}/`]);
});

it("MCP is at the root of its host, with nothing below it", async () => {
  const { seen } = await ask("/", `mcp.localhost:${port}`, { method: "DELETE" });
  expect(seen).toEqual(["DELETE /own/mcp"]);
  const below = await ask("/x", `mcp.localhost:${port}`);
  expect([below.answer.slice(0, 12), below.seen]).toEqual(["HTTP/1.1 404", []]);
});

it("on the Proxy's host the path of another surface goes to the provider, never to that surface", async () => {
  const { seen } = await ask("/platform/v1/integrations", `proxy.localhost:${port}`);
  expect(seen).toEqual([`GET ${BASE_PATH}/platform/v1/integrations`]);
});

it("no path on the Proxy's host leads out of the Proxy", async () => {
  for (const target of [
    "/../platform/v1/integrations",
    "/%2e%2e/platform/v1/integrations",
    "/..%2fplatform/v1/integrations",
    "/..;/platform/v1/integrations",
    "/x/../../platform/v1/integrations",
    "//evil.example/x",
    `http://127.0.0.1:${port}/platform/v1/integrations`,
    `http://127.0.0.1:${port}/x`,
    "/..",
  ]) {
    const { answer, seen } = await ask(target, `proxy.localhost:${port}`);
    expect([target, answer.slice(0, 10), seen]).toEqual([target, "HTTP/1.1 4", []]);
    expect(answer).not.toContain("identifier");
  }
});

it("every surface is served by its path under any other host", async () => {
  for (const host of [`127.0.0.1:${port}`, "anything.example", `proxy.localhost:${port + 1}`]) {
    expect((await ask("/proxy/x", host)).seen).toEqual([`GET ${BASE_PATH}/x`]);
    expect((await ask("/x", host)).answer).toMatch(/^HTTP\/1.1 404/);
  }
});
