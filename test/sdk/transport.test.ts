// What the SDK does around a call: retries, keys, timeouts, addresses, headers.
import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as sdk from "../../sdk/src/index.ts";
import { answer, clientOf, FAILED, lost, ok, page, settled } from "./stub-client.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("retries", () => {
  it("two writes have two keys, a read has none, and a given key is used", async () => {
    const { connection, requests } = clientOf([ok()]);
    await connection.tasks.create({ title: "A" });
    await connection.tasks.create({ title: "A" });
    await connection.me();
    await connection.drive.upload("content", { name: "a" }, { idempotencyKey: "own" });
    const [first, second, ...others] = requests.map(({ headers }) => headers.get("idempotency-key"));
    expect(first).not.toBe(second);
    expect(others).toEqual([null, "own"]);
  });

  it("maxRetries says how often, for one call or for all; by default it is twice", async () => {
    const counts = [];
    for (const [all, one] of [
      [undefined, undefined],
      [0, undefined],
      [4, undefined],
      [4, 1],
    ] as const) {
      const options = all === undefined ? {} : { maxRetries: all };
      const { connection, requests } = clientOf([lost], options);
      await settled(connection.me(one === undefined ? {} : { maxRetries: one })).catch(() => {});
      counts.push(requests.length);
    }
    expect(counts).toEqual([3, 1, 5, 2]);
  });
});

describe("ending a call", () => {
  /** A fetch that never answers, but can be cancelled. */
  const silent: typeof fetch = (_, init) =>
    new Promise((_, reject) => init!.signal!.addEventListener("abort", () => reject(init!.signal!.reason)));

  it("an attempt that takes longer than the timeout is a TimeoutError", async () => {
    const { connection } = clientOf([], { fetch: silent, maxRetries: 0 });
    const start = Date.now();
    await expect(settled(connection.me({ timeout: 250 }))).rejects.toThrow(sdk.TimeoutError);
    expect(Date.now() - start).toBe(250);
    await expect(settled(connection.me())).rejects.toThrow("No response within 120000 ms");
  });

  it("the caller's signal ends a call and a pause with its own reason", async () => {
    const waiting = new AbortController();
    const { connection } = clientOf([], { fetch: silent });
    const call = connection.me({ signal: waiting.signal });
    waiting.abort(new Error("enough"));
    await expect(call).rejects.toThrow("enough");

    const pausing = new AbortController();
    const { connection: limited, requests } = clientOf([answer(429, FAILED, { "retry-after": "30" })]);
    const paused = limited.me({ signal: pausing.signal });
    await vi.advanceTimersByTimeAsync(1_000);
    pausing.abort();
    await expect(paused).rejects.toThrow(/abort/i);
    expect(requests).toHaveLength(1);

    await expect(connection.me({ signal: AbortSignal.abort(new Error("before")) })).rejects.toThrow("before");
  });
});

describe("requests", () => {
  it("key, connection and headers are sent; the caller's headers cannot replace the credentials", async () => {
    const { connection, requests } = clientOf([ok()]);
    await connection.me({ headers: { "SVC-Max-Retries": "0", Authorization: "Bearer other" } });
    const { headers, url } = requests[0]!;
    expect(url.href).toBe("http://plugboard.example/unified/v1/me");
    expect(headers.get("authorization")).toBe("Bearer key_1");
    expect(headers.get("svc-connection-id")).toBe("conn_1");
    expect(headers.get("svc-max-retries")).toBe("0");
  });

  it("each API can have an address of its own, and headers another prefix", async () => {
    const baseUrl = {
      unified: "https://api.example",
      platform: "https://admin.example/p/",
      proxy: "https://px.example",
    };
    const { pb, connection, requests } = clientOf([ok()], { baseUrl, headerPrefix: "Acme-" });
    await connection.me();
    await connection.proxy("/user?a=1", { method: "POST", body: "x" });
    await pb.platform.workspace.get();
    expect(requests.map(({ url }) => url.href)).toEqual([
      "https://api.example/v1/me",
      "https://px.example/user?a=1",
      "https://admin.example/p/v1/workspace",
    ]);
    expect(requests.map(({ headers }) => headers.get("acme-connection-id"))).toEqual(["conn_1", "conn_1", null]);
  });

  it("a value that would lead to another path is refused before anything is sent", async () => {
    const { pb, connection, requests } = clientOf([ok()]);
    for (const id of ["..", "."]) {
      await expect(connection.tasks.get(id)).rejects.toThrow(TypeError);
      await expect(connection.git.issues.list(id)).rejects.toThrow(TypeError);
      await expect(pb.platform.connections.delete(id)).rejects.toThrow(TypeError);
    }
    for (const path of [
      "/../platform/v1/api-keys",
      "/a/%2e%2E/b",
      "/a/.\t./b",
      "..",
      "/a\\..\\b",
      "/a/..?b",
      "/a/..#b",
    ])
      await expect(connection.proxy(path)).rejects.toThrow(TypeError);
    expect(() => connection.tasks.get("")).toThrow("a value of the path");
    expect(() => connection.tasks.get(undefined as never)).toThrow(TypeError);
    expect(() => pb.connection("")).toThrow(TypeError);
    expect(requests).toHaveLength(0);
    await connection.proxy("/files/..hidden?from=../x");
    expect(requests).toHaveLength(1);
  });

  it("any call of the Unified API can be made, with parameters that methods do not have", async () => {
    const { connection, requests } = clientOf([ok({ requests: [], complete: true })]);
    const shown = await connection.request("POST", "/v1/tasks/tasks", {
      query: { dry_run: true },
      body: { title: "A" },
    });
    expect(shown.data).toEqual({ requests: [], complete: true });
    expect(requests[0]!.url.search).toBe("?dry_run=true");
  });
});

describe("lists", () => {
  const pages = [page([1, 2], "c1"), page([], "c2"), page([3], null)];

  it("a list is a promise of its first page, and loads the others as they are needed", async () => {
    const { connection, requests } = clientOf(pages);
    const list = connection.git.repos.list({ limit: 2 });
    expect(list).toBeInstanceOf(Promise);
    expect(await list).toEqual({ data: [1, 2], next: "c1" });
    expect(requests).toHaveLength(1);
    const seen: unknown[] = [];
    for await (const one of list) seen.push(one);
    expect(seen).toEqual([1, 2, 3]);
    expect(requests.map(({ url }) => url.search)).toEqual(["?limit=2", "?limit=2&after=c1", "?limit=2&after=c2"]);
  });

  it("an iteration that is left loads no further page", async () => {
    const { connection, requests } = clientOf(pages);
    for await (const _ of connection.git.repos.list()) break;
    expect(requests).toHaveLength(1);
    const other = clientOf(pages);
    expect(await other.connection.git.repos.list().toArray(1)).toEqual([1]);
    expect(other.requests).toHaveLength(1);
  });

  it("pages have the provider's response if it was asked for", async () => {
    const raw = answer(200, { response: { data: [], metadata: { next: null }, _raw: { a: 1 } } });
    expect((await clientOf([raw]).connection.git.repos.list({ include_raw: true })).raw).toEqual({ a: 1 });
  });
});

it("a client and its errors can be printed without showing the key", async () => {
  const { pb, connection } = clientOf([answer(401, FAILED)], { apiKey: "sk_secret" });
  const error = await connection.me().catch((thrown: unknown) => thrown);
  const printed = inspect([pb, connection, error], { depth: 10, showHidden: true });
  expect(printed).toContain("AuthenticationError");
  expect(printed + JSON.stringify([pb, error])).not.toContain("sk_secret");
});

it("a client without a key is refused", () => {
  expect(() => new sdk.Plugboard({ apiKey: "", baseUrl: "http://plugboard.example" })).toThrow("apiKey");
  expect(() => new sdk.Plugboard(undefined as never)).toThrow("apiKey");
});

it.each([
  undefined,
  null,
  "",
  "plugboard.example",
  "localhost:8080",
  "/plugboard",
  "ftp://plugboard.example",
  "https://plugboard.example?a=1",
  8080,
])("a client with the baseUrl %j is refused with an example of a valid one", (baseUrl) => {
  const create = () => new sdk.Plugboard({ apiKey: "key", baseUrl: baseUrl as string });
  expect(create).toThrow(TypeError);
  expect(create).toThrow('baseUrl has to be the address of Plugboard, as in "https://plugboard.example.com"');
});

it("a client whose APIs have addresses of their own is refused without one of them", () => {
  const baseUrl = { unified: "https://api.example", platform: "https://admin.example" } as sdk.Addresses;
  expect(() => new sdk.Plugboard({ apiKey: "key", baseUrl })).toThrow("baseUrl.proxy has to be");
});
