// Idempotency keys over real HTTP: a write that is repeated is made once, and nothing is ever made twice.
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ledgerCatalogue, type StoredEntry } from "../support/ledger-provider.ts";
import { clearFaults, type InjectedFault, injectFault } from "../support/sandbox.ts";
import { startService, type TestService } from "../support/service.ts";

describe("idempotency keys", () => {
  const written: StoredEntry[] = [];
  let service: TestService;
  beforeAll(async () => {
    service = await startService({
      env: { UNIFIED_RATE_LIMIT: "1000000/60" },
      catalogue: ledgerCatalogue(written),
    });
  });
  afterEach(() => clearFaults(service));
  afterAll(() => service?.close());

  interface Options {
    key?: string;
    path?: string;
    method?: string;
    headers?: Record<string, string>;
  }
  async function write(body: object, { key, path = "", method = "POST", headers = {} }: Options = {}) {
    const response = await fetch(`${service.url}/unified/v1/ledger/entries${path}`, {
      method,
      headers: {
        authorization: `Bearer ${service.apiKey}`,
        "SVC-Connection-ID": service.connections.ledger!,
        "SVC-Max-Retries": "0",
        "content-type": "application/json",
        ...(key === undefined ? {} : { "Idempotency-Key": key }),
        ...headers,
      },
      body: JSON.stringify(body),
    });
    return {
      status: response.status,
      replayed: response.headers.get("idempotency-replayed"),
      body: (await response.json()) as any,
    };
  }
  const fault = (change: Omit<InjectedFault, "provider">) => injectFault(service, { provider: "ledger", ...change });
  const countOf = (text: string) => written.filter((entry) => entry.text === text).length;
  const error = ({ status, body }: { status: number; body: any }) => [status, body.errors[0].code];

  it("a repeated request with the same key gets the stored answer and writes once", async () => {
    const [key, text] = [randomUUID(), randomUUID()];
    const first = await write({ text }, { key });
    const second = await write({ text }, { key });
    expect([first.status, first.replayed]).toEqual([200, null]);
    expect([second.status, second.replayed, second.body]).toEqual([200, "true", first.body]);
    expect(countOf(text)).toBe(1);
  });

  it("the order of the body's fields does not matter, and quotes around the key do not either", async () => {
    const [key, text] = [randomUUID(), randomUUID()];
    await write({ text, tags: ["a"] }, { key });
    expect((await write({ tags: ["a"], text }, { key: `"${key}"` })).replayed).toBe("true");
    expect(countOf(text)).toBe(1);
  });

  it("a replayed answer includes the provider's own response if that is asked for", async () => {
    const [key, text] = [randomUUID(), randomUUID()];
    await write({ text }, { key });
    const { body } = await write({ text }, { key, path: "?include_raw=true" });
    expect(body.response._raw).toMatchObject({ text });
  });

  it("the same key with another body is refused with 422/7010, and nothing is written", async () => {
    const [key, other] = [randomUUID(), randomUUID()];
    await write({ text: "one" }, { key });
    expect(error(await write({ text: other }, { key }))).toEqual([422, 7010]);
    expect(countOf(other)).toBe(0);
  });

  it("a key counts for one operation and one connection only", async () => {
    const key = randomUUID();
    const { id } = (await write({ text: randomUUID() }, { key })).body.response.data;
    const text = randomUUID();
    const updated = await write({ text }, { key, path: `/${id}`, method: "PATCH" });
    expect([updated.status, updated.replayed]).toEqual([200, null]);
  });

  it("of 20 concurrent requests with the same key, one writes and the others get its answer or 409/7011", async () => {
    const [key, text] = [randomUUID(), randomUUID()];
    await fault({ delay_ms: 200, times: 1 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => write({ text }, { key })));
    expect(countOf(text)).toBe(1);
    const outcomes = answers.map(({ status, body }) =>
      status === 200 ? body.response.data.text : body.errors[0].code,
    );
    expect(new Set(outcomes)).toEqual(new Set([text, 7011]));
    expect((await write({ text }, { key })).replayed).toBe("true");
  });

  it("a write that the provider refuses is answered from the store, with its status and body", async () => {
    const key = randomUUID();
    const first = await write({ text: "refused" }, { key });
    expect([first.status, first.replayed]).toEqual([422, null]);
    const second = await write({ text: "refused" }, { key });
    expect([second.status, second.replayed, second.body]).toEqual([422, "true", { problem: "not this text" }]);
  });

  it.each([401, 408, 429])("after a provider's %i the same key may be tried again", async (status) => {
    const [key, text] = [randomUUID(), randomUUID()];
    await fault({ status, times: 1 });
    expect((await write({ text }, { key })).status).toBe(status);
    expect(await write({ text }, { key })).toMatchObject({ status: 200, replayed: null });
    expect(countOf(text)).toBe(1);
  });

  it.each([
    ["a 500", { status: 500 }],
    ["a lost connection", { drop: true }],
    ["an unreadable answer", { truncate: true }],
  ])("after %s the outcome is unknown: 409/7012, and never a second write", async (_, broken) => {
    const [key, text] = [randomUUID(), randomUUID()];
    await fault({ ...broken, times: 1 });
    expect((await write({ text }, { key })).status).toBeGreaterThanOrEqual(500);
    const before = countOf(text);
    for (let attempt = 0; attempt < 3; attempt++) expect(error(await write({ text }, { key }))).toEqual([409, 7012]);
    expect(countOf(text)).toBe(before);
  });

  it("a write whose later read fails was carried out: its outcome is unknown and it is not repeated", async () => {
    const key = randomUUID();
    const { id } = (await write({ text: randomUUID() })).body.response.data;
    const text = randomUUID();
    let reads = 0;
    const stop = service.sandbox.onExchange(({ request }) => {
      // The second read of the update, after the change itself.
      if (request.method === "PATCH") void fault({ status: 429, path: "/v1/entries/*", times: 1 });
      if (request.method === "PATCH") reads++;
    });
    const first = await write({ text }, { key, path: `/${id}`, method: "PATCH" });
    stop();
    await clearFaults(service);
    expect([first.status, reads]).toEqual([429, 1]);
    expect(error(await write({ text }, { key, path: `/${id}`, method: "PATCH" }))).toEqual([409, 7012]);
  });

  it("an upload is compared by its bytes: others with the same key are refused with 422/7010", async () => {
    const key = randomUUID();
    const text = "x".repeat(200_000) + key;
    async function upload(content: string, chunked: boolean) {
      const response = await fetch(`${service.url}/unified/v1/ledger/files`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${service.apiKey}`,
          "SVC-Connection-ID": service.connections.ledger!,
          "content-type": "text/plain",
          "Idempotency-Key": key,
        },
        body: chunked ? new Blob([content]).stream() : content,
        duplex: "half",
      } as RequestInit);
      return {
        replayed: response.headers.get("idempotency-replayed"),
        status: response.status,
        body: await response.json(),
      };
    }
    const first = await upload(text, false);
    expect([first.status, first.replayed]).toEqual([200, null]);
    for (const chunked of [false, true]) {
      expect(await upload(text, chunked)).toEqual({ status: 200, replayed: "true", body: first.body });
      expect(error(await upload(`y${text.slice(1)}`, chunked))).toEqual([422, 7010]);
    }
    expect(countOf(text)).toBe(1);
  });

  it("an invalid request uses no key up, and a key that is empty or too long is refused by name", async () => {
    const [key, text] = [randomUUID(), randomUUID()];
    expect((await write({ text: 5 }, { key })).status).toBe(400);
    expect((await write({ text }, { key })).status).toBe(200);
    for (const wrong of ["x".repeat(256), '""', ""]) {
      const { status, body } = await write({ text }, { key: wrong });
      expect([status, body.errors[0]]).toMatchObject([400, { code: 7001, path: ["headers", "Idempotency-Key"] }]);
    }
    expect(countOf(text)).toBe(1);
    expect((await write({ text: randomUUID() }, { key: "x".repeat(255) })).status).toBe(200);
  });

  it("an unknown field of a body is refused by name, and nothing is written", async () => {
    const text = randomUUID();
    const { status, body } = await write({ text, txet: "x" });
    expect([status, body.errors]).toMatchObject([400, [{ code: 7001, path: ["body", "txet"] }]]);
    expect(countOf(text)).toBe(0);
  });

  it("the provider gets the same write key for every request with the same idempotency key", async () => {
    const [key, text] = [randomUUID(), randomUUID()];
    await fault({ status: 429, times: 1 });
    const keys: string[] = [];
    const stop = service.sandbox.onExchange(({ request }) => keys.push(request.body.key));
    await write({ text }, { key });
    await write({ text }, { key });
    await write({ text }, { key: randomUUID() });
    stop();
    expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
    expect([keys[1] === keys[0], keys[2] === keys[0]]).toEqual([true, false]);
  });

  describe("tool calls of Unified MCP", () => {
    const callTool = async (args: object, key?: unknown, name = "ledger_create_entry") => {
      const response = await fetch(`${service.url}/unified/v1/mcp`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${service.apiKey}.${service.connections.ledger}`,
          "content-type": "application/json",
          // Only `_meta` counts: a client sends the same headers with every call.
          "Idempotency-Key": "the same for all",
        },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name, arguments: args, _meta: { "plugboard/idempotency-key": key } },
        }),
      });
      return ((await response.json()) as any).result;
    };

    it("a repeated tool call with the same key in its _meta gets the stored result and writes once", async () => {
      const [key, text] = [randomUUID(), randomUUID()];
      const first = await callTool({ text }, key);
      const second = await callTool({ text }, key);
      expect(first).toMatchObject({ structuredContent: { response: { data: { text } } } });
      expect(first).not.toHaveProperty("_meta");
      expect(second).toEqual({ ...first, _meta: { "plugboard/idempotency-replayed": true } });
      expect(countOf(text)).toBe(1);
      expect((await write({ text }, { key })).replayed).toBe("true");
    });

    it("a tool call without a key writes every time, whatever the headers of its request are", async () => {
      const text = randomUUID();
      await callTool({ text });
      await callTool({ text });
      expect(countOf(text)).toBe(2);
    });

    it("a key that was used for another tool call, or is too long, is a tool error that names the key in _meta", async () => {
      const [key, text] = [randomUUID(), randomUUID()];
      await callTool({ text }, key);
      const reused = await callTool({ text: "another" }, key);
      expect([reused.isError, reused.content[0].text]).toEqual([
        true,
        expect.stringContaining("This plugboard/idempotency-key was used before with another request"),
      ]);
      const long = await callTool({ text }, "x".repeat(256));
      expect(long.content[0].text).toContain("`plugboard/idempotency-key` must be a text of 1 to 255 characters");
    });

    it.each(["", 0, 5, false, true, null])(
      "a tool call with the key %j, which is not a text, writes nothing",
      async (key) => {
        const text = randomUUID();
        expect(await callTool({ text }, key)).toMatchObject({
          isError: true,
          content: [
            { text: expect.stringContaining("`plugboard/idempotency-key` must be a text of 1 to 255 characters") },
          ],
        });
        expect(countOf(text)).toBe(0);
      },
    );

    it("a tool call that the provider refused is answered from the store, and one of unknown outcome is not repeated", async () => {
      const key = randomUUID();
      const refused = await callTool({ text: "refused" }, key);
      expect(await callTool({ text: "refused" }, key)).toEqual({
        ...refused,
        _meta: { "plugboard/idempotency-replayed": true },
      });
      const [lost, text] = [randomUUID(), randomUUID()];
      await fault({ path: "/v1/entries", drop: true, times: 1 });
      await callTool({ text }, lost);
      expect((await callTool({ text }, lost)).content[0].text).toMatch(/its outcome is not known/);
      expect(countOf(text)).toBe(0);
    });
  });

  it("without a key every request writes", async () => {
    const text = randomUUID();
    await write({ text });
    await write({ text });
    expect(countOf(text)).toBe(2);
  });
});
