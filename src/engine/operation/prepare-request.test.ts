import { expect, it } from "vitest";
import { testConnection } from "../../../test/support/engine-parts.ts";
import type { Query, UpstreamRequest } from "../../contracts/upstream.ts";
import { get, graphql, path, post } from "../../provider-kit/request.ts";
import { type Given, prepareRequest } from "./prepare-request.ts";

const prepare = (request: UpstreamRequest, passthrough?: Query) =>
  prepareRequest(testConnection(), request, passthrough);

it("a body is sent as JSON, and a request without one has no type", () => {
  const { headers, body } = prepare(post("/things", { a: 1 }));
  expect([headers["content-type"], body]).toEqual(["application/json; charset=utf-8", '{"a":1}']);
  const read = prepare(get("/things"));
  expect([read.headers["content-type"], read.body]).toEqual([undefined, undefined]);
});

it("the client's parameters go where the provider expects them, and locked values win over them", () => {
  const own = { a: "own", b: "own", size: "own" };
  expect(prepare(get("/things", { a: "1", c: "1" }, { size: 9 }), own).path).toBe("/v1/things?a=own&c=1&b=own&size=9");
  const sent = (request: UpstreamRequest) => JSON.parse(String(prepare(request, own).body));
  expect(sent(post("/things", { a: 1, c: 1 }, { size: 9 }))).toEqual({ a: "own", b: "own", c: 1, size: 9 });
  expect(sent(graphql("{ things }", { a: 1, c: 1 }, { size: 9 }))).toEqual({
    query: "{ things }",
    variables: { a: "own", b: "own", c: 1, size: 9 },
  });
});

it("a request may have headers of its own, and credentials win over them", () => {
  const headers = { authorization: "Bearer own", accept: "text/plain", "x-own": "1" };
  expect(prepare(get("/things", {}, {}, { headers })).headers).toMatchObject({
    authorization: "Bearer secret",
    accept: "text/plain",
    "x-own": "1",
  });
});

it("a path that leads out of the address is not sent, and an empty one is a slash", () => {
  expect(() => prepare(get("/../other"))).toThrow("the path of the provider call must not contain");
  const root = testConnection({ manifest: { addresses: { api: "https://api.acme.example" } } });
  expect(prepareRequest(root, get("")).path).toBe("/");
});

it.each<[sent: string, given: Given, message: string]>([
  ["..", { query: { project_id: ".." } }, "query.project_id: must not contain `.` or `..` path segments"],
  ["a/../b", { query: {}, body: { title: ".", custom: {}, id: "a/../b" } }, "body.id: must not contain `.` or `..`"],
  ["7\n", { query: { project_id: "7\n" } }, "query.project_id: must not contain control characters"],
  [".", { query: { query: "\ud800" }, body: { title: ".." } }, "the path of the provider call"],
])("the client's value that makes a path with %j unsafe is named", (sent, given, message) => {
  const request = get(path`/items/${sent}/content`);
  expect(() => prepareRequest(testConnection(), request, undefined, given)).toThrow(message);
});

it("a name that a provider puts between colons is named, too", () => {
  const request = get(path`/items/7:/${"a/../b"}:/content`);
  const given: Given = { query: { name: "a/../b" } };
  expect(() => prepareRequest(testConnection(), request, undefined, given)).toThrow("query.name: must not contain");
});
