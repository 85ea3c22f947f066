import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Cancellation, CancelledError, type Forwarded } from "../../../engine/index.ts";
import { readText } from "./read-text.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A response that the test writes. */
function begin(client = new Cancellation()) {
  const cancel = vi.fn();
  let writer!: Parameters<Forwarded["pipeTo"]>[0];
  const text = readText(
    {
      pipeTo(to) {
        writer = to;
        return { resume() {}, cancel };
      },
    },
    client,
  );
  return { text, writer, cancel, client };
}

it("a response is read to its end, after which nothing is canceled", async () => {
  const { text, writer, cancel, client } = begin();
  expect(writer.write(Buffer.from("a"))).toBe(true);
  writer.end(Buffer.from("b"));
  expect(await text).toBe("ab");
  client.cancel();
  expect(cancel).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});

it("a response that breaks off is an error", async () => {
  const { text, writer } = begin();
  writer.fail(new Error("reset"));
  await expect(text).rejects.toMatchObject({ kind: "upstream_malformed" });
});

it("a response that does not end is a timeout, and its call is canceled", async () => {
  const { text, writer, cancel } = begin();
  writer.write(Buffer.from("data: 1"));
  const failed = expect(text).rejects.toMatchObject({ kind: "upstream_timeout" });
  await vi.runAllTimersAsync();
  await failed;
  expect(cancel).toHaveBeenCalledOnce();
});

it("the call is canceled when the client disconnects, also if it did so before there was a response", async () => {
  const { text, client, cancel } = begin();
  client.cancel();
  await expect(text).rejects.toBeInstanceOf(CancelledError);
  expect(cancel).toHaveBeenCalledOnce();
  const late = begin(client);
  await expect(late.text).rejects.toBeInstanceOf(CancelledError);
  expect(late.cancel).toHaveBeenCalledOnce();
});

it("a response is cut by its characters, whatever their size, and says so", async () => {
  const body = Buffer.from("я".repeat(60_000));
  const { text, writer, cancel } = begin();
  // The chunks end within a character.
  expect(writer.write(body.subarray(0, 65_535))).toBe(true);
  expect(writer.write(body.subarray(65_535))).toBe(false);
  expect(await text).toBe(`${"я".repeat(40_000)}… (the rest was left out)`);
  expect(cancel).toHaveBeenCalledOnce();
  const whole = begin();
  whole.writer.end(body.subarray(0, 80_000));
  expect(await whole.text).toBe("я".repeat(40_000));
});
