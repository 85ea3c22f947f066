// Credentials outside the Authorization header: a made-up provider that takes them in the query and in a custom header.
import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Manifest } from "../../src/contracts/manifest.ts";
import { get } from "../../src/provider-kit/request.ts";
import { startService, type TestService } from "../support/service.ts";
import { connectTo, startUpstream, type Upstream } from "../support/upstream.ts";

const manifest: Manifest = {
  id: "board",
  name: "Board",
  docs: "https://board.example/docs",
  addresses: { api: "https://api.board.example/1" },
  auth: { api_key: { label: "Key", help: "https://board.example/key" } },
  authorization: ({ token = "" }) => ({ headers: { "X-Board-Key": token }, query: { key: "app key", token } }),
  headers: { "Board-Version": "3" },
  check: get("/me"),
};

const other: Manifest = {
  ...manifest,
  id: "other",
  authorization: ({ token = "" }) => ({ headers: { "X-Other-Token": token } }),
  alsoAuthorizedBy: { query: ["other_token"] },
};

let service: TestService;
let upstream: Upstream;
let headers: Record<string, string>;
let token: string;

beforeAll(async () => {
  service = await startService({
    env: { ALLOW_PRIVATE_UPSTREAMS: "true" },
    catalogue: { providers: [manifest, other].map((one) => ({ manifest: one, categories: [] })), emulators: {} },
  });
  upstream = await startUpstream();
  ({ headers, token } = await connectTo(service, upstream.url, { identifier: "board" }));
});
afterAll(async () => {
  await service?.close();
  await upstream?.close();
});
beforeEach(() => {
  upstream.seen.length = 0;
});

const call = (path: string, more: Record<string, string> = {}) =>
  fetch(`${service.url}/proxy${path}`, { headers: { ...headers, ...more } });

it("credentials are added to the client's query, which otherwise stays unchanged", async () => {
  await call("/cards?b=%2F&a=1&a=2&flag&q=x+y");
  await call("/cards");
  expect(upstream.seen.map(({ url }) => url)).toEqual([
    `/1/cards?b=%2F&a=1&a=2&flag&q=x+y&key=app+key&token=${token}`,
    `/1/cards?key=app+key&token=${token}`,
  ]);
});

it("the client cannot replace or duplicate the credentials, however it spells their names", async () => {
  for (const query of ["token=evil", "tok%65n=evil&key=evil", "TOKEN=evil", "a=1&%74oken=evil&token"]) {
    await call(`/cards?${query}`, { "x-board-key": "evil", "X-Board-Key": "evil" });
    const { url, headers: sent } = upstream.seen.at(-1)!;
    expect(`${url}${JSON.stringify(sent)}`).not.toContain("evil");
    expect(new URLSearchParams(url!.split("?")[1]).getAll("token")).toEqual([token]);
    expect(sent["x-board-key"]).toBe(token);
  }
});

it("the request carries the manifest's headers and not the client's authorization", async () => {
  await call("/cards");
  expect(upstream.seen[0]!.headers).toMatchObject({ "board-version": "3", "x-board-key": token });
  expect(upstream.seen[0]!.headers).not.toHaveProperty("authorization");
});

it("credentials in the query or in headers are in no log", async () => {
  await call("/cards?secret=1");
  await call("/../cards");
  expect(service.logs()).not.toContain(token);
  expect(service.logs()).not.toContain("app key");
});

it.each<[string, (own: string) => [path: string, headers?: Record<string, string>]]>([
  ["the provider's header", (own) => ["/cards?a=1", { "x-board-key": own }]],
  ["the provider's query parameter", (own) => [`/cards?a=1&token=${own}`]],
  ["another of the provider's query parameters", (own) => [`/cards?key=${own}&a=1`]],
  ["a bare Authorization header", (own) => ["/cards?a=1", { authorization: own }]],
  ["an Authorization header with another scheme", (own) => ["/cards?a=1", { authorization: `Board ${own}` }]],
  ["the user name of Basic", (own) => ["/cards?a=1", { authorization: `Basic ${btoa(`${own}:X`)}` }]],
  ["the password of Basic", (own) => ["/cards?a=1", { authorization: `Basic ${btoa(`me@x/token:${own}`)}` }]],
])("key and connection are accepted in %s, and never forwarded or logged", async (_, send) => {
  const own = `${headers.authorization!.slice(7)}.${headers["SVC-Connection-ID"]}`;
  const [path, sent = {}] = send(own);
  expect((await fetch(`${service.url}/proxy${path}`, { headers: sent })).status).toBe(200);
  const [{ url, headers: seen }] = upstream.seen as [IncomingMessage];
  expect(url).toBe(`/1/cards?a=1&key=app+key&token=${token}`);
  expect(seen["x-board-key"]).toBe(token);
  expect(JSON.stringify([url, seen])).not.toMatch(/sk_|conn_/);
  expect(service.logs()).not.toContain(own.split(".")[0]);
});

it("an id with hyphens, as an import from elsewhere may keep, is accepted there too", async () => {
  const key = headers.authorization!.slice(7);
  const { workspace } = (await service.store.keys.byHash(hash("sha256", key)))!;
  const connection = (await service.store.connections.get(workspace.id, headers["SVC-Connection-ID"]!))!;
  await service.store.connections.create({ ...connection, id: "550e8400-e29b-41d4" });
  const own = `${key}.550e8400-e29b-41d4`;
  for (const authorization of [own, `Board ${own}`, `Basic ${btoa(`${own}:X`)}`, `Bearer ${own}`])
    expect((await fetch(`${service.url}/proxy/cards`, { headers: { authorization } })).status).toBe(200);
});

it("the key alone is accepted there too, with the connection in its header", async () => {
  const [key, connection] = [headers.authorization!.slice(7), headers["SVC-Connection-ID"]!];
  const sent = { "x-board-key": key, "SVC-Connection-ID": connection };
  expect((await fetch(`${service.url}/proxy/cards`, { headers: sent })).status).toBe(200);
});

it("a credential in the place of another provider is refused, because it would be forwarded", async () => {
  const own = `${headers.authorization!.slice(7)}.${headers["SVC-Connection-ID"]}`;
  for (const [path, sent] of [
    ["/cards", { "x-other-token": own }],
    [`/cards?other_token=${own}`, {}],
  ] as [string, Record<string, string>][])
    expect((await fetch(`${service.url}/proxy${path}`, { headers: sent })).status).toBe(401);
  expect(upstream.seen).toHaveLength(0);
});
