// No cursor, `params`, path parameter or base URL makes Plugboard call another host, leave the provider's API, or leak
// credentials.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { segments } from "../../src/provider-kit/request.ts";
import { newConnection, newIntegration } from "../support/entities.ts";
import { createPlatform, createStrictPlatform } from "../support/platform.ts";
import { rawRequest } from "../support/raw-request.ts";
import { clearRequests, seenRequests } from "../support/sandbox.ts";
import { startService, type TestService } from "../support/service.ts";

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
  await clearRequests(service);
});

const headers = () => ({
  authorization: `Bearer ${service.apiKey}`,
  "svc-connection-id": service.connections[provider]!,
});
const get = (path: string) => fetch(`${service.url}/unified${path}`, { headers: headers() });
const seenPaths = async () => (await seenRequests(service, provider)).map(({ path }) => path);

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
  it.each(paths)("the path parameter %j is refused", async (repo) => {
    // Written to the socket with encoded dots: `fetch` would resolve `.` and `..` itself.
    const path = `/unified/v1/git/repos/${encodeURIComponent(repo).replaceAll(".", "%2e")}/tags`;
    const lines = Object.entries({ host: "localhost", connection: "close", ...headers() });
    const answer = await rawRequest(
      Number(new URL(service.url).port),
      `GET ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(JSON.parse(answer.split("\r\n\r\n")[1]!).errors[0].path).toEqual(["params", "repo"]);
    expect(await seenPaths()).toEqual([]);
  });

  it.each(["a/b?per_page=1&x=", "a/b#fragment", "a/b;c", "a/b%2Fc", "a b/c d", "日本/語", "@evil/x", "http:/evil"])(
    "the path parameter %j stays in its place of the provider's path",
    async (repo) => {
      const response = await get(`/v1/git/repos/${encodeURIComponent(repo)}/tags`);
      // The provider's own answer: there is no such repository.
      expect([response.status, await response.json()]).toMatchObject([404, { message: "Not Found" }]);
      expect((await seenPaths()).map((path) => path.split("?")[0])).toEqual([`/repos/${segments(repo)}/tags`]);
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
  ])("`params` become query parameters and nothing else: %s", async (params) => {
    const response = await get(`/v1/git/repos?limit=20&params=${encodeURIComponent(params)}`);
    expect(response.status).toBe(200);
    expect(((await response.json()) as any).response.data).toHaveLength(20);
    const seen = (await seenPaths()).map((path) => path.split("?"));
    expect(seen.map(([path, query]) => [path, new URLSearchParams(query).getAll("per_page")])).toEqual([
      ["/user/repos", ["20"]],
    ]);
    expect(({} as any).polluted).toBeUndefined();
  });
});

describe("cursors", () => {
  it("cursors of another operation, repository or service, and forged ones, are refused", async () => {
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

  it("a cursor is refused on a connection to the same provider at another host", async () => {
    const open = await startService({ env: { ALLOW_PRIVATE_UPSTREAMS: "true" } });
    const key = await open.createWorkspace("own");
    const platform = createStrictPlatform(open, key);
    const integration = await platform("POST", "/integrations", {
      identifier: provider,
      type: "api_key",
      base_url: `http://${evilHost}`,
    });
    const connection = await platform("POST", "/connections", {
      integration_id: integration.id,
      auth_token: "made-up",
    });
    // Connecting reads whose account it is.
    reached.length = 0;
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
    "http://[::127.0.0.1]/",
    "http://[::ffff:0:127.0.0.1]/",
    "http://[fec0::1]/",
    "http://[3fff::1]/",
    "http://[5f00::1]/",
    "http://168.63.129.16/metadata",
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
  it.each(addresses)("%j is refused as the base_url of an integration", async (base_url) => {
    const key = await service.createWorkspace(`w-${Math.random()}`);
    const call = createPlatform(service, key);
    const { status, body } = await call("POST", "/v1/integrations", {
      identifier: provider,
      type: "api_key",
      base_url,
    });
    expect(status).toBe(400);
    expect(Object.keys(body.errors)).toEqual(["base_url"]);
  });

  it("a base_url that resolves to a private address is refused when a call is made", async () => {
    // Written to the store directly, as if its name had resolved to a public address before.
    const key = await service.createWorkspace("rebinding");
    const { integrations, connections, workspaces } = service.parts.store;
    const { id: workspace_id } = (await workspaces.byName("rebinding"))!;
    for (const base_url of [`http://${evilHost}`, `http://localhost:${evilHost.split(":")[1]}`]) {
      const integration =
        (await integrations.ofProvider(workspace_id, provider))[0] ??
        (await integrations.create(
          newIntegration({ workspace_id, identifier: provider, type: "api_key", client_id: null, client_secret: null }),
        ));
      await integrations.update(workspace_id, integration.id, { base_url });
      const connection = await connections.create(
        newConnection({ workspace_id, integration_id: integration.id, integration_identifier: provider }),
      );
      const response = await fetch(`${service.url}/unified/v1/git/repos`, {
        headers: { authorization: `Bearer ${key}`, "svc-connection-id": connection.id },
      });
      expect(response.status).toBe(502);
      expect(((await response.json()) as any).errors[0].detail).toMatch(/private address/);
    }
    expect(reached).toEqual([]);
  });
});
