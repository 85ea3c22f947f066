import { describe, expect, it } from "vitest";
import { type HeaderList, HOP_BY_HOP, NOT_FORWARDED, requestHeaders, responseHeaders } from "./forwarded-headers.ts";

type Headers = Record<string, string | string[] | undefined>;

const byName = (list: HeaderList) =>
  Object.fromEntries(list.flatMap((name, at) => (at % 2 ? [] : [[name, list[at + 1]]])));
const forwarded = (headers: Headers) => byName(requestHeaders(headers, "svc-", {}, {}));
const returned = (headers: Headers) => byName(responseHeaders(headers));

describe("headers of a forwarded request", () => {
  it.each([
    "authorization",
    "cookie",
    "cookie2",
    "expect",
    "forwarded",
    "host",
    "x-real-ip",
    "x-host",
    "x-http-host-override",
    "x-original-host",
    "x-original-url",
    "x-rewrite-url",
  ])("%s is not forwarded to the provider", (name) => {
    expect(NOT_FORWARDED.has(name)).toBe(true);
    expect(forwarded({ [name]: "x", accept: "y" })).toEqual({ accept: "y" });
  });

  it.each([...HOP_BY_HOP])("the hop-by-hop header %s is forwarded in neither direction", (name) => {
    expect(forwarded({ [name]: "x", accept: "y" })).toEqual({ accept: "y" });
    expect(returned({ [name]: "x", etag: "y" })).toEqual({ etag: "y" });
  });

  it("the service's own headers and X-Forwarded-* are not forwarded", () => {
    expect(forwarded({ "svc-connection-id": "c", "x-forwarded-for": "1.2.3.4", "x-custom": "kept" })).toEqual({
      "x-custom": "kept",
    });
  });

  it("headers named by Connection are not forwarded in either direction", () => {
    const headers = { connection: "close, X-Secret", "x-secret": "s", accept: "y" };
    expect(forwarded(headers)).toEqual({ accept: "y" });
    expect(returned(headers)).toEqual({ accept: "y" });
  });

  it("a client's header wins over a default of the provider", () => {
    const list = requestHeaders({ accept: "text/csv" }, "svc-", { accept: "application/json", "x-api": "1" }, {});
    expect(list).toEqual(["accept", "text/csv", "x-api", "1"]);
  });

  it("credentials win over the client's headers and over defaults, and are sent once", () => {
    const credentials = { "private-token": "secret", "x-api": "2" };
    const list = requestHeaders({ "private-token": "theirs", accept: "y" }, "svc-", { "x-api": "1" }, credentials);
    expect(list).toEqual(["accept", "y", "private-token", "secret", "x-api", "2"]);
  });
});
