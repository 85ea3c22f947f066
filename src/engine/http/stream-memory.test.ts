import { expect, it, vi } from "vitest";
import { createStreamedBytesCounter } from "./stream-memory.ts";

it("young objects are collected once for every 16 MB that pass", () => {
  const collect = vi.fn();
  const count = createStreamedBytesCounter(collect);
  const megabyte = 1024 * 1024;
  for (let passed = 0; passed < 15; passed++) count(megabyte);
  expect(collect).not.toHaveBeenCalled();
  count(megabyte);
  expect(collect).toHaveBeenCalledTimes(1);
  for (let passed = 0; passed < 32; passed++) count(megabyte);
  expect(collect).toHaveBeenCalledTimes(3);
});
