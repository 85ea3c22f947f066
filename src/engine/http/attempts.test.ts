import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { UpstreamAttempt } from "../../contracts/entities.ts";
import { Fault } from "../../contracts/fault.ts";
import { asReceived, type CallWithRetries, createCallWithRetries, type UpstreamCall } from "./attempts.ts";
import { Cancellation, CancelledError } from "./cancellation.ts";

interface FakeAnswer {
  statusCode: number;
  headers: Record<string, string>;
}
const answer = (statusCode: number, headers: Record<string, string> = {}): FakeAnswer => ({ statusCode, headers });
const failure = (code: string) => Object.assign(new Error(code), { code });

const telemetry = { upstream: vi.fn(), malformed: vi.fn(), skipped: vi.fn(), refresh: vi.fn(), warn: vi.fn() };
let callWithRetries: CallWithRetries;

/** Plays the given outcomes in turn; the last one is repeated. */
function play(outcomes: (FakeAnswer | Error)[], options: Partial<UpstreamCall<FakeAnswer, FakeAnswer>> = {}) {
  const send = vi.fn(async () => {
    const outcome = outcomes[Math.min(send.mock.calls.length - 1, outcomes.length - 1)]!;
    if (outcome instanceof Error) throw outcome;
    return outcome;
  });
  const result = callWithRetries({
    provider: "acme",
    request: { origin: "http://127.0.0.1", path: "/", method: "GET", headers: {} },
    retries: 3,
    repeatable: true,
    interpret: asReceived,
    ...options,
    send,
  });
  result.catch(() => {});
  return { send, result };
}

beforeEach(() => {
  vi.useFakeTimers();
  callWithRetries = createCallWithRetries({ firstMs: 20_000, retryMs: 10_000 }, telemetry);
  vi.clearAllMocks();
  // Half of the longest backoff: by chance it could be none.
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it.each([408, 429, 500, 503])("a read is retried on %i", async (status) => {
  const { send, result } = play([answer(status), answer(200)]);
  await vi.runAllTimersAsync();
  expect(await result).toMatchObject({ statusCode: 200 });
  expect(send).toHaveBeenCalledTimes(2);
});

it.each([400, 401, 404])("a read is not retried on %i", async (status) => {
  const { send, result } = play([answer(status), answer(200)]);
  await vi.runAllTimersAsync();
  expect(await result).toMatchObject({ statusCode: status });
  expect(send).toHaveBeenCalledOnce();
});

it("the last response is returned once the retries are used up", async () => {
  const { send, result } = play([answer(500), answer(502), answer(503)], { retries: 2 });
  await vi.runAllTimersAsync();
  expect(await result).toMatchObject({ statusCode: 503 });
  expect(send).toHaveBeenCalledTimes(3);
});

it("a retry waits for a backoff first", async () => {
  const { send } = play([answer(500), answer(200)]);
  await vi.advanceTimersByTimeAsync(99);
  expect(send).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(1);
  expect(send).toHaveBeenCalledTimes(2);
});

it("a retry waits for as long as Retry-After says", async () => {
  const { send } = play([answer(429, { "retry-after": "3" }), answer(200)]);
  await vi.advanceTimersByTimeAsync(2_999);
  expect(send).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(1);
  expect(send).toHaveBeenCalledTimes(2);
});

it("an answer that asks for too long a wait is returned immediately", async () => {
  const { send, result } = play([answer(429, { "retry-after": "21" }), answer(200)]);
  expect(await result).toMatchObject({ statusCode: 429 });
  expect(send).toHaveBeenCalledOnce();
});

it("a write is retried on 429 only, since nothing else is certain not to have been carried out", async () => {
  for (const [status, calls] of [
    [429, 2],
    [408, 1],
    [500, 1],
    [503, 1],
  ] as const) {
    const { send } = play([answer(status), answer(200)], { repeatable: false });
    await vi.runAllTimersAsync();
    expect(send, String(status)).toHaveBeenCalledTimes(calls);
  }
});

it.each(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"])(
  "a write is retried after %s, in which nothing was sent",
  async (code) => {
    const { send, result } = play([failure(code), answer(200)], { repeatable: false });
    await vi.runAllTimersAsync();
    expect(await result).toMatchObject({ statusCode: 200 });
    expect(send).toHaveBeenCalledTimes(2);
  },
);

it("a write is not retried after its connection was lost", async () => {
  const { send, result } = play([failure("ECONNRESET"), answer(200)], { repeatable: false });
  await vi.runAllTimersAsync();
  await expect(result).rejects.toMatchObject({ kind: "upstream_unreachable" });
  expect(send).toHaveBeenCalledOnce();
});

it("a read is retried after its connection was lost, and after a malformed answer", async () => {
  for (const error of [failure("ECONNRESET"), new Fault("upstream_malformed", "not JSON")]) {
    const { send, result } = play([error, answer(200)]);
    await vi.runAllTimersAsync();
    expect(await result).toMatchObject({ statusCode: 200 });
    expect(send).toHaveBeenCalledTimes(2);
  }
});

it("an answer that would be malformed again is not retried", async () => {
  const { send, result } = play([new Fault("upstream_malformed", "too large", { permanent: true }), answer(200)]);
  await vi.runAllTimersAsync();
  await expect(result).rejects.toMatchObject({ kind: "upstream_malformed" });
  expect(send).toHaveBeenCalledOnce();
});

it.each(["upstream_forbidden", "overloaded"] as const)(
  "the fault %s is not retried, and counted only if it concerns the provider",
  async (kind) => {
    const { send, result } = play([new Fault(kind, "no"), answer(200)]);
    await vi.runAllTimersAsync();
    await expect(result).rejects.toMatchObject({ kind });
    expect(send).toHaveBeenCalledOnce();
    expect(telemetry.upstream).toHaveBeenCalledTimes(kind === "overloaded" ? 1 : 0);
  },
);

it("the first attempt may take longer than its retries", async () => {
  const ended: number[] = [];
  const started = Date.now();
  const waiting = callWithRetries({
    provider: "acme",
    request: { origin: "http://127.0.0.1", path: "/", method: "GET", headers: {} },
    retries: 1,
    repeatable: true,
    interpret: asReceived,
    send: (_, cancellation) =>
      new Promise<FakeAnswer>((_resolve, reject) =>
        cancellation.onCancel({
          cancel() {
            ended.push(Date.now() - started);
            reject(new CancelledError());
          },
        }),
      ),
  });
  waiting.catch(() => {});
  vi.spyOn(Math, "random").mockReturnValue(0);
  await vi.runAllTimersAsync();
  await expect(waiting).rejects.toMatchObject({ kind: "upstream_timeout" });
  expect(ended.map((milliseconds) => Math.round(milliseconds / 1000))).toEqual([20, 30]);
  expect(telemetry.upstream.mock.calls.map(([, status]) => status)).toContain("timeout");
});

it("a client that disconnects ends the attempt and every retry", async () => {
  const client = new Cancellation();
  const { send, result } = play([answer(500)], { client });
  await vi.advanceTimersByTimeAsync(0);
  client.cancel();
  await vi.runAllTimersAsync();
  await expect(result).rejects.toThrow(CancelledError);
  expect(send).toHaveBeenCalledOnce();
});

it("every attempt is counted, also those whose answer was malformed or that were never made", async () => {
  const { result } = play([
    answer(500),
    failure("ECONNRESET"),
    new Fault("upstream_malformed", "not JSON"),
    new Fault("overloaded", "too many"),
  ]);
  await vi.runAllTimersAsync();
  await expect(result).rejects.toMatchObject({ kind: "overloaded" });
  const counted = telemetry.upstream.mock.calls.map(([provider, status]) => [provider, status]);
  expect(counted).toEqual([
    ["acme", 500],
    ["acme", "unreachable"],
    ["acme", "malformed"],
    ["acme", "overloaded"],
  ]);
});

it("an answer that is dropped for a retry is discarded, and the last one is not", async () => {
  const discard = vi.fn();
  const { result } = play([answer(500), answer(200)], { discard });
  await vi.runAllTimersAsync();
  await result;
  expect(discard.mock.calls).toEqual([[answer(500)]]);
});

it("an attempt that is over leaves neither a timer nor a listener behind", async () => {
  const client = new Cancellation();
  const off = vi.spyOn(client, "off");
  const { result } = play([failure("ECONNRESET"), answer(200)], { client });
  await vi.runAllTimersAsync();
  await result;
  expect(vi.getTimerCount()).toBe(0);
  expect(off.mock.calls.length).toBeGreaterThanOrEqual(2);
});

it("an answer that arrives together with its timeout counts", async () => {
  let arrive: (value: FakeAnswer) => void = () => {};
  const result = callWithRetries({
    provider: "acme",
    request: { origin: "http://127.0.0.1", path: "/", method: "GET", headers: {} },
    retries: 0,
    repeatable: true,
    interpret: asReceived,
    send: (_, cancellation) =>
      new Promise<FakeAnswer>((resolve, reject) => {
        arrive = resolve;
        cancellation.onCancel({ cancel: () => reject(new CancelledError()) });
      }),
  });
  // The process stood still: the timer is due, and what has arrived is read, and passed on at the end of that turn, before
  // it is acted upon.
  setTimeout(() => setImmediate(() => arrive(answer(200))), 20_000);
  await vi.runAllTimersAsync();
  expect(await result).toMatchObject({ statusCode: 200 });
});

it("the timeout starts again while the request's own body is being sent", async () => {
  let restart: () => void = () => {};
  let cancelled = false;
  const result = callWithRetries({
    provider: "acme",
    request: { origin: "http://127.0.0.1", path: "/", method: "POST", headers: {} },
    retries: 0,
    repeatable: false,
    interpret: asReceived,
    onAttempt: (attempt) => {
      restart = () => attempt.restartTimeout();
    },
    send: (_, cancellation) =>
      new Promise<FakeAnswer>((_resolve, reject) =>
        cancellation.onCancel({
          cancel() {
            cancelled = true;
            reject(new CancelledError());
          },
        }),
      ),
  });
  result.catch(() => {});
  await vi.advanceTimersByTimeAsync(19_000);
  restart();
  await vi.advanceTimersByTimeAsync(19_000);
  expect(cancelled).toBe(false);
  await vi.advanceTimersByTimeAsync(1_100);
  expect(cancelled).toBe(true);
  await expect(result).rejects.toThrow("the provider did not respond within 20 s");
});

it("a request's body that is still being sent after its response began does not end the response", async () => {
  let restart: () => void = () => {};
  let streaming: Cancellation | undefined;
  const result = await callWithRetries({
    provider: "acme",
    request: { origin: "http://127.0.0.1", path: "/", method: "POST", headers: {} },
    retries: 0,
    repeatable: false,
    interpret: asReceived,
    onAttempt: (attempt) => {
      restart = () => attempt.restartTimeout();
    },
    async send(_, cancellation) {
      streaming = cancellation;
      return answer(200);
    },
  });
  expect(result).toMatchObject({ statusCode: 200 });
  restart();
  await vi.advanceTimersByTimeAsync(100_000);
  expect(streaming!.cancelled).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});

it("attempts are kept without their query and without secrets of the path, and no more than fifty of them", async () => {
  const trace = { upstreamCalls: 0, upstream: [] as UpstreamAttempt[] };
  const request = (path: string) => ({ origin: "http://127.0.0.1", path, method: "GET", headers: {} }) as const;
  const failed = play([answer(500), failure("ECONNRESET"), answer(200)], {
    trace,
    request: { ...request("/bot12/items?token=x"), pathSecrets: ["bot12"] },
  });
  await vi.runAllTimersAsync();
  await failed.result;
  const path = "/[redacted]/items";
  expect(trace.upstream).toMatchObject([
    { method: "GET", path, status: 500, error: null, attempt: 1 },
    { path, status: null, error: "unreachable", attempt: 2 },
    { path, status: 200, error: null, attempt: 3 },
  ]);
  expect(trace.upstreamCalls).toBe(1);

  for (const [path, shown] of [
    ["?token=x", ""],
    ["/plain", "/plain"],
    [`/${"a".repeat(600)}`, `/${"a".repeat(499)}`],
  ] as const) {
    await play([answer(200)], { trace, request: request(path) }).result;
    expect(trace.upstream.at(-1)!.path).toBe(shown);
  }
  for (let count = 0; count < 60; count++) await play([answer(200)], { trace, request: request("/") }).result;
  expect([trace.upstream.length, trace.upstreamCalls]).toEqual([50, 64]);
});

it("nothing is sent for a client that has disconnected already", async () => {
  const client = new Cancellation();
  client.cancel();
  const { send, result } = play([answer(200)], { client });
  await expect(result).rejects.toThrow(CancelledError);
  expect(send).not.toHaveBeenCalled();
});

it("a call that breaks off because its client is gone is neither counted nor reported as unreachable", async () => {
  const client = new Cancellation();
  const { result } = play([failure("ECONNRESET")], { client });
  client.cancel();
  await expect(result).rejects.toThrow(CancelledError);
  // An upload has no client to cancel it: its body ends early.
  await expect(play([new CancelledError()]).result).rejects.toThrow(CancelledError);
  expect(telemetry.upstream).not.toHaveBeenCalled();
});

it.each<[string, Error]>([
  ["malformed", new Fault("upstream_malformed", "too large")],
  ["upstream_forbidden", new Fault("upstream_forbidden", "a private address")],
  ["unreachable", failure("ECONNRESET")],
  ["cancelled", new CancelledError()],
])("an attempt that failed is kept as %s", async (error, outcome) => {
  const trace = { upstreamCalls: 0, upstream: [] as UpstreamAttempt[] };
  await expect(play([outcome], { trace, retries: 0 }).result).rejects.toThrow();
  expect(trace.upstream).toMatchObject([{ status: null, error, attempt: 1 }]);
});
