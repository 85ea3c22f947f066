import { expect, it } from "vitest";
import { testManifest } from "../../../test/support/engine-parts.ts";
import type { Manifest } from "../../contracts/manifest.ts";
import { exactAddress, fill, hasSettings, parseAddress, proxyBaseUrl, resolveAddress, SANDBOX } from "./address.ts";

const manifest: Manifest = {
  ...testManifest,
  addresses: { api: "https://{site}.acme.example/v1/", token: "https://acme.example/token" },
  selfHosted: { token: "/oauth/{site}" },
};
const SANDBOX_URL = "http://127.0.0.1:1/sandbox";
const integration = { type: "api_key", base_url: null, mcp_url: null } as const;
const resolve = (name: string, change: object = {}, sandboxUrl: string | undefined = SANDBOX_URL) =>
  resolveAddress(manifest, name, { ...integration, ...change }, { site: "s" }, sandboxUrl);

it("an address is split, without slashes at its end unless it is called exactly as it is written", () => {
  expect(parseAddress("https://a.example/b//?c=1")).toEqual({ origin: "https://a.example", path: "/b" });
  expect(parseAddress("https://a.example/")).toEqual({ origin: "https://a.example", path: "" });
  expect(exactAddress("https://a.example/b/?c=1")).toEqual({ origin: "https://a.example", path: "/b/?c=1" });
  expect(exactAddress("https://a.example/")).toEqual({ origin: "https://a.example", path: "" });
  expect(exactAddress("https://a.example/?c=1")).toEqual({ origin: "https://a.example", path: "/?c=1" });
});

it("a template is filled with settings, or the user has to connect again", () => {
  expect(fill("{a}-{b}-{a}", { a: "1", b: "" })).toBe("1--1");
  expect(hasSettings("{a}{b}", { a: "1", b: "2" })).toBe(true);
  expect(hasSettings("{a}{b}", { a: "1" })).toBe(false);
  expect(() => fill("{a}", {})).toThrow('the connection lacks the setting "a"');
});

it("an address leads to the provider, to a server of one's own, or to the sandbox", () => {
  expect(resolve("api")).toEqual({ origin: "https://s.acme.example", path: "/v1" });
  expect(resolve("unknown")).toBeUndefined();
  const own = { base_url: "https://own.example/acme/" };
  expect(resolve("api", own)).toEqual({ origin: "https://own.example", path: "/acme/v1" });
  expect(resolve("token", own)).toEqual({ origin: "https://own.example", path: "/acme/oauth/s" });
  const emulated = { base_url: SANDBOX };
  expect(resolve("api", emulated)).toEqual({ origin: "http://127.0.0.1:1", path: "/sandbox/acme/v1" });
  expect(() => resolveAddress(manifest, "token", { ...integration, ...emulated }, {}, undefined)).toThrow(
    "the sandbox is off",
  );
});

it("an MCP server's own address is called as it is written, and is all that a provider of MCP alone has", () => {
  const mcp_url = "https://mcp.example/mcp/?a=1";
  expect(resolve("mcp", { mcp_url })).toEqual({ origin: "https://mcp.example", path: "/mcp/?a=1" });
  expect(resolve("api", { mcp_url })).toEqual({ origin: "https://s.acme.example", path: "/v1" });
  const only = (name: string, change: object) =>
    resolveAddress({ ...manifest, mcpOnly: true }, name, { ...integration, ...change }, {}, SANDBOX_URL);
  expect(only("api", { mcp_url })).toEqual({ origin: "https://mcp.example", path: "/mcp" });
  expect(only("api", {})).toBeUndefined();
  expect(only("token", { mcp_url })).toBeUndefined();
  expect(only("token", { base_url: SANDBOX })).toEqual({ origin: "http://127.0.0.1:1", path: "/sandbox/acme/token" });
});

it("the Proxy's address is shown with the names of settings", () => {
  const shown = (change: object, sandboxUrl?: string, of: Manifest = manifest) =>
    proxyBaseUrl(of, { ...integration, ...change }, sandboxUrl);
  expect(shown({})).toBe("https://{site}.acme.example/v1/");
  expect(shown({}, undefined, { ...manifest, addresses: {} as never })).toBeNull();
  expect(shown({ base_url: SANDBOX })).toBeNull();
  expect(shown({ base_url: SANDBOX }, SANDBOX_URL)).toMatch(/^http:\/\/127\.0\.0\.1:1\/sandbox\/acme\/v1/);
  expect(shown({ base_url: "https://own.example/" })).toMatch(/^https:\/\/own\.example/);
  const mcpOnly = { ...manifest, mcpOnly: true as const };
  expect(shown({ mcp_url: "https://mcp.example" }, undefined, mcpOnly)).toBe("https://mcp.example");
  expect(shown({ mcp_url: "https://mcp.example" })).toBe("https://{site}.acme.example/v1/");
});
