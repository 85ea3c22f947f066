import { expect, it, vi } from "vitest";
import { createFakeDispatcher, type FakeCall } from "../../../test/support/fake-dispatcher.ts";
import { Cancellation, CancelledError } from "./cancellation.ts";
import { type BodyWriter, discard, readUpTo, streamResponse } from "./stream-response.ts";

const request = { origin: "http://127.0.0.1", path: "/", method: "GET" } as const;

function begin() {
  const { calls, dispatcher } = createFakeDispatcher();
  const cancellation = new Cancellation();
  const onSettled = vi.fn();
  const countBytes = vi.fn();
  const response = streamResponse(dispatcher, request, cancellation, onSettled, countBytes);
  response.catch(() => {});
  const call = calls[0] as FakeCall;
  call.start();
  return { call, cancellation, onSettled, countBytes, response };
}

function createWriter(wantsMore: () => boolean = () => true) {
  const written: string[] = [];
  const writer: BodyWriter = {
    write(chunk) {
      written.push(chunk.toString());
      return wantsMore();
    },
    end: vi.fn((last?: Buffer) => void (last && written.push(last.toString()))),
    fail: vi.fn(),
  };
  return { written, writer };
}

it("an answer is there as soon as its headers are, and its body goes to the writer", async () => {
  const { call, response, onSettled } = begin();
  call.headers(200, { "x-a": "1" });
  const answer = await response;
  expect(answer).toMatchObject({ statusCode: 200, headers: { "x-a": "1" } });
  expect(onSettled).toHaveBeenCalledOnce();
  const { written, writer } = createWriter();
  answer.pipeTo(writer);
  call.data("one");
  call.data("two");
  call.end();
  expect(written).toEqual(["one", "two"]);
  expect(writer.end).toHaveBeenCalledOnce();
});

it("answers known to be small are passed on together at the end of the turn, and others at once", async () => {
  const passedOn: string[] = [];
  for (const [name, length] of [
    ["small", "65536"],
    ["large", "65537"],
    ["of unknown length", undefined],
  ] as const) {
    const { call, response } = begin();
    void response.then(() => passedOn.push(name));
    call.headers(200, length === undefined ? {} : { "content-length": length });
  }
  await new Promise((resolve) => process.nextTick(resolve));
  expect(passedOn).toEqual(["large", "of unknown length"]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(passedOn).toEqual(["large", "of unknown length", "small"]);
});

it("an informational answer is skipped", async () => {
  const { call, response } = begin();
  call.headers(103);
  call.headers(204);
  expect((await response).statusCode).toBe(204);
});

it("what arrives before there is a writer is held, and the provider is paused at 64 kB", async () => {
  const { call, response } = begin();
  call.headers(200);
  call.data(Buffer.alloc(64 * 1024 - 1, "a"));
  expect(call.paused).toBe(false);
  call.data("b");
  expect(call.paused).toBe(true);
  const { written, writer } = createWriter();
  (await response).pipeTo(writer);
  expect(written.map(({ length }) => length)).toEqual([64 * 1024 - 1, 1]);
  expect(call.paused).toBe(false);
});

it("a writer that wants no more pauses the provider until it resumes", async () => {
  const { call, response } = begin();
  call.headers(200);
  const { writer } = createWriter(() => false);
  const flow = (await response).pipeTo(writer);
  expect(call.paused).toBe(false);
  call.data("one");
  expect(call.paused).toBe(true);
  flow.resume();
  expect(call.paused).toBe(false);
});

it("a writer that wants no more of what was held leaves the provider paused", async () => {
  const { call, response } = begin();
  call.headers(200);
  call.data("one");
  const { writer } = createWriter(() => false);
  (await response).pipeTo(writer);
  expect(call.paused).toBe(true);
});

it("an answer that ended while it was held is written and ended with its last chunk", async () => {
  const { call, response } = begin();
  call.headers(200);
  call.data("one");
  call.data("two");
  call.end();
  const { written, writer } = createWriter();
  (await response).pipeTo(writer);
  expect(written).toEqual(["one", "two"]);
  expect(writer.end).toHaveBeenCalledWith(Buffer.from("two"));
});

it("an answer that broke off while it was held fails its writer", async () => {
  const { call, response } = begin();
  call.headers(200);
  call.data("one");
  call.fail(new Error("broken"));
  const { writer } = createWriter();
  (await response).pipeTo(writer);
  expect(writer.fail).toHaveBeenCalledWith(new Error("broken"));
  expect(writer.end).not.toHaveBeenCalled();
});

it("an answer that breaks off while it is written fails its writer once", async () => {
  const { call, response } = begin();
  call.headers(200);
  const { writer } = createWriter();
  (await response).pipeTo(writer);
  call.fail(new Error("broken"));
  call.fail(new Error("again"));
  expect(writer.fail).toHaveBeenCalledOnce();
});

it("an error before the headers rejects the call and settles it once", async () => {
  const { call, response, onSettled } = begin();
  call.fail(new Error("refused"));
  await expect(response).rejects.toThrow("refused");
  call.fail(new Error("again"));
  expect(onSettled).toHaveBeenCalledOnce();
});

it("a canceled call is rejected and aborted", async () => {
  const { call, response, cancellation } = begin();
  cancellation.cancel();
  await expect(response).rejects.toThrow(CancelledError);
  expect(call.aborted).toBeInstanceOf(CancelledError);
});

it("a call that still waits for a socket is rejected as soon as it is canceled, and aborted once it has one", async () => {
  const { calls, dispatcher } = createFakeDispatcher();
  const cancellation = new Cancellation();
  const response = streamResponse(dispatcher, request, cancellation, vi.fn(), vi.fn());
  cancellation.cancel();
  await expect(response).rejects.toThrow(CancelledError);
  calls[0]!.start();
  expect(calls[0]!.aborted).toBeInstanceOf(CancelledError);
});

it("only large bodies are counted", async () => {
  const small = begin();
  small.call.headers(200, { "content-length": "3" });
  small.call.data("abc");
  expect(small.countBytes).not.toHaveBeenCalled();
  const unknown = begin();
  unknown.call.headers(200);
  unknown.call.data("abc");
  expect(unknown.countBytes).toHaveBeenCalledWith(3);
});

it("of a body, no more is read than asked for", async () => {
  const long = begin();
  long.call.headers(200);
  const beginning = readUpTo(await long.response, 5);
  long.call.data("abc");
  await Promise.resolve();
  expect([long.call.aborted, long.call.paused]).toEqual([undefined, false]);
  long.call.data("def");
  expect(String(await beginning)).toBe("abcde");
  expect(long.call.aborted).toBeInstanceOf(CancelledError);

  const short = begin();
  short.call.headers(200);
  short.call.data("ab");
  short.call.data("cd");
  short.call.end();
  expect(String(await readUpTo(await short.response, 5))).toBe("abcd");
  expect(short.call.aborted).toBeUndefined();
});

it("an answer that nobody reads is drained up to 64 kB, and then canceled", async () => {
  const { call, response } = begin();
  call.headers(200);
  discard(await response);
  call.data(Buffer.alloc(64 * 1024));
  await Promise.resolve();
  expect([call.aborted, call.paused]).toEqual([undefined, false]);
  call.data("x");
  await Promise.resolve();
  expect(call.aborted).toBeInstanceOf(CancelledError);
});
