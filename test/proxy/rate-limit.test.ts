// The limit of the specification: 100 calls in 60 seconds per connection, over Proxy and MCP together.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startService, type TestService } from "../support/service.ts";
import { connectTo, startUpstream, type Upstream } from "../support/upstream.ts";

let service: TestService;
let upstream: Upstream;
let me: Awaited<ReturnType<typeof connectTo>>;

beforeAll(async () => {
  service = await startService({ env: { ALLOW_PRIVATE_UPSTREAMS: "true" } });
  upstream = await startUpstream();
  me = await connectTo(service, upstream.url, { mcp_url: `${upstream.url}/mcp` });
});
afterAll(async () => {
  await service?.close();
  await upstream?.close();
});

const call = (connection: string, path = "/proxy/x", init: RequestInit = {}) =>
  fetch(`${service.url}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${me.key}`, "SVC-Connection-ID": connection, ...init.headers },
  });

/** Makes `count` calls, `concurrency` of them at a time, and counts their statuses. */
async function countStatuses(count: number, concurrency: number, make: (index: number) => Promise<Response>) {
  const counted: Record<number, number> = {};
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const response = await make(next++);
      await response.arrayBuffer();
      counted[response.status] = (counted[response.status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return counted;
}

describe("the rate limit of a connection", () => {
  it.each([1, 7, 50, 150])(
    "exactly 100 of 150 calls pass, %i at a time, and other connections are not affected",
    async (concurrency) => {
      const connection = await me.addConnection();
      const other = await me.addConnection();
      upstream.seen.length = 0;
      expect(await countStatuses(150, concurrency, () => call(connection))).toEqual({ 200: 100, 429: 50 });
      expect(upstream.seen).toHaveLength(100);
      expect(await countStatuses(100, 10, () => call(other))).toEqual({ 200: 100 });
    },
  );

  it("exactly 100 of 150 calls pass over Proxy, MCP and Unified MCP together", async () => {
    const connection = await me.addConnection();
    const message = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    };
    const counted = await countStatuses(150, 20, (index) => {
      if (index % 3 === 0) return call(connection);
      return call(connection, index % 3 === 1 ? "/mcp" : "/unified/v1/mcp", message);
    });
    expect(counted).toEqual({ 200: 100, 429: 50 });
  });

  it("a batch counts as one call per message", async () => {
    const connection = await me.addConnection();
    const body = JSON.stringify(Array.from({ length: 40 }, (_, id) => ({ jsonrpc: "2.0", id, method: "tools/list" })));
    const batch = () =>
      call(connection, "/unified/v1/mcp", { method: "POST", headers: { "content-type": "application/json" }, body });
    expect(await countStatuses(3, 1, batch)).toEqual({ 200: 2, 429: 1 });
  });
});

it("a call over the limit gets 429 rate_limit with Retry-After: 60", async () => {
  const connection = await me.addConnection();
  await countStatuses(100, 20, () => call(connection));
  for (const path of ["/proxy/x", "/mcp"]) {
    const response = await call(connection, path);
    expect([response.status, response.headers.get("retry-after"), await response.json()]).toEqual([
      429,
      "60",
      { status: 429, code: "rate_limit", message: "Too many requests" },
    ]);
  }
  const unified = await call(connection, "/unified/v1/mcp", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  });
  expect([unified.status, unified.headers.get("retry-after"), ((await unified.json()) as any).errors[0].code]).toEqual([
    429,
    "60",
    1001,
  ]);
});

it("RATE_LIMIT changes the limit and its Retry-After", async () => {
  const own = await startService({ env: { ALLOW_PRIVATE_UPSTREAMS: "true", RATE_LIMIT: "3/7" } });
  const connected = await connectTo(own, upstream.url);
  const ask = () => fetch(`${own.url}/proxy/x`, { headers: connected.headers });
  expect(await countStatuses(3, 3, ask)).toEqual({ 200: 3 });
  const response = await ask();
  expect([response.status, response.headers.get("retry-after")]).toEqual([429, "7"]);
  await own.close();
});

it("calls that are refused for an invalid path do not count", async () => {
  const connection = await me.addConnection();
  for (let time = 0; time < 120; time++) {
    const response = await call(connection, "/proxy/%252e%252e/x");
    await response.arrayBuffer();
  }
  expect(await countStatuses(101, 10, () => call(connection))).toEqual({ 200: 100, 429: 1 });
});
