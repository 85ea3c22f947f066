import { PassThrough, Readable } from "node:stream";
import { expect, it, vi } from "vitest";
import { CancelledError } from "./cancellation.ts";
import { createForwardedBody } from "./forwarded-body.ts";

const KEPT_BYTES = 64 * 1024;

/** Sends a body of these sizes, and returns what is kept of it. */
async function send(...sizes: number[]) {
  const countBytes = vi.fn();
  const onProgress = vi.fn();
  const chunks = sizes.map((size) => Buffer.alloc(size, "x"));
  const { read, again } = createForwardedBody(Readable.from(chunks), countBytes);
  const sent: Buffer[] = [];
  for await (const chunk of read(onProgress)) {
    expect(again()).toBeUndefined();
    sent.push(chunk);
  }
  expect(sent).toEqual(chunks);
  expect(countBytes.mock.calls.flat()).toEqual(sizes);
  expect(onProgress).toHaveBeenCalledTimes(sizes.length);
  return again();
}

it("a body is kept once it was read to its end, if it is small", async () => {
  expect(await send(3, 2)).toEqual(Buffer.alloc(5, "x"));
  expect(await send(KEPT_BYTES - 1, 1)).toHaveLength(KEPT_BYTES);
  expect(await send(KEPT_BYTES, 1)).toBeUndefined();
});

it("a client that disconnects is no failure of the provider", async () => {
  const source = new PassThrough();
  const { read, again } = createForwardedBody(source, () => {});
  source.write("a");
  const chunks = read(() => {});
  await chunks.next();
  source.destroy(new Error("aborted"));
  await expect(chunks.next()).rejects.toThrow(CancelledError);
  expect(again()).toBeUndefined();
});

it("what the provider does not read is drained, and the client's connection stays open", async () => {
  const source = new PassThrough();
  const { read } = createForwardedBody(source, () => {});
  source.write("a");
  for await (const _ of read(() => {})) break;
  expect(source.destroyed).toBe(false);
  source.end("b");
  await new Promise((resolve) => source.once("end", resolve));
});
