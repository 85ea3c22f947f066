// What the SDK says about responses: headers, its log, and the JSON of the Proxy.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as sdk from "../../sdk/src/index.ts";
import { answer, clientOf, FAILED, lost, ok, settled } from "./stub-client.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("the response behind a result", () => {
  const limits = { "x-ratelimit-limit": "100", "x-ratelimit-remaining": "99", "x-ratelimit-reset": "60" };
  const rateLimit = { limit: 100, remaining: 99, reset: 60 };

  it("withResponse gives the result with its status, headers, request id and rate limit, on both APIs", async () => {
    const replayed = { "x-request-id": "req_1", "idempotency-replayed": "true", ...limits };
    const { connection } = clientOf([answer(200, { response: { data: { id: "1" } } }, replayed)]);
    const { data, response } = await connection.tasks.create({ title: "A" }).withResponse();
    expect(data).toEqual({ id: "1" });
    expect(response).toMatchObject({ status: 200, requestId: "req_1", rateLimit });
    expect(response.headers.get("idempotency-replayed")).toBe("true");
    const { pb } = clientOf([answer(201, { id: "1" }, { "x-request-id": "req_2" })]);
    const created = await pb.platform.apiKeys.create({}).withResponse();
    expect(created).toMatchObject({ data: { id: "1" }, response: { status: 201, requestId: "req_2" } });
    expect(created.response.rateLimit).toBeUndefined();
  });

  it("every page has its response, which is in no copy of it", async () => {
    const numbered = (id: string, next: string | null) =>
      answer(200, { response: { data: [], metadata: { next } } }, { "x-request-id": id });
    const { connection } = clientOf([numbered("req_1", "c1"), numbered("req_2", null)]);
    const list = connection.git.repos.list();
    const ids = [];
    for await (const { response } of list.pages()) ids.push(response.requestId);
    expect(ids).toEqual(["req_1", "req_2"]);
    const { data, response } = await list.withResponse();
    expect([response.requestId, JSON.stringify(data), Object.keys(data)]).toEqual([
      "req_1",
      '{"data":[],"next":"c1"}',
      ["data", "next"],
    ]);
  });

  it("an error is thrown by withResponse alone, and nothing is reported as unhandled", async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on("unhandledRejection", note);
    const { connection } = clientOf([answer(404, FAILED)]);
    await expect(connection.me().withResponse()).rejects.toThrow(sdk.NotFoundError);
    vi.useRealTimers();
    await new Promise(setImmediate);
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });
});

describe("the log", () => {
  it("each attempt is logged without its query, with the status or the error, for methods and for the Proxy", async () => {
    const entries: sdk.Attempt[] = [];
    const options = { log: (entry: sdk.Attempt) => entries.push(entry) };
    const { connection } = clientOf([lost, answer(200, [], { "x-request-id": "req_1" })], options);
    await settled(connection.proxy.json("/user?token=secret"));
    await connection.proxy("/repos", { method: "POST" });
    const url = "http://plugboard.example/proxy/user";
    expect(entries).toMatchObject([
      { method: "GET", url, attempt: 1, status: undefined, error: expect.any(TypeError) },
      { method: "GET", url, attempt: 2, status: 200, requestId: "req_1", error: undefined },
      { method: "POST", url: "http://plugboard.example/proxy/repos", attempt: 1, status: 200 },
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/secret|key_1/);
  });

  it("a log that throws changes no result", async () => {
    const log = () => {
      throw new Error("the disk is full");
    };
    expect(await clientOf([ok({ id: "1" })], { log }).connection.tasks.get("1")).toEqual({ id: "1" });
  });
});

describe("the JSON of the Proxy", () => {
  it("proxy.json sends a body and a query, and returns what the provider returns", async () => {
    const { connection, requests } = clientOf([answer(201, { id: 7 }, { "svc-ratelimit-limit": "5" })]);
    const call = connection.proxy.json("/repos?a=1", { method: "POST", query: { b: 2, c: undefined }, body: { x: 1 } });
    const { data, response } = await call.withResponse();
    expect([data, response.status, response.rateLimit?.limit]).toEqual([{ id: 7 }, 201, 5]);
    const [{ url, method, headers, body }] = requests as [(typeof requests)[number]];
    expect([url.pathname + url.search, method, body]).toEqual(["/proxy/repos?a=1&b=2", "POST", '{"x":1}']);
    expect(headers.get("content-type")).toBe("application/json");
    expect(headers.has("idempotency-key")).toBe(false);
  });
});
