// What is left of a connection's rate limit is on every answer that was counted, errors included.
import { afterAll, beforeAll, expect, it } from "vitest";
import { injectFault } from "../support/sandbox.ts";
import { startService, type TestService } from "../support/service.ts";
import { connectTo, startUpstream, type Upstream } from "../support/upstream.ts";

let service: TestService;
let upstream: Upstream;
beforeAll(async () => {
  service = await startService({
    env: { ALLOW_PRIVATE_UPSTREAMS: "true", UNIFIED_RATE_LIMIT: "3/500", RATE_LIMIT: "3/400" },
  });
  upstream = await startUpstream();
});
afterAll(async () => {
  await service?.close();
  await upstream?.close();
});

const limitsOf = ({ status, headers }: Response, prefix: string) => [
  status,
  ...["Limit", "Remaining"].map((name) => headers.get(`${prefix}RateLimit-${name}`)),
  Number(headers.get(`${prefix}RateLimit-Reset`)),
];

/** It counts down while the calls are made, on a busy machine by more than a second. */
const leftOf = (seconds: number) => expect.toSatisfy((left) => left <= seconds && left > seconds - 100);

it("answers of the Unified API say what is left of the limit: a success, the provider's error, the first over it", async () => {
  const call = (query = "") =>
    fetch(`${service.url}/unified/v1/git/repos${query}`, {
      headers: {
        authorization: `Bearer ${service.apiKey}`,
        "SVC-Connection-ID": service.connections.github!,
        "SVC-Max-Retries": "0",
      },
    });
  const invalid = await call("?limit=0");
  expect([invalid.status, invalid.headers.has("X-RateLimit-Limit")]).toEqual([400, false]);
  expect(limitsOf(await call("?limit=1"), "X-")).toEqual([200, "3", "2", leftOf(500)]);
  await injectFault(service, { provider: "github", status: 403, times: 1 });
  const window = leftOf(500);
  expect(limitsOf(await call(), "X-")).toEqual([403, "3", "1", window]);
  expect(limitsOf(await call("?limit=1"), "X-")).toEqual([200, "3", "0", window]);
  expect(limitsOf(await call(), "X-")).toEqual([429, "3", "0", window]);
});

it("a streamed list says what is left of the limit", async () => {
  const response = await fetch(`${service.url}/unified/v1/git/repos`, {
    headers: {
      authorization: `Bearer ${service.apiKey}`,
      "SVC-Connection-ID": service.connections.gitlab!,
      accept: "application/x-ndjson",
    },
  });
  expect(limitsOf(response, "X-")).toEqual([200, "3", "2", leftOf(500)]);
  await response.body!.cancel();
});

const post = (path: string, headers: Record<string, string>) =>
  fetch(`${service.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });

it("answers of MCP and Unified MCP say what is left of the limit that they share", async () => {
  const headers = { authorization: `Bearer ${service.apiKey}.${service.connections.github}` };
  const window = leftOf(400);
  expect(limitsOf(await post("/unified/v1/mcp", headers), "X-")).toEqual([200, "3", "2", window]);
  const forwarded = await post("/mcp", { ...headers, accept: "application/json, text/event-stream" });
  expect(limitsOf(forwarded, "X-")).toEqual([forwarded.status, "3", "1", window]);
  await post("/mcp", headers);
  expect(limitsOf(await post("/mcp", headers), "X-")).toEqual([429, "3", "0", window]);
  expect(limitsOf(await post("/unified/v1/mcp", headers), "X-")).toEqual([429, "3", "0", window]);
});

it("answers of the Proxy have the limit under our own prefix, next to the provider's", async () => {
  upstream.answer((_, response) => response.writeHead(200, { "X-RateLimit-Remaining": "4999" }).end());
  const { headers } = await connectTo(service, upstream.url);
  const call = () => fetch(`${service.url}/proxy/x`, { headers });
  const first = await call();
  expect(limitsOf(first, "SVC-")).toEqual([200, "3", "2", leftOf(400)]);
  expect(limitsOf(first, "X-")).toEqual([200, null, "4999", 0]);
  await call();
  await call();
  expect(limitsOf(await call(), "SVC-")).toEqual([429, "3", "0", leftOf(400)]);
});

it("an MCP server's own limits keep their names, and ours get our prefix", async () => {
  upstream.answer((_, response) => response.writeHead(200, { "X-RateLimit-Remaining": "4999" }).end());
  const { headers } = await connectTo(service, upstream.url, { mcp_url: `${upstream.url}/mcp` });
  const response = await post("/mcp", headers);
  expect(limitsOf(response, "SVC-")).toEqual([200, "3", "2", leftOf(400)]);
  expect(limitsOf(response, "X-")).toEqual([200, null, "4999", 0]);
});
