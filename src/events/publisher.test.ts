import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import type { EventStore } from "../contracts/events.ts";
import { createPublisher } from "./publisher.ts";

let lines: string[];
const log = {
  warn: (_: object, message: string) => void lines.push(message),
  info: (message: string) => void lines.push(message),
};

beforeEach(() => {
  lines = [];
  vi.useFakeTimers({ now: 0 });
  onTestFinished(() => void vi.useRealTimers());
});

/** A publisher whose looks at the store find so many events, and then none. */
function setUp(...found: (number | Error)[]) {
  const looks: number[] = [];
  const publish = vi.fn(async (): Promise<number> => {
    looks.push(Date.now());
    const next = found.shift() ?? 0;
    if (next instanceof Error) throw next;
    return next;
  });
  let written = () => {};
  const events = {
    publish,
    onWritten(listener: () => void) {
      written = listener;
    },
  } as unknown as EventStore["events"];
  const onPublished = vi.fn();
  const publisher = createPublisher({ store: { events }, log, onPublished });
  return { publisher, publish, looks, onPublished, write: () => written() };
}

it("the publisher reports an outage of the store once, and its end, however often it tries meanwhile", async () => {
  const down = new Error("no database");
  const { publisher, looks } = setUp(down, down, 0, 0, down, down, 0);
  publisher.start();
  await vi.advanceTimersByTimeAsync(6_000);
  expect(looks).toEqual([0, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000]);
  const outage = ["could not publish events", "events are published again"];
  expect(lines).toEqual([...outage, ...outage]);
});

it("a write is looked for soon, and once more if its transaction has not ended, whatever is written meanwhile", async () => {
  const { publisher, looks, write, onPublished } = setUp(0, 0, 1);
  publisher.start();
  await vi.advanceTimersByTimeAsync(500);
  write();
  await vi.advanceTimersByTimeAsync(5);
  write();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(looks).toEqual([0, 510, 610, 1_610]);
  expect(onPublished).toHaveBeenCalledTimes(1);
});

it("a write is looked for twice at most, and once if that finds it or fails", async () => {
  for (const [found, next] of [
    [0, 110],
    [1, 1_010],
    [new Error("no database"), 1_010],
  ] as const) {
    vi.setSystemTime(0);
    const { publisher, looks, write } = setUp(0, found, 0);
    publisher.start();
    await vi.advanceTimersByTimeAsync(0);
    write();
    await vi.advanceTimersByTimeAsync(2_200);
    await publisher.stop();
    expect(looks.slice(0, 4)).toEqual([0, 10, next, next + 1_000]);
  }
});

it("a full batch is followed by the next one, and each wakes the webhooks", async () => {
  const { publisher, looks, onPublished } = setUp(100, 100, 99);
  publisher.start();
  await vi.advanceTimersByTimeAsync(0);
  expect(looks).toEqual([0, 0, 0]);
  expect(onPublished).toHaveBeenCalledTimes(3);
});

it("a write during a publication starts no second one, and is looked for after it", async () => {
  const { publisher, publish, looks, write } = setUp();
  const slow = Promise.withResolvers<number>();
  publish.mockReturnValueOnce(slow.promise);
  publisher.start();
  await vi.advanceTimersByTimeAsync(0);
  write();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(publish).toHaveBeenCalledTimes(1);
  slow.resolve(0);
  await vi.advanceTimersByTimeAsync(100);
  expect(looks).toEqual([5_100]);
});

it("a publisher that stops finishes its batch, starts no other, and leaves no timer", async () => {
  const { publisher, publish, write } = setUp();
  write();
  expect(vi.getTimerCount()).toBe(0);
  const batch = Promise.withResolvers<number>();
  publish.mockReturnValueOnce(batch.promise);
  publisher.start();
  await vi.advanceTimersByTimeAsync(0);
  let stopped = false;
  const stopping = publisher.stop().then(() => {
    stopped = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  expect(stopped).toBe(false);
  batch.resolve(100);
  await stopping;
  write();
  expect([publish.mock.calls.length, vi.getTimerCount()]).toEqual([1, 0]);

  publisher.start();
  await vi.advanceTimersByTimeAsync(0);
  await publisher.stop();
  expect([publish.mock.calls.length, vi.getTimerCount()]).toEqual([2, 0]);
});
