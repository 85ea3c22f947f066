// No cursor, params, path parameter or base URL makes Plugboard call another host, leave the provider's API, or send
// credentials there.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { segments } from "../../src/provider-kit/request.ts";
import { startService, type TestService } from "../support/service.ts";
import { newWorkspace } from "../support/workspace.ts";

let service: TestService;
let evil: Server;
let evilHost: string;
const reached: string[] = [];
let provider: string;

beforeAll(async () => {
  evil = createServer((request, response) => {
    reached.push(`${request.method} ${request.url}`);
    response.setHeader("content-type", "application/json").end("[]");
  });
  await new Promise<void>((resolve) => evil.listen(0, "127.0.0.1", resolve));
  evilHost = `127.0.0.1:${(evil.address() as AddressInfo).port}`;
  service = await startService({ env: { UNIFIED_RATE_LIMIT: "100000/60" } });
  provider = Object.keys(service.connections).find((id) => id === "github")!;
});
afterAll(async () => {
  await service.close();
  evil.close();
});
beforeEach(async () => {
  reached.length = 0;
  await fetch(`${service.url}/sandbox/_requests`, { method: "DELETE" });
});

const headers = () => ({
  authorization: `Bearer ${service.apiKey}`,
  "svc-connection-id": service.connections[provider]!,
});
const get = (path: string) => fetch(`${service.url}/unified${path}`, { headers: headers() });
const seen = async () =>
  ((await (await fetch(`${service.url}/sandbox/_requests?provider=${provider}`)).json()) as { path: string }[]).map(
    ({ path }) => path,
  );

const paths = [
  "..",
  ".",
  "../../user",
  "..%2F..%2Fuser",
  "a/../../../user",
  "a/./b",
  "a//b",
  "/a",
  "a/",
  "..\\..\\user",
  "a\\..\\b",
  "a/%2e%2e/%2e%2e/user",
  "a\u0000b/c",
  "a\r\nHost: evil/c",
  "\u0001",
];

describe("path parameters", () => {
  it.each(paths)("refuses or confines %j", async (repo) => {
    const response = await get(`/v1/git/repos/${encodeURIComponent(repo)}/tags`);
    expect([400, 404]).toContain(response.status);
    const confined = [`/repos/${segments(repo)}/tags`, "/user/repos"];
    for (const path of await seen()) expect(confined).toContain(path.split("?")[0]);
  });

  it.each(["a/b?per_page=1&x=", "a/b#fragment", "a/b;c", "a/b%2Fc", "a b/c d", "日本/語", "@evil/x", "http:/evil"])(
    "keeps %j one value",
    async (repo) => {
      await get(`/v1/git/repos/${encodeURIComponent(repo)}/tags`);
      for (const path of await seen()) expect(path.split("?")[0]).toBe(`/repos/${segments(repo)}/tags`);
    },
  );
});

describe("params", () => {
  it.each([
    '{"host":"evil"}',
    '{"authorization":"Bearer other","Authorization":"x"}',
    '{"__proto__":{"polluted":true}}',
    '{"constructor":{"prototype":{"polluted":true}}}',
    '{"url":"http://evil","base_url":"http://evil","path":"/../../x"}',
    '{"per_page":1,"page":99}',
    '{"a\\r\\nb":"c\\r\\nd"}',
  ])("only ever become the query: %s", async (params) => {
    const response = await get(`/v1/git/repos?limit=20&params=${encodeURIComponent(params)}`);
    expect(response.status).toBe(200);
    expect(((await response.json()) as any).response.data).toHaveLength(20);
    for (const path of await seen()) {
      expect(path.split("?")[0]).toBe("/user/repos");
      expect(new URLSearchParams(path.split("?")[1]).get("per_page")).toBe("20");
    }
    expect(({} as any).polluted).toBeUndefined();
  });
});

describe("cursors", () => {
  it("of another operation, repository, provider or process's key are refused", async () => {
    const nextOf = async (path: string) => ((await (await get(path)).json()) as any).response.metadata.next as string;
    const repos = await nextOf("/v1/git/repos?limit=1");
    const tags = await nextOf("/v1/git/repos/acme%2Frocket/tags?limit=1");
    const stranger = await startService();
    const theirs = (
      (await (
        await fetch(`${stranger.url}/unified/v1/git/repos?limit=1`, {
          headers: { authorization: `Bearer ${stranger.apiKey}`, "svc-connection-id": stranger.connections[provider]! },
        })
      ).json()) as any
    ).response.metadata.next;
    await stranger.close();
    const forged = Buffer.from(
      `${"\0".repeat(16)}["git.listRepositories","github",{"page":{"host":"${evilHost}"},"size":5}]`,
    ).toString("base64url");
    for (const [path, after] of [
      ["/v1/git/repos", tags],
      ["/v1/git/repos/acme%2Frocket/tags", repos],
      ["/v1/git/repos/acme%2Fempty/tags", tags],
      ["/v1/git/repos/acme%2Frocket/branches", tags],
      ["/v1/git/repos", theirs],
      ["/v1/git/repos", forged],
      ["/v1/git/repos", `http://${evilHost}/`],
      ["/v1/git/repos", "%00"],
    ]) {
      const response = await get(`${path}?after=${encodeURIComponent(after!)}`);
      expect(response.status).toBe(400);
      expect(((await response.json()) as any).errors[0].path).toEqual(["query", "after"]);
    }
    expect(reached).toEqual([]);
  });

  it("are not taken over to the same provider on another host", async () => {
    const open = await startService({ env: { ALLOW_PRIVATE_UPSTREAMS: "true" } });
    const key = await newWorkspace(open, "own");
    const platform = async (path: string, body: unknown) =>
      (await (
        await fetch(`${open.url}/platform/v1${path}`, {
          method: "POST",
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          body: JSON.stringify(body),
        })
      ).json()) as any;
    const integration = await platform("/integrations", {
      identifier: provider,
      type: "api_key",
      base_url: `http://${evilHost}`,
    });
    const connection = await platform("/connections", { integration_id: integration.id, auth_token: "made-up" });
    const sandboxed = await fetch(`${open.url}/unified/v1/git/repos?limit=1`, {
      headers: { authorization: `Bearer ${open.apiKey}`, "svc-connection-id": open.connections[provider]! },
    });
    const { next } = ((await sandboxed.json()) as any).response.metadata;
    const response = await fetch(`${open.url}/unified/v1/git/repos?after=${next}`, {
      headers: { authorization: `Bearer ${key}`, "svc-connection-id": connection.id },
    });
    expect(response.status).toBe(400);
    expect(reached).toEqual([]);
    await open.close();
  });
});

describe("base URLs", () => {
  const addresses = [
    "http://127.0.0.1",
    "http://localhost",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://169.254.169.254/latest/meta-data",
    "http://10.0.0.1",
    "http://192.168.1.1",
    "http://172.16.0.1",
    "http://100.64.0.1",
    "http://0.0.0.0",
    "http://0177.0.0.1",
    "http://2130706433",
    "http://0x7f.1",
    "http://127.1",
    "http://[fe80::1]/",
    "http://[fd00::1]/",
    "ftp://example.com",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "//example.com",
    "https://user:secret@example.com",
    "https://example.com/?a=b",
    "https://example.com/#a",
    "not an address",
    "",
  ];
  it.each(addresses)("refuses %j when an integration is written", async (base_url) => {
    const key = await newWorkspace(service, `w-${Math.random()}`);
    const response = await fetch(`${service.url}/platform/v1/integrations`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ identifier: provider, type: "api_key", base_url }),
    });
    expect(response.status).toBe(400);
    expect(Object.keys(((await response.json()) as any).errors)).toEqual(["base_url"]);
  });

  it("are checked again by resolved address when the call is made", async () => {
    // Written as if it had been public once: the check at connect time has to catch it.
    const key = await newWorkspace(service, "rebinding");
    const workspace = (await service.parts.store.workspaces.byName("rebinding"))!;
    const { integrations, connections } = service.parts.store;
    for (const [index, base_url] of [`http://${evilHost}`, `http://localhost:${evilHost.split(":")[1]}`].entries()) {
      const common = { workspace_id: workspace.id, created_at: "", updated_at: "" };
      const integration =
        (await integrations.byIdentifier(workspace.id, provider)) ??
        (await integrations.create({
          ...common,
          id: `int_rebinding${index}`,
          identifier: provider,
          type: "api_key",
          client_id: null,
          client_secret: null,
          scopes: null,
          base_url,
          mcp_url: null,
        }))!;
      await integrations.update(workspace.id, integration.id, { base_url });
      const connection = await connections.create({
        ...common,
        id: `conn_rebinding${index}`,
        integration_id: integration.id,
        integration_identifier: provider,
        external_id: null,
        credentials: { token: "made-up" },
        settings: {},
        metadata: null,
        is_valid: true,
        invalid_reason: null,
        expires_at: null,
        refreshed_at: null,
      });
      const response = await fetch(`${service.url}/unified/v1/git/repos`, {
        headers: { authorization: `Bearer ${key}`, "svc-connection-id": connection.id },
      });
      expect(response.status).toBe(502);
      expect(((await response.json()) as any).errors[0].detail).toMatch(/private address/);
    }
    expect(reached).toEqual([]);
  });
});
