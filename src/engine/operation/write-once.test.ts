import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { testConnection } from "../../../test/support/engine-parts.ts";
import { Fault, ProviderFailure } from "../../contracts/fault.ts";
import type { BoundOperation } from "../../contracts/operation.ts";
import type { Store } from "../../contracts/store.ts";
import type { OperationRequest } from "./request.ts";
import { createWriteOnce } from "./write-once.ts";

type Writes = Store["idempotentWrites"];
interface Row {
  fingerprint: string;
  owner: string;
  state: "running" | "sent" | "done" | "unknown";
  answer?: string;
  leaseEndsAt: number;
}

/** The store's part, in memory and on the clock of the test. */
function memoryWrites() {
  const rows = new Map<string, Row>();
  const change = async (id: string, owner: string, fields: Partial<Row>) => {
    const row = rows.get(id);
    if (row?.owner !== owner) return false;
    Object.assign(row, fields);
    return true;
  };
  const until = (leaseMs: number) => ({ leaseEndsAt: Date.now() + leaseMs });
  const writes: Writes = {
    async begin({ id, fingerprint, owner }, { leaseMs }) {
      const row = rows.get(id);
      const isLeased = row !== undefined && row.leaseEndsAt > Date.now();
      if (!row || (row.state === "running" && !isLeased && row.fingerprint === fingerprint)) {
        rows.set(id, { fingerprint, owner, state: "running", ...until(leaseMs) });
        return { state: "begun" };
      }
      if (row.state === "done") return { state: "done", fingerprint: row.fingerprint, answer: row.answer! };
      return {
        state: row.state !== "unknown" && isLeased ? "running" : "unknown",
        fingerprint: row.fingerprint,
      };
    },
    markSent: (id, owner, leaseMs) => change(id, owner, { state: "sent", ...until(leaseMs) }),
    renew: async (id, owner, leaseMs) => void (await change(id, owner, until(leaseMs))),
    finish: async (id, owner, answer) => void (await change(id, owner, { state: "done", answer })),
    markUnknown: async (id, owner) => void (await change(id, owner, { state: "unknown" })),
    release: async (id, owner) => void (rows.get(id)?.owner === owner && rows.delete(id)),
    sweep: async () => {},
  };
  return writes;
}

const request = (change: Partial<OperationRequest> = {}): OperationRequest => ({
  operation: { id: "entries.createEntry" } as BoundOperation,
  connection: testConnection(),
  idempotencyKey: "key",
  pathParams: {},
  query: {},
  body: { text: "hello" },
  limit: 0,
  maxRetries: 0,
  ...change,
});

describe("writes with an idempotency key", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** `provider` is what happens between the start of the write and its answer. */
  function setUp(provider: (file: OperationRequest["file"]) => Promise<void> = async () => {}, failsAfter = false) {
    const store = { idempotentWrites: memoryWrites() };
    const sent: unknown[] = [];
    const beforeSending = vi.fn(async () => {});
    const writeOnce = createWriteOnce({
      store,
      telemetry: { warn() {} },
      async run({ body, file, write }) {
        await beforeSending();
        await write!.beforeSending();
        sent.push(body);
        await provider(file);
        write!.carriedOut = failsAfter;
        if (failsAfter) throw new ProviderFailure(404, {}, Buffer.from(""));
        return { data: { number: sent.length }, raw: null };
      },
    });
    return { writeOnce, store, sent, beforeSending };
  }
  const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

  it("a write that takes longer than its lease keeps it: a repeated request finds it running", async () => {
    const { writeOnce, sent } = setUp(() => sleep(60_000));
    const first = writeOnce(request());
    await vi.advanceTimersByTimeAsync(50_000);
    await expect(writeOnce(request())).rejects.toMatchObject({ kind: "request_in_progress", retryAfter: 1 });
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await first).data).toEqual({ number: 1 });
    expect(await writeOnce(request())).toMatchObject({ data: { number: 1 }, replayed: true });
    expect(sent).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("a write that another process has taken over is not sent", async () => {
    const { writeOnce, store, sent, beforeSending } = setUp();
    // The process is suspended until its lease has expired.
    store.idempotentWrites.renew = () => Promise.reject(new Error("unavailable"));
    beforeSending.mockImplementationOnce(() => sleep(20_000));
    const first = writeOnce(request());
    const refused = expect(first).rejects.toMatchObject({ kind: "request_in_progress" });
    await vi.advanceTimersByTimeAsync(16_000);
    expect((await writeOnce(request())).data).toEqual({ number: 1 });
    await vi.advanceTimersByTimeAsync(5_000);
    await refused;
    expect(sent).toHaveLength(1);
    expect(await writeOnce(request())).toMatchObject({ replayed: true });
  });

  it("the same key with another body is refused, whatever the outcome of the first write", async () => {
    const { writeOnce, sent } = setUp(async () => {
      if (sent.length === 1) throw new ProviderFailure(500, {}, Buffer.from(""));
    });
    await expect(writeOnce(request())).rejects.toThrow(ProviderFailure);
    const other = request({ body: { text: "other" } });
    await expect(writeOnce(other)).rejects.toMatchObject({ kind: "idempotency_key_reused" });
    await expect(writeOnce(request())).rejects.toMatchObject({ kind: "outcome_unknown" });
    expect(sent).toHaveLength(1);
  });

  it("the same body in another order is the same write, and a null is a value", async () => {
    const { writeOnce, sent } = setUp();
    await writeOnce(request({ body: { text: "hello", more: { a: 1, b: null } } }));
    const again = { body: { more: { b: null, a: 1 }, text: "hello", none: undefined } };
    expect(await writeOnce(request(again))).toMatchObject({ replayed: true });
    const other = request({ body: { text: "hello", more: { a: 1 } } });
    await expect(writeOnce(other)).rejects.toMatchObject({ kind: "idempotency_key_reused" });
    expect(sent).toHaveLength(1);
  });

  it("a write that failed before it was sent can be made again at once", async () => {
    const { writeOnce, sent, beforeSending } = setUp();
    beforeSending.mockRejectedValueOnce(new Error("no token"));
    await expect(writeOnce(request())).rejects.toThrow("no token");
    expect((await writeOnce(request({ body: { text: "other" } }))).data).toEqual({ number: 1 });
    expect(sent).toEqual([{ text: "other" }]);
  });

  const lost = (code: string) => new Fault("upstream_unreachable", "lost", { cause: { code } });
  const refusal = (status: number) => new ProviderFailure(status, {}, Buffer.from("no"));

  it.each<[string, "refused" | "not_carried_out" | "unknown", Error]>([
    ["a provider's outage", "unknown", refusal(500)],
    ["a refusal", "refused", refusal(499)],
    ["a refusal with the lowest status", "refused", refusal(400)],
    ["a redirect", "not_carried_out", refusal(399)],
    ["a refused token", "not_carried_out", refusal(401)],
    ["a rate limit", "not_carried_out", refusal(429)],
    ["a connection that was never made", "not_carried_out", lost("ECONNREFUSED")],
    ["a connection that was lost", "unknown", lost("ECONNRESET")],
    ["a timeout", "unknown", new Fault("upstream_timeout", "late")],
    ["an answer that cannot be read", "unknown", new Fault("upstream_malformed", "odd")],
    ["a call that found the queue full", "not_carried_out", new Fault("overloaded", "full")],
    ["an answer that there was no memory for", "unknown", new Fault("overloaded", "full", { answered: true })],
    ["a failure of our own", "unknown", new Fault("internal", "oops")],
    ["an error that nobody expected", "unknown", new TypeError("oops")],
    ["a fault before the call", "not_carried_out", new Fault("upstream_forbidden", "no")],
  ])("after %s, the same request is answered as %s", async (_, outcome, error) => {
    const { writeOnce, sent } = setUp(async () => {
      if (sent.length === 1) throw error;
    });
    await expect(writeOnce(request())).rejects.toBe(error);
    const again = writeOnce(request());
    if (outcome === "not_carried_out") expect((await again).data).toEqual({ number: 2 });
    else if (outcome === "unknown") await expect(again).rejects.toMatchObject({ kind: "outcome_unknown" });
    else await expect(again).rejects.toMatchObject({ name: error.name, body: Buffer.from("no") });
  });

  it("a write that was carried out before its answer failed is not made again", async () => {
    const { writeOnce, sent } = setUp(undefined, true);
    await expect(writeOnce(request())).rejects.toThrow("answered 404");
    await expect(writeOnce(request())).rejects.toMatchObject({ kind: "outcome_unknown" });
    expect(sent).toHaveLength(1);
  });

  describe("uploads", () => {
    const drain = async (file: OperationRequest["file"]) => void (await file!.body.toArray());
    const upload = (chunks: string[], { size, type = "text/plain" }: { size?: number; type?: string } = {}) => {
      const body = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
      return request({ body: undefined, file: { body, contentType: type, size } });
    };

    it("the same bytes get the stored answer, in whatever chunks and with or without their size", async () => {
      const { writeOnce, sent } = setUp(drain);
      await writeOnce(upload(["he", "llo"], { size: 5 }));
      for (const again of [upload(["hello"]), upload(["h", "ello"]), upload(["hello"], { size: 5 })])
        expect(await writeOnce(again)).toMatchObject({ data: { number: 1 }, replayed: true });
      expect(sent).toHaveLength(1);
    });

    it.each([
      ["other bytes of the same size", ["hallo"], { size: 5 }],
      ["other bytes of the same size in chunks", ["hal", "lo"], {}],
      ["more bytes", ["hello", "!"], {}],
      ["fewer bytes", ["hell"], {}],
      ["no bytes", [], { size: 0 }],
      ["another size", ["hello!"], { size: 6 }],
      ["another type", ["hello"], { size: 5, type: "text/html" }],
    ])("%s are refused as another request", async (_, chunks, options) => {
      const { writeOnce, sent } = setUp(drain);
      await writeOnce(upload(["hello"], { size: 5 }));
      await expect(writeOnce(upload(chunks, options))).rejects.toMatchObject({ kind: "idempotency_key_reused" });
      expect(sent).toHaveLength(1);
    });

    it("an upload that is refused before its end is recognized by what was read of it", async () => {
      const { writeOnce, sent } = setUp(async (file) => {
        await file!.body.iterator({ destroyOnReturn: false }).next();
        throw new ProviderFailure(413, {}, Buffer.from("too large"));
      });
      const first = upload(["hello", "never read"]);
      await expect(writeOnce(first)).rejects.toMatchObject({ status: 413 });
      const same = upload(["hello", "never read"]);
      await expect(writeOnce(same)).rejects.toMatchObject({ status: 413, body: Buffer.from("too large") });
      await expect(writeOnce(upload(["hallo"]))).rejects.toMatchObject({ kind: "idempotency_key_reused" });
      expect(sent).toHaveLength(1);
    });

    it("a client that breaks off an upload after it was answered does no harm", async () => {
      const { writeOnce } = setUp(async (file) => {
        for await (const _ of file!.body.iterator({ destroyOnReturn: false })) break;
        file!.body.resume();
        throw new ProviderFailure(413, {}, Buffer.from(""));
      });
      const source = new Readable({ read() {} });
      source.push("hello");
      const { file, ...rest } = upload([]);
      await expect(writeOnce({ ...rest, file: { ...file!, body: source } })).rejects.toMatchObject({ status: 413 });
      source.on("error", () => {}).destroy(new Error("aborted"));
      await vi.advanceTimersByTimeAsync(1);
      await new Promise(process.nextTick);
    });

    it("a repeated upload is read no further than the first one, and the rest is drained", async () => {
      const { writeOnce } = setUp(drain);
      await writeOnce(upload(["hello"]));
      const endless = upload(["hello!", ...Array.from({ length: 100 }, () => "more")]);
      const resume = vi.spyOn(endless.file!.body, "resume");
      await expect(writeOnce(endless)).rejects.toMatchObject({ kind: "idempotency_key_reused" });
      expect(endless.file!.body.readableEnded).toBe(false);
      expect(resume).toHaveBeenCalled();
    });
  });
});
