import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createUses } from "./uses.ts";

const write = vi.fn();
const warn = vi.fn();
beforeEach(() => {
  vi.resetAllMocks();
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

const at = (milliseconds: number) => new Date(milliseconds).toISOString();

it("uses are written every 30 seconds in the order of their ids, each with its last time, and only if there are any", async () => {
  const uses = createUses("keys", write, { warn });
  uses.add("b", 1);
  uses.add("a", 3);
  uses.add("b", 2);
  await vi.advanceTimersByTimeAsync(29_999);
  expect(write).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(write.mock.calls).toEqual([
    [
      [
        { id: "a", at: at(3) },
        { id: "b", at: at(2) },
      ],
    ],
  ]);
  uses.add("a", 4);
  await uses.close();
  expect(write).toHaveBeenLastCalledWith([{ id: "a", at: at(4) }]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(write).toHaveBeenCalledTimes(2);
});

it("uses that cannot be written are kept for the next time, unless there are later ones, and the log says so", async () => {
  const failure = new Error("unavailable");
  const uses = createUses("keys", write, { warn });
  uses.add("a", 1);
  uses.add("b", 2);
  write.mockImplementationOnce(async () => {
    uses.add("b", 3);
    throw failure;
  });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(warn).toHaveBeenCalledExactlyOnceWith("could not note when keys were used", { err: failure });
  await uses.close();
  expect(write).toHaveBeenLastCalledWith([
    { id: "a", at: at(1) },
    { id: "b", at: at(3) },
  ]);
});
