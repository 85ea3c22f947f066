import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/categories/index.ts";
import { createLogger } from "../../src/runtime/logger.ts";
import { VERSION } from "../../src/runtime/version.ts";
import { createPlatform } from "../support/platform.ts";
import { testDatabase } from "../support/postgres.ts";
import { createRelay } from "../support/relay.ts";
import { startService, type TestService } from "../support/service.ts";

const hosts = {
  UNIFIED_URL: "https://Api.example.com",
  PLATFORM_URL: "https://platform.example.com:8443/",
  MCP_URL: "https://example.com/mcp",
};

let service: TestService;
beforeAll(async () => {
  service = await startService({ env: { ...hosts, LOG_LEVEL: "debug" } });
});
afterAll(() => service?.close());

/** Calls the first list without path parameters of any provider. */
async function callAnyList(id = "a-call"): Promise<Response> {
  const described = (await createPlatform(service, service.apiKey)("GET", "/v1/providers")).body;
  for (const { id: provider, operations: supported } of described) {
    const operation = operations.find(
      ({ id, kind, parameters }) => kind === "list" && parameters.length === 0 && supported.includes(id),
    );
    if (!operation || !service.connections[provider]) continue;
    return fetch(`${service.url}/unified${operation.route}?limit=2&params=%7B%22secret%22%3A1%7D`, {
      headers: {
        authorization: `Bearer ${service.apiKey}`,
        "SVC-Connection-ID": service.connections[provider],
        "x-request-id": id,
      },
    });
  }
  throw new Error("no provider has a list without path parameters");
}

/** A request with headers that `fetch` does not allow. */
function get(path: string, headers: Record<string, string>): Promise<{ status: number; headers: any; body: any }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.url);
    httpRequest({ hostname, port, path, headers }, async (response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      const body = response.headers["content-type"]?.includes("json") ? JSON.parse(text) : text;
      resolve({ status: response.statusCode!, headers: response.headers, body });
    })
      .on("error", reject)
      .end();
  });
}

describe("health", () => {
  it("/healthz and /readyz answer 200 while everything works", async () => {
    const live = await fetch(`${service.url}/healthz`);
    expect(await (await fetch(`${service.url}/metrics`)).text()).toContain(
      `plugboard_build_info{version="${VERSION}"} 1`,
    );
    expect([live.status, await live.json()]).toEqual([200, { status: "ok", version: VERSION }]);
    const ready = await fetch(`${service.url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([200, { status: "ready", store: "ok", coordination: "ok" }]);
  });

  it("while the database is unavailable /readyz answers 503, and calls get 503 with Retry-After", async ({ skip }) => {
    const database = await testDatabase();
    if (!database) return skip("no Postgres");
    const relay = await createRelay(new URL(database.url), 5432);
    const cutOff = await startService({ env: { DATABASE_URL: relay.url.href } });
    try {
      const call = createPlatform(cutOff, cutOff.apiKey);
      expect((await call("GET", "/v1/integrations")).status).toBe(200);
      await relay.cut();
      const ready = await fetch(`${cutOff.url}/readyz`);
      expect([ready.status, await ready.json()]).toMatchObject([503, { status: "not ready", store: "unavailable" }]);
      expect((await fetch(`${cutOff.url}/healthz`)).status).toBe(200);
      for (const [method, path, body] of [
        ["GET", "/v1/integrations"],
        ["POST", "/v1/api-keys", {}],
        ["PATCH", "/v1/workspace", { name: "x" }],
        ["DELETE", `/v1/connections/${Object.values(cutOff.connections)[0]}`],
      ] as const) {
        const answer = await call(method, path, body);
        expect(answer, path).toMatchObject({ status: 503, body: { success: false, message: "Service unavailable" } });
        expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
      }
      await relay.restore();
      expect((await call("GET", "/v1/integrations")).status).toBe(200);
      expect((await fetch(`${cutOff.url}/readyz`)).status).toBe(200);
    } finally {
      await cutOff.close();
      await relay.cut();
      await database.drop();
    }
  });
});

describe("X-Request-Id", () => {
  it.each([
    "/healthz",
    "/nothing",
    "/platform/v1/workspace",
    "/unified/v1/none",
    "/platform/%zz",
    "/%zz",
    "/docs",
    "/unified/openapi.json",
  ])("the answer to %s has an X-Request-Id, the client's if it sent one", async (path) => {
    const made = await get(path, {});
    expect(made.headers["x-request-id"]).toMatch(/^[\w-]{36}$/);
    expect((await get(path, { "x-request-id": "mine.1-2:3" })).headers["x-request-id"]).toBe("mine.1-2:3");
  });

  it.each(["", "with space", 'quo"te', "x".repeat(129), "<script>"])("the X-Request-Id %j is replaced", async (id) => {
    expect((await get("/healthz", { "x-request-id": id })).headers["x-request-id"]).toMatch(/^[\w-]{36}$/);
  });
});

describe("requests outside every surface", () => {
  it("a path outside every surface gets 404 with a link to the reference", async () => {
    expect(await get("/", {})).toMatchObject({
      status: 404,
      body: { success: false, message: "Not found", docs: `${service.url}/docs` },
    });
    expect((await get("/UNIFIED/v1/git/repos", {})).status).toBe(404);
  });

  it("bytes that are not HTTP get 400, oversized headers get 431, and the service keeps working", async () => {
    const { port } = new URL(service.url);
    const answer = await new Promise<string>((resolve, reject) => {
      let text = "";
      const socket = connect(Number(port), "127.0.0.1", () => socket.write("this is not HTTP\r\n\r\n"));
      socket.on("data", (data) => {
        text += data;
      });
      socket.on("close", () => resolve(text)).on("error", reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect((await get("/healthz", { "x-large": "x".repeat(40_000) })).status).toBe(431);
    expect((await get("/healthz", {})).status).toBe(200);
  });
});

it("a connection whose body never ends after a 401 is closed by the service", async () => {
  const { port } = new URL(service.url);
  const socket = connect(Number(port), "127.0.0.1");
  let text = "";
  socket.on("data", (data) => {
    text += data;
  });
  socket.on("error", () => {});
  socket.write("POST /proxy/x HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf");
  await new Promise((resolve) => socket.on("close", resolve));
  expect(text).toMatch(/^HTTP\/1\.1 401 /);
});

describe("the host of a surface", () => {
  const key = () => ({ authorization: `Bearer ${service.apiKey}` });

  it("a surface with its own host is served at the root of that host", async () => {
    const listed = await get("/v1/integrations?limit=1", { ...key(), host: "platform.example.com:8443" });
    expect([listed.status, listed.body.length]).toEqual([200, 1]);
    for (const host of ["api.example.com", "API.example.com", "api.example.com:443"])
      expect((await get("/openapi.json", { host })).body.info.title).toContain("Unified");
    expect(await get("/v1/none", { ...key(), host: "api.example.com" })).toMatchObject({
      status: 404,
      body: { errors: [{ code: 7002 }] },
    });
    expect(await get("/v1/none", { host: "platform.example.com:8443" })).toMatchObject({
      body: { success: false, message: "Not found" },
    });
  });

  it("other hosts, and a host whose URL has a path, serve every surface by its path", async () => {
    for (const host of ["example.com", "127.0.0.1", "platform.example.com"]) {
      expect((await get("/v1/integrations", { ...key(), host })).body.docs).toBeDefined();
      expect((await get("/platform/v1/integrations", { ...key(), host })).status).toBe(200);
    }
  });
});

describe("metrics and logs", () => {
  async function metrics(): Promise<string> {
    const response = await fetch(`${service.url}/metrics`);
    expect(response.headers.get("content-type")).toContain("text/plain");
    return response.text();
  }
  const sum = (text: string, pattern: RegExp) =>
    [...text.matchAll(pattern)].reduce((total, [, value]) => total + Number(value), 0);

  it("metrics count requests by surface and status, their durations, and calls to providers", async () => {
    const requests = /^plugboard_requests_total\{surface="unified",method="GET",status="200"\} (\d+)$/gm;
    const durations = /^plugboard_request_duration_seconds_count\{surface="unified"\} (\d+)$/gm;
    const upstream = /^plugboard_upstream_calls_total\{provider="[\w-]+",status="200"\} (\d+)$/gm;
    const before = await metrics();
    const response = await callAnyList();
    expect(response.status).toBe(200);
    await response.arrayBuffer();
    const after = await metrics();
    expect(sum(after, requests) - sum(before, requests)).toBe(1);
    expect(sum(after, durations) - sum(before, durations)).toBe(1);
    expect(sum(after, upstream) - sum(before, upstream)).toBeGreaterThan(0);
    // The request for the metrics before.
    expect(after).toMatch(/^plugboard_requests_total\{surface="service",method="GET",status="200"\} \d+$/m);
    expect(after).toContain("plugboard_request_log_dropped_total 0");
    expect(after).toContain("plugboard_token_refreshes_total");
    expect(after).toContain("process_resident_memory_bytes");
  });

  it("an answer is logged in one line at debug level, without its query", async () => {
    await (await callAnyList("looked-for")).arrayBuffer();
    const lines = service
      .logs()
      .split("\n")
      .filter((line) => line.includes("looked-for"))
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ level: "debug", surface: "unified", method: "GET", status: 200 });
    expect(lines[0].path).toMatch(/^\/unified\/v1\/\w+\/\w+$/);
  });
});

describe("the logger", () => {
  function logged(work: (log: ReturnType<typeof createLogger>) => void): string {
    let text = "";
    const destination = {
      write(line: string) {
        text += line;
      },
    };
    work(createLogger("trace", destination));
    return text;
  }

  it("the logger hides fields with the name of a secret at any depth", () => {
    const names = [
      "authorization",
      "Cookie",
      "set-cookie",
      "api_key",
      "apiKey",
      "x-api-key",
      "access_token",
      "refreshToken",
      "client_secret",
      "password",
      "credentials",
      "code_verifier",
      "ENCRYPTION_KEY",
    ];
    for (const name of names) {
      const text = logged((log) => log.info({ a: [{ headers: { [name]: "hunter2", other: "shown" } }] }, "x"));
      expect(text, name).not.toContain("hunter2");
      expect(text).toContain("shown");
    }
  });

  it("the logger hides API keys and HTTP credentials in any text", () => {
    const key = `sk_${"aB3".repeat(16)}`;
    const text = logged((log) =>
      log.warn({ note: `Bearer ${"x".repeat(20)}`, url: `/x?key=${key}` }, `Basic ${"y".repeat(20)} ${key}`),
    );
    expect(text).not.toMatch(/xxxx|yyyy|aB3/);
  });

  it("the logger writes an error's message, code and causes, and none of a driver's extra fields", () => {
    const cause = Object.assign(new Error("the cause"), { code: "E1", parameters: ["hunter2"] });
    const error = Object.assign(new Error("the failure", { cause }), {
      detail: "Key (token)=(hunter2)",
      token: "hunter2",
    });
    const text = logged((log) => log.error({ err: error }, "x"));
    expect(JSON.parse(text).err).toMatchObject({ message: "the failure", cause: { message: "the cause", code: "E1" } });
    expect(text).not.toContain("hunter2");
  });

  it("the logger writes an object that refers to itself", () => {
    const loop: Record<string, unknown> = { name: "loop" };
    loop.self = loop;
    expect(logged((log) => log.info({ loop }, "x"))).toContain("loop");
  });
});
