import { expect, it, vi } from "vitest";
import { createFakeDispatcher, type FakeCall } from "../../../test/support/fake-dispatcher.ts";
import { BufferLimits, bufferResponse } from "./buffer-response.ts";
import { Cancellation, CancelledError } from "./cancellation.ts";

const request = { origin: "http://127.0.0.1", path: "/", method: "GET" } as const;

const MEGABYTE = Buffer.alloc(1024 * 1024, " ");
const newLimits = () => new BufferLimits({ maxBytes: 4 * MEGABYTE.length, maxValues: 1_000 });

function begin(limits = newLimits()) {
  const { calls, dispatcher } = createFakeDispatcher();
  const cancellation = new Cancellation();
  const onSettled = vi.fn();
  const response = bufferResponse(dispatcher, request, cancellation, limits, onSettled);
  response.catch(() => {});
  const call = calls[0] as FakeCall;
  return { call, cancellation, onSettled, response };
}

it("a buffered answer has its status, headers and whole body", async () => {
  const { call, response, onSettled } = begin();
  call.start();
  call.headers(201, { "content-length": "6" });
  call.data("abc");
  call.data("def");
  expect(onSettled).not.toHaveBeenCalled();
  call.end();
  expect(await response).toMatchObject({ statusCode: 201, headers: { "content-length": "6" } });
  expect((await response).bytes.toString()).toBe("abcdef");
  expect(onSettled).toHaveBeenCalledOnce();
});

it("small answers of one turn are passed on together at its end, and a large one at once", async () => {
  const passedOn: string[] = [];
  const answer = (name: string, body: Buffer) => {
    const { call, response } = begin();
    void response.then(() => passedOn.push(name));
    call.start();
    call.headers(200);
    call.data(body);
    call.end();
  };
  answer("small", Buffer.alloc(64 * 1024, " "));
  answer("large", Buffer.alloc(64 * 1024 + 1, " "));
  await new Promise((resolve) => process.nextTick(resolve));
  expect(passedOn).toEqual(["large"]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(passedOn).toEqual(["large", "small"]);
});

const tooLarge = { kind: "upstream_malformed", permanent: true, message: expect.stringContaining("larger than 4 MB") };

it("an answer larger than the limit is aborted as malformed, and one of exactly that size is not", async () => {
  const { call, response } = begin();
  call.start();
  call.headers(200);
  for (let count = 0; count < 4; count++) call.data(MEGABYTE);
  expect(call.aborted).toBeUndefined();
  call.data("x");
  expect(call.aborted).toMatchObject(tooLarge);
  await expect(response).rejects.toMatchObject(tooLarge);
  call.data(MEGABYTE);
});

const arrayOf = (values: number) => `[${"{},".repeat(values - 2)}{}]`;

it("an answer with more JSON values than the limit is malformed, however small it is, and one with exactly as many is not", async () => {
  const allowed = begin();
  allowed.call.start();
  allowed.call.headers(200);
  allowed.call.data(arrayOf(1_000));
  allowed.call.end();
  expect((await allowed.response).bytes.toString()).toBe(arrayOf(1_000));

  const refused = begin();
  refused.call.start();
  refused.call.headers(200);
  refused.call.data(arrayOf(1_001));
  refused.call.end();
  await expect(refused.response).rejects.toMatchObject({
    kind: "upstream_malformed",
    permanent: true,
    message: expect.stringContaining("more than 1000 JSON values"),
  });
  expect(refused.onSettled).toHaveBeenCalledOnce();
});

it("while many large answers are being read, another large one is refused and a small one is not", async () => {
  const limits = newLimits();
  const reading = Array.from({ length: 16 }, () => begin(limits));
  for (const { call } of reading) {
    call.start();
    call.headers(200);
    for (let count = 0; count < 4; count++) call.data(MEGABYTE);
    expect(call.aborted).toBeUndefined();
  }
  const small = begin(limits);
  small.call.start();
  small.call.headers(200);
  small.call.data(MEGABYTE);
  const large = begin(limits);
  large.call.start();
  large.call.headers(200);
  large.call.data(MEGABYTE);
  large.call.data("x");
  await expect(large.response).rejects.toMatchObject({ kind: "overloaded", retryAfter: 1, answered: true });
  small.call.end();
  expect((await small.response).bytes).toHaveLength(MEGABYTE.length);

  for (const { call } of reading) call.end();
  await Promise.all(reading.map(({ response }) => response));
  expect(limits.collectedBytes).toBe(0);
});

it("an answer that fails, is refused or is canceled no longer counts as being read", async () => {
  const limits = newLimits();
  const ends: ((begun: ReturnType<typeof begin>) => void)[] = [
    ({ call }) => call.fail(new Error("reset")),
    ({ call }) => call.data(Buffer.alloc(4 * MEGABYTE.length)),
    ({ cancellation }) => cancellation.cancel(),
  ];
  for (const end of ends) {
    const begun = begin(limits);
    begun.call.start();
    begun.call.headers(200);
    begun.call.data(MEGABYTE);
    expect(limits.collectedBytes).toBe(MEGABYTE.length);
    end(begun);
    await expect(begun.response).rejects.toThrow();
    expect(limits.collectedBytes).toBe(0);
  }
});

it("a call that is canceled before it has a socket is aborted as soon as it gets one", async () => {
  const { call, response, cancellation, onSettled } = begin();
  cancellation.cancel();
  await expect(response).rejects.toThrow(CancelledError);
  expect(onSettled).toHaveBeenCalledOnce();
  call.start();
  expect(call.aborted).toBeInstanceOf(CancelledError);
});

it("a call that is canceled while its answer arrives is aborted once, and what still arrives is not counted", async () => {
  const limits = newLimits();
  const { call, response, cancellation, onSettled } = begin(limits);
  call.start();
  call.headers(200);
  cancellation.cancel();
  await expect(response).rejects.toThrow(CancelledError);
  expect(call.aborted).toBeInstanceOf(CancelledError);
  // What the parser had read already.
  call.data(MEGABYTE);
  call.end();
  expect(limits.collectedBytes).toBe(0);
  expect(onSettled).toHaveBeenCalledOnce();
});

it("a cancellation after the answer changes nothing", async () => {
  const { call, response, cancellation } = begin();
  call.start();
  call.headers(200);
  call.end();
  cancellation.cancel();
  expect((await response).statusCode).toBe(200);
  expect(call.aborted).toBeUndefined();
});
