import { expect, it } from "vitest";
import { describeCall, httpMethod, withTraceparent } from "./http-span.ts";
import type { ForwardedRequest, TransportRequest } from "./transport.ts";

const call = { method: "GET", origin: "https://api.example" };

it("a span says whom a call was made to and how it ended, without the path", () => {
  expect(describeCall(call, 200, 0, { more: "x" })).toEqual({
    name: "GET",
    isError: false,
    attributes: {
      "http.request.method": "GET",
      "server.address": "api.example",
      "server.port": 443,
      "url.full": "https://api.example/REDACTED",
      "http.response.status_code": 200,
      more: "x",
    },
  });
  expect(describeCall(call, 399, 1, {})).toMatchObject({
    isError: false,
    attributes: { "http.request.resend_count": 1 },
  });
  expect(describeCall(call, 400, 0, {})).toMatchObject({ isError: true, attributes: { "error.type": "400" } });
  const failed = describeCall({ ...call, origin: "http://api.example:81" }, "timeout", 0, {});
  expect(failed).toMatchObject({ isError: true, attributes: { "error.type": "timeout", "server.port": 81 } });
  expect(failed.attributes["http.response.status_code"]).toBeUndefined();
  expect(describeCall({ ...call, origin: "http://api.example" }, 200, 0, {}).attributes["server.port"]).toBe(80);
});

it("a method that is not a standard one has no span name of its own", () => {
  expect(httpMethod("BREW")).toEqual({
    name: "HTTP",
    attributes: { "http.request.method": "_OTHER", "http.request.method_original": "BREW" },
  });
});

it("a request gets the header of the trace in place of a client's own, in either form of headers", () => {
  const own = { ...call, path: "/", headers: { accept: "*/*", traceparent: "theirs" } } as TransportRequest;
  expect(withTraceparent(own, undefined)).toBe(own);
  expect(withTraceparent(own, "ours").headers).toEqual({ accept: "*/*", traceparent: "ours" });
  const forwarded = {
    ...call,
    path: "/",
    headers: ["accept", "traceparent", "traceparent", "theirs", "x", "y"],
  } as unknown as ForwardedRequest;
  expect(withTraceparent(forwarded, "ours").headers).toEqual([
    "accept",
    "traceparent",
    "x",
    "y",
    "traceparent",
    "ours",
  ]);
});
