// A web page must not be able to use MCP through the browser of somebody who can reach it.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config/index.ts";
import { createOriginPolicy } from "../../src/server/allowed-origins.ts";
import { startService, type TestService } from "../support/service.ts";
import { oneCredential } from "./support.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService({ env: { MCP_URL: "https://mcp.example.com" } });
});
afterAll(() => service?.close());

const post = (path: string, origin: string | undefined, headers: Record<string, string> = {}) =>
  fetch(`${service.url}${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...oneCredential(service, "github"),
      ...(origin === undefined ? {} : { origin }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
  });

describe.each(["/mcp", "/unified/v1/mcp"])("requests of a web page to %s", (path) => {
  it.each([
    "https://evil.example",
    "http://localhost.evil.example",
    "https://mcp.example.com.evil.example",
    "null",
    "",
  ])(`a page of the origin %j is refused with 403 by ${path}, whatever its key is`, async (origin) => {
    for (const headers of [{}, { authorization: "Bearer sk_unknown" }] as Record<string, string>[]) {
      const response = await post(path, origin, headers);
      const body = (await response.json()) as any;
      const error = path === "/mcp" ? body.code : `${body.errors[0].code} ${body.errors[0].message}`;
      expect([response.status, error]).toEqual([
        403,
        path === "/mcp" ? "origin_not_allowed" : "1002 Origin Not Allowed",
      ]);
    }
  });

  it(`clients without an Origin, our own addresses and pages of this machine may use ${path}`, async () => {
    const origins = [undefined, service.url, "https://mcp.example.com", "http://localhost:6274", "http://[::1]:3000"];
    for (const origin of origins) expect([origin, (await post(path, origin)).status]).not.toEqual([origin, 403]);
  });
});

it("pages of the visitor's own machine are refused by a service that other machines can reach", () => {
  const allowsOrigin = createOriginPolicy(readConfig({ HOST: "0.0.0.0", SANDBOX: "off" }));
  expect(allowsOrigin("http://localhost:6274")).toBe(false);
  expect(allowsOrigin("http://127.0.0.1:8080")).toBe(true);
});
