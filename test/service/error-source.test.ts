// Every error says whose it is: the provider's own, or ours.
import { afterAll, beforeAll, expect, it } from "vitest";
import { rawRequest } from "../support/raw-request.ts";
import { clearFaults, injectFault } from "../support/sandbox.ts";
import { startService, type TestService } from "../support/service.ts";
import { connectTo, startUpstream, type Upstream } from "../support/upstream.ts";

let service: TestService;
let upstream: Upstream;
beforeAll(async () => {
  service = await startService({ env: { HEADER_PREFIX: "Acme-", ALLOW_PRIVATE_UPSTREAMS: "true" } });
  upstream = await startUpstream();
});
afterAll(async () => {
  await service?.close();
  await upstream?.close();
});

const call = (path: string, init: RequestInit = {}) =>
  fetch(`${service.url}${path}`, {
    redirect: "manual",
    ...init,
    headers: {
      authorization: `Bearer ${service.apiKey}`,
      "Acme-Connection-ID": service.connections.github!,
      "Acme-Max-Retries": "0",
      ...init.headers,
    },
  });

const noKey = { headers: { authorization: "" } };
const ours: [path: string, status: number, init?: RequestInit][] = [
  ["/unified/v1/git/repos", 401, noKey],
  ["/unified/v1/git/repos?limit=0", 400],
  ["/unified/v1/nothing", 404],
  ["/unified/%zz", 404],
  ["/unified/v1/mcp", 405],
  ["/platform/v1/connections", 401, noKey],
  ["/platform/v1/connections/conn_x", 404],
  ["/platform/v1/connections?limit=0", 400],
  ["/platform/%zz", 404],
  ["/auth/authorize", 400],
  ["/auth/nothing", 404],
  ["/auth/connection", 401, { ...noKey, method: "POST" }],
  ["/proxy/user", 401, noKey],
  ["/proxy/%zz", 400],
  ["/mcp", 401, { ...noKey, method: "POST" }],
  ["/mcp/below", 404],
  ["/nothing", 404],
  ["/%zz", 400],
];

it.each(ours)("%s answers %i with Error-Source: plugboard", async (path, status, init) => {
  const response = await call(path, init);
  expect([response.status, response.headers.get("Acme-Error-Source")]).toEqual([status, "plugboard"]);
});

it("a request that is not HTTP is answered with Error-Source: plugboard", async () => {
  const { port } = new URL(service.url);
  expect(await rawRequest(Number(port), "nonsense\r\n\r\n")).toContain("Acme-Error-Source: plugboard");
});

it.each(["/unified/v1/git/repos", "/proxy/user/repos", "/mcp"])(
  "a provider's own error over %s has Error-Source: provider",
  async (path) => {
    await injectFault(service, { provider: "github", status: 403, times: 1 });
    const response = await call(path, path === "/mcp" ? { method: "POST", body: "{}" } : {});
    expect([response.status, response.headers.get("Acme-Error-Source")]).toEqual([403, "provider"]);
    await clearFaults(service);
  },
);

it("a provider cannot pass its error off as ours", async () => {
  upstream.answer((_, response) => response.writeHead(404, { "acme-error-source": "plugboard" }).end());
  const { key, connection } = await connectTo(service, upstream.url);
  const response = await call("/proxy/x", {
    headers: { authorization: `Bearer ${key}`, "Acme-Connection-ID": connection },
  });
  expect([response.status, response.headers.get("Acme-Error-Source")]).toEqual([404, "provider"]);
});

it("a success has no Error-Source, and the emulated providers never have one", async () => {
  for (const path of ["/unified/v1/git/repos?limit=1", "/proxy/user/repos?per_page=1", "/platform/v1/connections"]) {
    const response = await call(path);
    expect([response.status, response.headers.has("Acme-Error-Source")]).toEqual([200, false]);
  }
  const emulated = await fetch(`${service.url}/sandbox/github/user`);
  expect([emulated.status, emulated.headers.has("Acme-Error-Source")]).toEqual([401, false]);
});
