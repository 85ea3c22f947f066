import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Fault, ProviderFailure } from "../../contracts/fault.ts";
import { Cancellation } from "../../engine/index.ts";
import { streamList } from "./stream-list.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const tooMany = (seconds?: number) => new ProviderFailure(429, {}, Buffer.from(""), seconds);
const MINUTE_MS = 60_000;

/** Streams a list whose pages after the first are read by `read`. */
function stream(read: (after: string) => Promise<{ data: string[]; next?: string }>, firstRecord = "a") {
  let written = "";
  const raw = {
    write(text: string) {
      written += text;
      return true;
    },
  };
  const ended = streamList(raw as unknown as ServerResponse, {
    first: { data: [firstRecord], next: "1" } as never,
    read: read as never,
    serialize: String,
    includeRaw: false,
    client: new Cancellation(),
  });
  return {
    ended,
    outcome: ended.then(
      () => "ended",
      (error) => error,
    ),
    written: () => written,
  };
}

it.each([
  ["the provider's limit, without a time to wait", tooMany()],
  ["the provider's limit, with a long time to wait", tooMany(3_600)],
  ["our own limit", new Fault("rate_limited", "", { retryAfter: 60 })],
])("a stream that is stopped by %s ends after an hour with that error, after the last cursor", async (_, error) => {
  const { outcome, written } = stream(() => Promise.reject(error));
  await vi.advanceTimersByTimeAsync(59 * MINUTE_MS - 1);
  await vi.advanceTimersByTimeAsync(2 * MINUTE_MS);
  expect(await Promise.race([outcome, "still waiting"])).toBe(error);
  expect(written().trimEnd()).toBe('a\n{"metadata":{"next":"1"}}');
});

it("a stream that makes progress between its waits has no limit in total", async () => {
  let page = 1;
  let refused = false;
  const { outcome, written } = stream(async () => {
    refused = !refused;
    if (refused) throw tooMany(300);
    page++;
    return page < 30 ? { data: ["a"], next: String(page) } : { data: ["z"] };
  });
  await vi.advanceTimersByTimeAsync(29 * 5 * MINUTE_MS);
  expect(await Promise.race([outcome, "still waiting"])).toBe("ended");
  expect(written()).toContain('z\n{"metadata":{"next":null}}\n');
});

it("a stream that waits writes spaces, so that nobody gives up on it, and its lines stay JSON", async () => {
  const read = vi.fn(async () => ({ data: ["2"] }));
  read.mockRejectedValueOnce(tooMany(300));
  const { outcome, written } = stream(read, "1");
  await vi.advanceTimersByTimeAsync(0);
  const firstPage = written();
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(written()).toBe(`${firstPage}   `);
  await vi.advanceTimersByTimeAsync(5 * MINUTE_MS);
  expect(await outcome).toBe("ended");
  const lines = written().trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    1,
    { metadata: { next: "1" } },
    2,
    { metadata: { next: null } },
  ]);
  expect(vi.getTimerCount()).toBe(0);
});

it("a stream that waits often and briefly writes spaces too", async () => {
  const { written } = stream(() => Promise.reject(new Fault("rate_limited", "", { retryAfter: 1 })));
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(written()).toMatch(/\n {3}$/);
});
