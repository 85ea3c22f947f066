import { expect, it, vi } from "vitest";
import { createFakeDispatcher, type FakeCall } from "../../../test/support/fake-dispatcher.ts";
import { bufferResponse } from "./buffer-response.ts";
import { Cancellation, CancelledError } from "./cancellation.ts";

const request = { origin: "http://127.0.0.1", path: "/", method: "GET" } as const;

function begin() {
  const { calls, dispatcher } = createFakeDispatcher();
  const cancellation = new Cancellation();
  const onSettled = vi.fn();
  const response = bufferResponse(dispatcher, request, cancellation, onSettled);
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

it("an answer larger than 64 MB is aborted as malformed, and one of exactly 64 MB is not", async () => {
  const megabyte = Buffer.alloc(1024 * 1024);
  const { call, response } = begin();
  call.start();
  call.headers(200);
  for (let count = 0; count < 64; count++) call.data(megabyte);
  expect(call.aborted).toBeUndefined();
  call.data("x");
  expect(call.aborted).toMatchObject({ kind: "upstream_malformed" });
  await expect(response).rejects.toMatchObject({ kind: "upstream_malformed" });
});

it("a call that is cancelled before it has a socket is aborted as soon as it gets one", async () => {
  const { call, response, cancellation, onSettled } = begin();
  cancellation.cancel();
  await expect(response).rejects.toThrow(CancelledError);
  expect(onSettled).toHaveBeenCalledOnce();
  call.start();
  expect(call.aborted).toBeInstanceOf(CancelledError);
});

it("a call that is cancelled while its answer arrives is aborted once", async () => {
  const { call, response, cancellation, onSettled } = begin();
  call.start();
  call.headers(200);
  cancellation.cancel();
  await expect(response).rejects.toThrow(CancelledError);
  expect(call.aborted).toBeInstanceOf(CancelledError);
  call.end();
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
