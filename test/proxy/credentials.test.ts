// Credentials outside the Authorization header: a made-up provider that takes them in the query and in a custom header.
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

let service: TestService;
let upstream: Upstream;
let headers: Record<string, string>;
let token: string;

beforeAll(async () => {
  service = await startService({
    env: { ALLOW_PRIVATE_UPSTREAMS: "true" },
    catalogue: { providers: [{ manifest, categories: [] }], emulators: {} },
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
