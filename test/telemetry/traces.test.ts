// What a collector gets, decoded with the official protocol definitions.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as conventions from "@opentelemetry/semantic-conventions";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startReceiver } from "../events/support/receiver.ts";
import { attributesOf, startCollector } from "../support/collector.ts";
import { createStrictPlatform } from "../support/platform.ts";
import { startService, type TestService } from "../support/service.ts";
import { answerJson, BASE_PATH, connectTo, startUpstream, type Upstream } from "../support/upstream.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";
const traceparent = (flags = "01") => `00-${TRACE}-${PARENT}-${flags}`;
const [INTERNAL, SERVER, CLIENT] = [1, 2, 3];

let collector: Awaited<ReturnType<typeof startCollector>>;
let upstream: Upstream;
let service: TestService;
const settings = () => ({
  ALLOW_PRIVATE_UPSTREAMS: "true",
  RATE_LIMIT: "100000/60",
  UNIFIED_RATE_LIMIT: "100000/60",
  OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
  LOG_LEVEL: "info",
  OTEL_BSP_SCHEDULE_DELAY: "10",
  OTEL_BLRP_SCHEDULE_DELAY: "10",
});

beforeAll(async () => {
  collector = await startCollector();
  upstream = await startUpstream();
  service = await startService({ env: settings() });
});
beforeEach(() => {
  collector.received.length = 0;
  upstream.seen.length = 0;
});
afterAll(async () => {
  await service?.close();
  await upstream.close();
  await collector.close();
  expect(collector.problems).toEqual([]);
});

/** A connection to the upstream, which forgets that its credentials were checked there. */
async function connected(to: Pick<TestService, "url" | "createWorkspace"> = service, integration = {}) {
  upstream.answer(answerJson("[]"));
  const connection = await connectTo(to, upstream.url, integration);
  upstream.seen.length = 0;
  return connection;
}

/** The spans of a trace, once there are so many. */
async function spansOf(traceId: string, count: number) {
  const found = () => collector.spans().filter((span) => span.traceId === traceId);
  await expect.poll(() => found().length).toBe(count);
  return found().toSorted(
    (one, other) => one.kind - other.kind || (one.startTimeUnixNano < other.startTimeUnixNano ? -1 : 1),
  );
}

/** The trace that the docs show. */
const documentedSpans = (): any[] => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/telemetry.md"), "utf8");
  return JSON.parse(/```json\n([\s\S]*?)```/.exec(page)![1]!).spans.toSorted(
    (one: any, other: any) => one.kind - other.kind,
  );
};

/** What is the same in every trace of such a call. */
const shapes = (spans: any[]) =>
  spans.map((span) => ({
    fields: Object.keys(span)
      .filter((field) => field !== "traceState")
      .sort(),
    name: span.name,
    kind: span.kind,
    attributes: Object.keys(attributesOf(span)).sort(),
  }));

/** Everything that a collector got, as text. */
const everything = () => JSON.stringify(collector.received);

describe.each([["on"], ["off"]])("with DIRECT_PATH=%s", (DIRECT_PATH) => {
  let own: TestService;
  beforeAll(async () => {
    own = DIRECT_PATH === "on" ? service : await startService({ env: { ...settings(), DIRECT_PATH } });
    return () => (own === service ? undefined : own.close());
  });

  it(`a Unified call with two attempts is a server span with two client spans (DIRECT_PATH=${DIRECT_PATH})`, async () => {
    const { headers, connection, integration, token, key } = await connected(own);
    upstream.answer((_, response) => {
      if (upstream.seen.length === 1) response.writeHead(503, { "retry-after": "0" }).end();
      else answerJson("[]")(_, response);
    });
    const response = await fetch(`${own.url}/unified/v1/git/repos?limit=1&search=jane%40example.com`, {
      headers: { ...headers, traceparent: traceparent(), tracestate: "vendor=1", baggage: "user=jane" },
    });
    expect(response.status).toBe(200);
    const [server, first, second] = await spansOf(TRACE, 3);
    expect(server).toMatchObject({
      kind: SERVER,
      name: "GET /unified/v1/git/repos",
      parentSpanId: PARENT,
      traceState: "vendor=1",
      flags: 0x301,
    });
    expect(server.status).toBeUndefined();
    const { "plugboard.workspace_id": workspace, ...described } = attributesOf(server);
    expect(workspace).toMatch(/^ws_/);
    expect(described).toEqual({
      "http.request.method": "GET",
      "http.route": "/unified/v1/git/repos",
      "url.scheme": "http",
      "url.path": "/unified/v1/git/repos",
      "http.response.status_code": "200",
      "plugboard.surface": "unified",
      "plugboard.request_id": response.headers.get("x-request-id"),
      "plugboard.operation": "git.listRepositories",
      "plugboard.provider": "github",
      "plugboard.connection_id": connection,
      "plugboard.integration_id": integration,
    });
    const call = {
      "http.request.method": "GET",
      "server.address": "127.0.0.1",
      "server.port": String(upstream.port),
      "url.full": `${upstream.url}/REDACTED`,
      "plugboard.provider": "github",
    };
    expect(first).toMatchObject({ kind: CLIENT, name: "GET", parentSpanId: server.spanId, status: { code: 2 } });
    expect(attributesOf(first)).toEqual({ ...call, "http.response.status_code": "503", "error.type": "503" });
    expect(second).toMatchObject({ kind: CLIENT, parentSpanId: server.spanId, flags: 0x101 });
    expect(second.status).toBeUndefined();
    expect(attributesOf(second)).toEqual({
      ...call,
      "http.response.status_code": "200",
      "http.request.resend_count": "1",
    });
    // Each attempt is what the provider continues from. What a client says about its user stays here.
    expect(upstream.seen.map(({ headers }) => [headers.traceparent, headers.baggage, headers.tracestate])).toEqual(
      [first, second].map(({ spanId }) => [`00-${TRACE}-${spanId}-01`, undefined, undefined]),
    );
    const ended = (span: any) => BigInt(span.endTimeUnixNano);
    expect(ended(server) >= ended(second) && ended(second) > ended(first)).toBe(true);
    expect(shapes([server, first, second])).toEqual(shapes(documentedSpans()));
    for (const secret of [token, key, "jane", "search", BASE_PATH]) expect(everything()).not.toContain(secret);
  });
});

it("attributes have the names of the stable conventions, or begin with plugboard", async () => {
  const { headers } = await connected();
  upstream.answer((_, response) => response.writeHead(500).end());
  for (const [method, path] of [
    ["GET", "/unified/v1/git/repos"],
    ["PROPFIND", "/proxy/files"],
  ])
    await fetch(`${service.url}${path}`, {
      method,
      headers: { ...headers, "SVC-Max-Retries": "1", traceparent: traceparent() },
    });
  const spans = await spansOf(TRACE, 5);
  const stable = new Set<unknown>(Object.values(conventions));
  const names = new Set(spans.flatMap((span) => Object.keys(attributesOf(span))));
  expect([...names].filter((name) => !stable.has(name) && !name.startsWith("plugboard."))).toEqual([]);
  expect(names).toContain("http.request.method_original");
  expect(spans.filter(({ kind }) => kind === SERVER).map(({ name }) => name)).toContain("HTTP /proxy/*");
});

it("a Proxy call has no part of its path in the trace, and replaces the client's traceparent", async () => {
  const { headers } = await connected();
  upstream.answer(answerJson("{}"));
  await fetch(`${service.url}/proxy/users/jane@example.com?token=hunter2`, {
    headers: { ...headers, traceparent: traceparent() },
  });
  const [server, client] = await spansOf(TRACE, 2);
  expect(attributesOf(server)).toMatchObject({ "http.route": "/proxy/*", "url.path": "/proxy/*" });
  expect(upstream.seen[0]!.headers.traceparent).toBe(`00-${TRACE}-${client.spanId}-01`);
  expect(everything()).not.toMatch(/jane|hunter2/);
});

it("a failure names what went wrong, and a request that nobody may make is a span without a connection", async () => {
  const { headers } = await connectTo(service, "http://127.0.0.1:9");
  for (const authorization of [headers.authorization!, "Bearer made-up"])
    await fetch(`${service.url}/unified/v1/git/repos`, {
      headers: { ...headers, authorization, "SVC-Max-Retries": "0", traceparent: traceparent() },
    });
  const spans = await spansOf(TRACE, 3);
  const failed = attributesOf(spans.find(({ kind }) => kind === CLIENT)!);
  expect(failed).toMatchObject({ "error.type": "unreachable", "server.port": "9" });
  const servers = spans.filter(({ kind }) => kind === SERVER).map(attributesOf);
  expect(servers.map((one) => [one["http.response.status_code"], one["plugboard.outcome"], one["error.type"]])).toEqual(
    expect.arrayContaining([
      ["502", "upstream_unreachable", "502"],
      ["401", "unauthorized", undefined],
    ]),
  );
});

it("a trace that the client does not keep is not kept, and its decision is passed on", async () => {
  const { headers } = await connected();
  upstream.answer(answerJson("[]"));
  await fetch(`${service.url}/unified/v1/git/repos`, { headers: { ...headers, traceparent: traceparent("00") } });
  expect(upstream.seen[0]!.headers.traceparent).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`));
  await fetch(`${service.url}/unified/v1/git/repos`, { headers });
  await expect.poll(() => collector.spans().length).toBeGreaterThan(1);
  expect(collector.spans().filter(({ traceId }) => traceId === TRACE)).toEqual([]);
});

it("a call of Unified MCP continues from `_meta` of its message, with a link to the trace of the request", async () => {
  const { headers } = await connected();
  const http = "00-11111111111111111111111111111111-2222222222222222-01";
  const call = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "git_list_repositories", arguments: {}, _meta: { traceparent: traceparent() } },
  };
  const response = await fetch(`${service.url}/unified/v1/mcp`, {
    method: "POST",
    headers: {
      ...headers,
      traceparent: http,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-06-18",
    },
    body: JSON.stringify(call),
  });
  expect(await response.text()).not.toContain('"isError":true');
  const [server, client] = await spansOf(TRACE, 2);
  expect(server).toMatchObject({
    name: "POST /unified/v1/mcp",
    parentSpanId: PARENT,
    links: [{ traceId: "1".repeat(32), spanId: "2".repeat(16) }],
  });
  expect(client.parentSpanId).toBe(server.spanId);
});

it("a message to a provider's MCP server keeps its `_meta`, which is a link of the span", async () => {
  const { headers } = await connected(service, { mcp_url: `${upstream.url}/mcp` });
  upstream.answer(answerJson('{"jsonrpc":"2.0","id":1,"result":{}}'));
  await fetch(`${service.url}/mcp`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", params: { _meta: { traceparent: traceparent() } } }),
  });
  const server = () => collector.spans().find(({ name }) => name === "POST /mcp");
  await expect.poll(server).toMatchObject({ name: "POST /mcp", links: [{ traceId: TRACE, spanId: PARENT }] });
});

it("deliveries and runs of subscriptions are spans", async () => {
  const receiver = await startReceiver();
  const { key } = await connected();
  await createStrictPlatform(service, key)("POST", "/webhooks", {
    name: "All",
    url: `${receiver.url}/secret-path?token=hunter2`,
    events: { "connection.*": true },
  });
  const platform = createStrictPlatform(service, key);
  const [{ id }] = await platform("GET", "/connections");
  await platform("PATCH", `/connections/${id}`, { external_id: "jane" });
  const delivery = () =>
    collector.spans().find((span) => attributesOf(span)["plugboard.event_type"] === "connection.updated");
  await expect.poll(delivery).toMatchObject({ kind: CLIENT, name: "POST" });
  expect(attributesOf(delivery())).toMatchObject({
    "server.port": String(receiver.port),
    "http.response.status_code": "204",
    "plugboard.event_type": "connection.updated",
    "plugboard.event_id": expect.stringMatching(/^evt_/),
  });
  expect(receiver.received.map(({ headers }) => headers.traceparent)).toContain(
    `00-${delivery().traceId}-${delivery().spanId}-01`,
  );
  await receiver.close();

  const sandbox = createStrictPlatform(service, service.apiKey);
  await sandbox("POST", "/subscriptions", {
    connection_id: service.connections.github,
    operation: "git.listRepositories",
    interval_seconds: 3600,
  });
  const run = () => collector.spans().find(({ kind }) => kind === INTERNAL);
  await expect.poll(run).toMatchObject({ name: "subscription git.listRepositories" });
  expect(attributesOf(run())).toMatchObject({
    "plugboard.outcome": "finished",
    "plugboard.operation": "git.listRepositories",
  });
  const calls = collector.spans().filter(({ parentSpanId }) => parentSpanId === run().spanId);
  expect(calls.length).toBeGreaterThan(0);
  expect(calls.map(({ kind, traceId }) => [kind, traceId])).toEqual(calls.map(() => [CLIENT, run().traceId]));
  expect(everything()).not.toMatch(/jane|hunter2|secret-path/);
});

it("without an address nothing is traced, and providers get no header", async () => {
  const plain = await startService({ env: { ALLOW_PRIVATE_UPSTREAMS: "true" } });
  const { headers } = await connected(plain);
  upstream.answer(answerJson("[]"));
  await fetch(`${plain.url}/unified/v1/git/repos`, { headers: { ...headers, traceparent: traceparent() } });
  await plain.close();
  expect(upstream.seen.map(({ headers }) => headers.traceparent)).toEqual([undefined]);
  expect(collector.spans()).toEqual([]);
});
