// What is recorded of responses that were not sent to their end: on every surface, with and without Fastify.
import { request as httpRequest, type IncomingMessage, type RequestListener } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { LogEntry } from "../../src/contracts/entities.ts";
import { startService, type TestService } from "../support/service.ts";
import { type Connected, connectTo, startUpstream, type Upstream } from "../support/upstream.ts";

let service: TestService;
let upstream: Upstream;
let git: Connected;
let drive: Connected;

beforeAll(async () => {
  service = await startService({ env: { ALLOW_PRIVATE_UPSTREAMS: "true" } });
  upstream = await startUpstream();
  git = await connectTo(service, upstream.url, { mcp_url: `${upstream.url}/mcp` });
  const app = { type: "oauth2", client_id: "made-up", client_secret: "made-up" };
  drive = await connectTo(service, upstream.url, { identifier: "box", ...app });
});
afterAll(async () => {
  await service?.close();
  await upstream?.close();
});
beforeEach(() => {
  upstream.seen.length = 0;
});

interface Sent {
  me?: Connected;
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: object | string;
}

let requests = 0;

/** Sends a request. It ends when `until` resolves, or the service closes the connection; then its log entry follows. */
async function record({ me = git, method = "GET", path, headers, body }: Sent, until?: Promise<unknown>) {
  const id = `unfinished-${++requests}`;
  const length = typeof body === "string" ? { "content-length": "1000" } : {};
  const request = httpRequest(`${service.url}${path}`, {
    method,
    headers: { ...me.headers, "x-request-id": id, "SVC-Max-Retries": "0", ...length, ...headers },
  });
  const closed = new Promise<void>((resolve) => request.on("error", () => resolve()).once("close", resolve));
  const begun = new Promise<void>((resolve) =>
    request.once("response", (response) => response.on("error", () => {}).once("data", () => resolve())),
  );
  if (typeof body === "string") request.write(body);
  else request.end(body && JSON.stringify(body));
  if (until) {
    await Promise.race([until, begun]);
    request.destroy();
  }
  await closed;
  return expect
    .poll(() => findEntry(me, id))
    .toBeDefined()
    .then(() => findEntry(me, id)) as Promise<LogEntry>;
}

async function findEntry({ key }: Connected, id: string): Promise<LogEntry | undefined> {
  await service.parts.requestLog.flush();
  const url = `${service.url}/platform/v1/logs?request_id=${id}`;
  const [entry] = (await (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).json()) as LogEntry[];
  return entry;
}

const metric = async (name: string) => {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Number(new RegExp(`^${RegExp.escape(name)} (\\d+)$`, "m").exec(text)?.[1] ?? 0);
};

/** Resolves with the next request that reaches the provider, after it was handled. */
function handleNext(handle: RequestListener): Promise<IncomingMessage> {
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
  upstream.answer((request, response) => {
    request.on("error", () => {});
    handle(request, response);
    resolve(request);
  });
  return promise;
}

const hang: RequestListener = () => {};
const begin: RequestListener = (_, response) => void response.writeHead(200).write("begun");
const breakOff: RequestListener = (_, response) => {
  response.writeHead(200, { "content-length": "100" }).write("half", () => response.destroy());
};
const never = new Promise<void>(() => {});
const cancelled = { status: null, error: "cancelled", attempt: 1 };

const rpc = (method: string, params: object = {}) => ({
  method: "POST",
  headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
  body: { jsonrpc: "2.0", id: 1, method, params },
});
const tool = rpc("tools/call", { name: "git_list_repositories", arguments: { limit: 1 } });

const read = { path: "/unified/v1/git/repos?limit=1" };
const proxied = { path: "/proxy/slow" };
const download = { me: () => drive, path: "/unified/v1/drive/files/12345/content" };

describe.each([true, false])("with the direct path: %s", (direct) => {
  beforeAll(() => {
    service.config.directPath = direct;
  });

  it.each<[string, Omit<Sent, "me">]>([
    ["a Unified read", read],
    ["a Proxy call", proxied],
    ["a message to MCP", { path: "/mcp", ...rpc("tools/list") }],
    ["a tool call of Unified MCP", { path: "/unified/v1/mcp", ...tool }],
  ])("%s whose client disconnects before the answer is recorded with 499 and its canceled call", async (_, sent) => {
    const [surface] = sent.path.slice(1).split("/");
    const labels = `surface="${surface}",method="${sent.method ?? "GET"}",status="499"`;
    const before = await metric(`plugboard_requests_total{${labels}}`);
    const entry = await record(sent, handleNext(hang));
    expect(entry).toMatchObject({
      status: 499,
      outcome: "client_disconnected",
      error_source: null,
      upstream_calls: 1,
      upstream: [cancelled],
    });
    expect(entry.duration_ms).toBeGreaterThan(0);
    expect(await metric(`plugboard_requests_total{${labels}}`)).toBe(before + 1);
  });

  it("a Proxy call whose client disconnects during the answer is recorded with 499", async () => {
    void handleNext(begin);
    const entry = await record(proxied, never);
    expect(entry).toMatchObject({ status: 499, outcome: "client_disconnected", upstream: [{ status: 200 }] });
  });

  it("an event stream that its client ends keeps its status", async () => {
    void handleNext((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n");
    });
    const entry = await record(proxied, never);
    expect(entry).toMatchObject({ status: 200, outcome: "client_disconnected", error_source: null });
  });

  it("a Proxy answer that the provider breaks off is recorded with the status that was sent, as its error", async () => {
    const name = 'plugboard_unfinished_responses_total{surface="proxy",outcome="provider_broke_off"}';
    const before = await metric(name);
    void handleNext(breakOff);
    expect(await record(proxied)).toMatchObject({
      status: 200,
      outcome: "provider_broke_off",
      error_source: "provider",
      upstream: [{ status: 200 }],
    });
    expect(await metric(name)).toBe(before + 1);
  });
});

it("a write whose client disconnects continues, and is recorded with its answer", async () => {
  const write = {
    method: "POST",
    path: "/unified/v1/git/repos/acme%2Frocket/issues",
    headers: { "content-type": "application/json" },
    body: { title: "made up" },
  };
  const arrived = handleNext((_, response) => {
    const answer = () => response.writeHead(422, { "content-type": "application/json" }).end("{}");
    disconnected.then(answer);
  });
  const disconnected = arrived.then(() => new Promise((resolve) => setTimeout(resolve, 50)));
  expect(await record(write, arrived)).toMatchObject({
    status: 499,
    outcome: "client_disconnected",
    upstream_calls: 1,
    upstream: [{ method: "POST", status: 422 }],
  });
});

const REPOS = JSON.stringify([
  {
    id: 1,
    name: "rocket",
    full_name: "acme/rocket",
    html_url: "http://127.0.0.1/rocket",
    created_at: "2026-01-01T00:00:00Z",
  },
]);

it("a stream of records whose client disconnects is recorded with all of its calls", async () => {
  const next = `<${upstream.url}/api/v3/user/repos?page=2>; rel="next"`;
  upstream.answer((request, response) => {
    if (upstream.seen.length === 1)
      response.writeHead(200, { "content-type": "application/json", link: next }).end(REPOS);
    else hang(request, response);
  });
  const entry = await record({ ...read, headers: { accept: "application/x-ndjson" } }, never);
  expect(entry).toMatchObject({
    status: 499,
    outcome: "client_disconnected",
    upstream_calls: 2,
    upstream: [{ status: 200 }, cancelled],
  });
});

it("a download whose client disconnects, or that the provider breaks off, is recorded", async () => {
  void handleNext(begin);
  const sent = { ...download, me: drive };
  expect(await record(sent, never)).toMatchObject({ status: 499, outcome: "client_disconnected" });
  void handleNext(breakOff);
  expect(await record(sent)).toMatchObject({ status: 200, outcome: "provider_broke_off", error_source: "provider" });
});

it("an upload that its client gives up is recorded with 499, and not as a failure of the provider", async () => {
  const upload = { me: drive, method: "POST", path: "/unified/v1/drive/files?name=made-up.txt", body: "half" };
  const arrived = handleNext((request) => request.resume());
  expect(await record(upload, arrived)).toMatchObject({
    status: 499,
    outcome: "client_disconnected",
    error_source: null,
    upstream: [cancelled],
  });
  expect(await metric('plugboard_upstream_calls_total{provider="box",status="unreachable"}')).toBe(0);
});
