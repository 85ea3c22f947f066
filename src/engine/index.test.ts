// Its parts have their own tests; here is what the engine adds to them.
import { createSecretKey } from "node:crypto";
import { expect, it, vi } from "vitest";
import { testConnection } from "../../test/support/engine-parts.ts";
import { createEngine, type EngineOptions } from "./index.ts";

const { provider } = testConnection();
const used = vi.fn();
const newEngine = (change: Partial<EngineOptions> = {}) =>
  createEngine({
    store: {
      keys: { byHash: async () => ({ workspace: { id: "ws_1" }, key: { id: "key_1", expires_at: null } }), used },
    } as never,
    coordination: { cacheTtlMs: 60_000, onInvalidate() {} } as never,
    providers: [provider],
    readDocument: () => provider,
    telemetry: { upstream() {}, warn() {} } as never,
    upstreamTimeoutMs: 1_000,
    upstreamRetryTimeoutMs: 1_000,
    upstreamMaxBodyBytes: 1024,
    upstreamMaxValues: 10,
    allowPrivateUpstreams: false,
    sandboxUrl: "http://127.0.0.1:1/sandbox",
    publicSandboxUrl: undefined,
    callbackUrl: "https://plugboard.example/callback",
    hooksUrl: "https://plugboard.example/hooks",
    localHooksUrl: "http://127.0.0.1:1/hooks",
    hookKeys: () => [createSecretKey(Buffer.alloc(32, 1))],
    sealingKeys: () => [createSecretKey(Buffer.alloc(32, 1))],
    ...change,
  });

it("of the addresses of this machine, only the sandbox's may be called", async () => {
  const { refuseAddress } = newEngine();
  for (const path of ["sandbox", "sandbox/", "sandbox/acme"])
    expect(await refuseAddress(`http://127.0.0.1:1/${path}`)).toBeUndefined();
  for (const path of ["", "other", "sandbox-2", "sandbox/../other"])
    expect(await refuseAddress(`http://127.0.0.1:1/${path}`)).toMatch("Must not be a private address");
  const without = newEngine({ sandboxUrl: undefined });
  expect(await without.refuseAddress("http://127.0.0.1:1/sandbox")).toMatch("Must not be a private address");
  expect(await without.refuseAddress("undefined/")).toMatch("Must be an http");
});

it("addresses of users are encrypted where that is asked for, and left to a proxy that resolves names", async () => {
  const { refuseAddress } = newEngine();
  expect(await refuseAddress("http://93.184.216.34")).toBeUndefined();
  expect(await refuseAddress("http://93.184.216.34", { https: true })).toBe("Must be an https address");
  const proxy = { http: undefined, https: "http://proxy.example", exceptions: [], target: "unresolved" } as const;
  expect(await newEngine({ proxy }).refuseAddress("https://localhost")).toBeUndefined();
  expect(await refuseAddress("https://localhost")).toMatch("Must not be a private address");
});

it("a provider has an address for the Proxy, and an unknown one has none", () => {
  const { proxyBaseUrl } = newEngine();
  const integration = { type: "api_key", base_url: null, mcp_url: null } as const;
  expect(proxyBaseUrl(provider, integration)).toBe("https://api.acme.example/v1");
  expect(proxyBaseUrl(undefined, integration)).toBeNull();
});

it("what was noted of keys is stored before the engine is closed", async () => {
  const { authenticate, close } = newEngine();
  await authenticate("pb_1");
  await close();
  expect(used).toHaveBeenCalledOnce();
});
