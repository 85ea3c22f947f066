import { expect, it, vi } from "vitest";
import { Ending } from "./cancellation.ts";
import { pause } from "./retry.ts";

it("tells everyone who listens, once, and those who come late at once", () => {
  const ending = new Ending();
  const [first, second, left, late] = [vi.fn(), vi.fn(), vi.fn(), vi.fn()];
  for (const listener of [first, second, left]) ending.on(listener);
  ending.off(left);
  expect(ending.over).toBe(false);
  ending.throwIfOver();
  ending.end();
  ending.end();
  ending.on(late);
  expect([first, second, left, late].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 0, 1]);
  expect(() => ending.throwIfOver()).toThrow("nobody waits");
});

it("ends a pause", async () => {
  const ending = new Ending();
  const paused = pause(60_000, ending);
  ending.end();
  await expect(paused).rejects.toThrow("nobody waits");
  await expect(pause(60_000, ending)).rejects.toThrow("nobody waits");
});
