// Credentials that travel in other places than the usual header: a made-up provider that wants them in the query and in
// a header of its own.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Manifest } from "../../src/contracts/manifest.ts";
import { get } from "../../src/provider-kit/request.ts";
import { startService, type TestService } from "../support/service.ts";
import { newWorkspace } from "../support/workspace.ts";
import { startUpstream, type Upstream } from "./support.ts";

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
const token = `made-up-${crypto.randomUUID()}`;

beforeAll(async () => {
  service = await startService({
    env: { ALLOW_PRIVATE_UPSTREAMS: "true" },
    catalogue: { providers: [{ manifest, categories: [] }], loadEmulators: async () => ({}) },
  });
  upstream = await startUpstream();
  const key = await newWorkspace(service, "board");
  const platform = async (path: string, body: object): Promise<any> => {
    const response = await fetch(`${service.url}/platform/v1${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return response.json();
  };
  const { id } = await platform("/integrations", { identifier: "board", type: "api_key", base_url: upstream.url });
  const connection = await platform("/connections", { integration_id: id, auth_token: token });
  headers = { authorization: `Bearer ${key}`, "SVC-Connection-ID": connection.id };
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

it("are added to the client's query, the rest of which stays to the letter", async () => {
  await call("/cards?b=%2F&a=1&a=2&flag&q=x+y");
  await call("/cards");
  expect(upstream.seen.map(({ url }) => url)).toEqual([
    `/1/cards?b=%2F&a=1&a=2&flag&q=x+y&key=app+key&token=${token}`,
    `/1/cards?key=app+key&token=${token}`,
  ]);
});

it("cannot be replaced or doubled by the client's, however it writes their names", async () => {
  for (const query of ["token=evil", "tok%65n=evil&key=evil", "TOKEN=evil", "a=1&%74oken=evil&token"]) {
    await call(`/cards?${query}`, { "x-board-key": "evil", "X-Board-Key": "evil" });
    const { url, headers: sent } = upstream.seen.at(-1)!;
    expect(`${url}${JSON.stringify(sent)}`).not.toContain("evil");
    expect(new URLSearchParams(url!.split("?")[1]).getAll("token")).toEqual([token]);
    expect(sent["x-board-key"]).toBe(token);
  }
});

it("go with what the provider wants beside them, and without the client's own authorization", async () => {
  await call("/cards");
  expect(upstream.seen[0]!.headers).toMatchObject({ "board-version": "3", "x-board-key": token });
  expect(upstream.seen[0]!.headers).not.toHaveProperty("authorization");
});

it("are in no log", async () => {
  await call("/cards?secret=1");
  await call("/../cards");
  expect(service.logs()).not.toContain(token);
  expect(service.logs()).not.toContain("app key");
});
