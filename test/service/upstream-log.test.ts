// What the request log keeps of the calls to a provider, on every surface that makes some.
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from "vitest";
import type { LogEntry } from "../../src/contracts/entities.ts";
import { connectClient, keyAndHeader } from "../mcp/support.ts";
import { createPlatform, type Platform } from "../support/platform.ts";
import { clearFaults, injectFault } from "../support/sandbox.ts";
import { startService, type TestService } from "../support/service.ts";

let service: TestService;
let platform: Platform;

beforeAll(async () => {
  service = await startService({ env: { UNIFIED_RATE_LIMIT: "100000/60" } });
  platform = createPlatform(service, service.apiKey);
});
afterAll(() => service?.close());
afterEach(() => clearFaults(service));

let requests = 0;

/** Makes a request over GitHub's connection, and returns its log entry. */
async function logged(path: string, options: RequestInit = {}): Promise<LogEntry> {
  const id = `request-${++requests}`;
  const response = await fetch(`${service.url}${path}`, {
    ...options,
    headers: {
      authorization: `Bearer ${service.apiKey}`,
      "SVC-Connection-ID": service.connections.github!,
      "x-request-id": id,
      ...options.headers,
    },
  });
  await response.text();
  // The entry is added when the response has been sent completely, which may be after it was received.
  return expect
    .poll(() => findEntry(`request_id=${id}`))
    .toBeDefined()
    .then(() => findEntry(`request_id=${id}`)) as Promise<LogEntry>;
}

async function findEntry(query: string): Promise<LogEntry | undefined> {
  await service.parts.requestLog.flush();
  const [entry] = (await platform("GET", `/v1/logs?${query}`)).body;
  return entry;
}

const call = (fields: object) => ({
  method: "GET",
  status: 200,
  error: null,
  duration_ms: expect.any(Number),
  attempt: 1,
  ...fields,
});

it("an entry of the Unified API has its calls with method, path and status, and no query", async () => {
  const entry = await logged(
    "/unified/v1/git/repos/acme%2Frocket/issues?limit=100&params=%7B%22secret%22%3A%22hidden%22%7D",
  );
  expect(entry).toMatchObject({
    surface: "unified",
    status: 200,
    integration_id: service.integrations.github,
    error_source: null,
  });
  expect(entry.upstream.length).toBeGreaterThan(0);
  expect(entry.upstream_calls).toBe(entry.upstream.length);
  for (const each of entry.upstream) expect(each).toEqual(call({ path: "/sandbox/github/repos/acme/rocket/issues" }));
  expect(JSON.stringify(entry)).not.toContain("hidden");
});

it("retries are attempts of the same call", async () => {
  await injectFault(service, { provider: "github", status: 503, retry_after: 0, times: 2 });
  const entry = await logged("/unified/v1/git/repos?limit=1");
  expect(entry).toMatchObject({ status: 200, upstream_calls: 1 });
  const path = "/sandbox/github/user/repos";
  expect(entry.upstream).toEqual([
    call({ path, status: 503 }),
    call({ path, status: 503, attempt: 2 }),
    call({ path, attempt: 3 }),
  ]);
});

it("a request that fails has its calls too, and says whose error it is", async () => {
  await injectFault(service, { provider: "github", status: 404, times: 1 });
  const refused = await logged("/unified/v1/git/repos?limit=1");
  expect(refused).toMatchObject({ status: 404, outcome: "provider_404", error_source: "provider", upstream_calls: 1 });
  expect(refused.upstream).toEqual([call({ path: "/sandbox/github/user/repos", status: 404 })]);

  await injectFault(service, { provider: "github", drop: true, times: 1 });
  const lost = await logged("/unified/v1/git/repos?limit=1", { headers: { "SVC-Max-Retries": "0" } });
  expect(lost).toMatchObject({ status: 502, outcome: "upstream_unreachable", error_source: "provider" });
  expect(lost.upstream).toEqual([call({ path: "/sandbox/github/user/repos", status: null, error: "unreachable" })]);
});

it("the Proxy's entries have their call, whatever the provider answers", async () => {
  const found = await logged("/proxy/user?token=hidden", { method: "GET" });
  expect(found).toMatchObject({ surface: "proxy", status: 200, integration_id: service.integrations.github });
  expect(found.upstream).toEqual([call({ path: "/sandbox/github/user" })]);
  const missing = await logged("/proxy/nothing/here", { method: "DELETE" });
  expect(missing).toMatchObject({ status: 404, outcome: "provider_404", error_source: "provider", upstream_calls: 1 });
  expect(missing.upstream).toEqual([call({ method: "DELETE", path: "/sandbox/github/nothing/here", status: 404 })]);
});

it("entries of MCP and Unified MCP have their calls", async () => {
  const post = (method: string, params: object = {}) => ({
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const initialize = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  const own = await logged("/mcp", post("initialize", initialize));
  expect(own).toMatchObject({ surface: "mcp", operation: "initialize", status: 200, upstream_calls: 1 });
  expect(own.upstream).toEqual([call({ method: "POST", path: expect.stringContaining("/sandbox/github") })]);

  const tool = { name: "git_list_repositories", arguments: { limit: 1 } };
  const unified = await logged("/unified/v1/mcp", post("tools/call", tool));
  expect(unified).toMatchObject({ surface: "unified", operation: "git.listRepositories", error_source: null });
  expect(unified.upstream).toEqual([call({ path: "/sandbox/github/user/repos" })]);

  await injectFault(service, { provider: "github", status: 403, times: 1 });
  const refused = await logged("/unified/v1/mcp", post("tools/call", tool));
  expect(refused).toMatchObject({ status: 200, outcome: "provider_403", error_source: "provider" });
});

it("a call of a provider's own tool is logged with the tool, and as an error if the tool says so", async () => {
  const connected = await connectClient(`${service.url}/mcp`, keyAndHeader(service, "github"));
  onTestFinished(() => connected.close());
  const callTool = async (name: string, args: Record<string, string> = {}) => {
    await connected.client.callTool({ name, arguments: args });
    const found = () => findEntry(`operation=tools/call ${name}`);
    return expect.poll(found).toBeDefined().then(found);
  };
  expect(await callTool("get_me")).toMatchObject({ operation: "tools/call get_me", outcome: null, error_source: null });
  expect(await callTool("list_tags", { owner: "acme", repo: "missing" })).toMatchObject({
    operation: "tools/call list_tags",
    status: 200,
    outcome: "tool_error",
    error_source: "provider",
  });
});

it("at most 50 attempts are kept of a long stream, and all of its calls are counted", async () => {
  const entry = await logged("/unified/v1/git/repos/acme%2Frocket/issues?limit=4", {
    headers: { accept: "application/x-ndjson" },
  });
  expect(entry.upstream).toHaveLength(50);
  expect(entry.upstream_calls).toBeGreaterThan(50);
});

it("with FAILURE_DETAILS=off nothing is kept of a request that failed but its entry", async () => {
  const get = async (details: TestService) => {
    const answer = await fetch(`${details.url}/unified/v1/git/repos?limit=500`, {
      headers: { authorization: `Bearer ${details.apiKey}`, "SVC-Connection-ID": details.connections.github! },
    });
    await answer.text();
    await expect.poll(() => details.parts.requestLog.flush()).toBeUndefined();
    const call = createPlatform(details, details.apiKey);
    const [entry] = (await call("GET", "/v1/logs?status=400")).body;
    return (await call("GET", `/v1/logs/${entry.id}`)).body;
  };
  const detail = "query.limit: must be <= 100";
  expect(await get(service)).toMatchObject({ failure: { query: "limit=500", detail, provider_body: null } });
  const off = await startService({ env: { FAILURE_DETAILS: "off" } });
  onTestFinished(() => off.close());
  expect(await get(off)).toMatchObject({ outcome: "invalid_input", failure: null });
});

it("requests that call no provider have no calls", async () => {
  const entry = await logged("/unified/v1/git/repos?dry_run=true");
  expect(entry).toMatchObject({ status: 200, upstream_calls: 0, upstream: [] });
});
