import { expect, it } from "vitest";
import { testConnection } from "../../../test/support/engine-parts.ts";
import type { Query, UpstreamRequest } from "../../contracts/upstream.ts";
import { get, graphql, post } from "../../provider-kit/request.ts";
import { prepareRequest } from "./prepare-request.ts";

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
