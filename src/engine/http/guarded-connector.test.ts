import type { LookupAddress } from "node:dns";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { startProxy } from "../../../test/support/recording-proxy.ts";
import { startUpstream, type Upstream } from "../../../test/support/upstream.ts";
import type { ProxySettings } from "../../contracts/network.ts";
import { Cancellation } from "./cancellation.ts";
import { createTransport, type TransportOptions } from "./transport.ts";

let upstream: Upstream;
let proxy: Awaited<ReturnType<typeof startProxy>>;
const resolved: string[] = [];
/** What names lead to. */
const NAMES: Record<string, string[]> = {
  "public.example": ["93.184.216.34"],
  "inside.example": ["10.1.2.3"],
  "mixed.example": ["93.184.216.34", "10.1.2.3"],
  "loopback.example": ["127.0.0.1"],
};

beforeAll(async () => {
  upstream = await startUpstream();
  proxy = await startProxy(upstream.port);
});
beforeEach(() => {
  proxy.asked.length = 0;
  proxy.credentials.clear();
  resolved.length = 0;
  upstream.seen.length = 0;
});
afterAll(async () => {
  await upstream.close();
  await proxy.close();
});

async function lookUp(name: string): Promise<LookupAddress[]> {
  resolved.push(name);
  const found = NAMES[name];
  if (!found) throw Object.assign(new Error("not found"), { code: "ENOTFOUND" });
  return found.map((address) => ({ address, family: 4 }));
}

function open(settings: Partial<ProxySettings> = {}, options: Partial<TransportOptions> = {}) {
  const transport = createTransport({
    allowPrivateUpstreams: false,
    maxBodyBytes: 1e6,
    maxValues: 1e6,
    trustedOrigin: undefined,
    proxy: { http: proxy.url, https: proxy.url, exceptions: [], target: "name", ...settings },
    resolve: lookUp,
    ...options,
  });
  onTestFinished(() => transport.close());
  return (origin: string) =>
    transport.buffer({ origin, path: "/x", method: "GET", headers: {} }, new Cancellation()).then(
      ({ statusCode }) => statusCode,
      (error) => error.message as string,
    );
}

it("a call goes through the proxy by the name that was checked, or by its address", async () => {
  expect(await open()("http://public.example")).toBe(200);
  expect(await open({ target: "address" })("http://public.example:8081")).toBe(200);
  expect(await open({ target: "unresolved" })("http://unknown.example")).toBe(200);
  expect(proxy.asked).toEqual(["public.example:80", "93.184.216.34:8081", "unknown.example:80"]);
  expect(resolved).toEqual(["public.example", "public.example"]);
  expect(upstream.seen.map(({ headers }) => headers.host)).toEqual([
    "public.example",
    "public.example:8081",
    "unknown.example",
  ]);
});

it.each([["name"], ["address"]] as const)(
  "private addresses are not asked of the proxy, with PROXY_TARGET=%s",
  async (target) => {
    const call = open({ target });
    for (const host of [
      "inside.example",
      "mixed.example",
      "loopback.example",
      "10.1.2.3",
      "[fd00::1]",
      "169.254.169.254",
    ])
      expect([host, await call(`http://${host}`)]).toEqual([host, expect.stringContaining("is a private address")]);
    expect(await call("http://unknown.example")).toBe("not found");
    expect(proxy.asked).toEqual([]);
  },
);

it("without looking names up, written addresses are still refused", async () => {
  const call = open({ target: "unresolved" });
  expect(await call("http://10.1.2.3")).toContain("is a private address");
  expect(await call("http://2130706433")).toContain("is a private address");
  expect([proxy.asked, resolved]).toEqual([[], []]);
});

it("address ranges that are allowed can be called, and no others", async () => {
  const call = open({}, { allowPrivateUpstreams: ["10.1.0.0/16"] });
  expect(await call("http://inside.example")).toBe(200);
  expect(await call("http://mixed.example")).toBe(200);
  expect(await call("http://10.1.2.3")).toBe(200);
  expect(await call("http://10.2.2.3")).toContain("is a private address");
  expect(await call("http://loopback.example")).toContain("is a private address");
  expect(proxy.asked).toEqual(["inside.example:80", "mixed.example:80", "10.1.2.3:80"]);
});

it("what NO_PROXY has is called directly, and so is this machine", async () => {
  const call = open({ exceptions: [".loopback.example", "public.example:444"] }, { allowPrivateUpstreams: true });
  expect(await call(`http://loopback.example:${upstream.port}`)).toBe(200);
  expect(await call(upstream.url)).toBe(200);
  expect(proxy.asked).toEqual([]);
  expect(await call("http://public.example")).toBe(200);
  expect(proxy.asked).toEqual(["public.example:80"]);
});

it("the password of the proxy is sent to the proxy alone", async () => {
  const url = proxy.url.replace("//", "//me:p%40ss@");
  expect(await open({ http: url })("http://public.example")).toBe(200);
  expect([...proxy.credentials]).toEqual([`Basic ${Buffer.from("me:p@ss").toString("base64")}`]);
  expect(upstream.seen[0]!.headers["proxy-authorization"]).toBeUndefined();
});

describe("a proxy that does not connect", () => {
  it("a refusal of the proxy is an error that has its status", async () => {
    proxy.refuse(407);
    onTestFinished(() => proxy.refuse(undefined));
    expect(await open()("http://public.example")).toBe("the proxy answered 407 to CONNECT public.example:80");
  });

  it("a proxy that is unavailable, or is a web server, is an error", async () => {
    expect(await open({ http: "http://127.0.0.1:9" })("http://public.example")).toBe(
      "the proxy cannot be used: ECONNREFUSED",
    );
    expect(await open({ http: upstream.url })("http://public.example")).toMatch(/^the proxy /);
    expect(upstream.seen).toEqual([]);
  });
});
