import { expect, it, vi } from "vitest";
import { Cancellation, CancelledError } from "./cancellation.ts";
import { sleep } from "./retry.ts";

const spy = () => ({ cancel: vi.fn<() => void>() });

it("a cancellation calls every listener once, and late listeners immediately", () => {
  const cancellation = new Cancellation();
  const [first, second, removed, late] = [spy(), spy(), spy(), spy()];
  for (const listener of [first, second, removed]) cancellation.onCancel(listener);
  cancellation.off(removed);
  expect(cancellation.cancelled).toBe(false);
  cancellation.throwIfCancelled();
  cancellation.cancel();
  cancellation.cancel();
  cancellation.onCancel(late);
  expect([first, second, removed, late].map(({ cancel }) => cancel.mock.calls.length)).toEqual([1, 1, 0, 1]);
  expect(() => cancellation.throwIfCancelled()).toThrow(CancelledError);
});

it("a cancellation ends a sleep", async () => {
  const cancellation = new Cancellation();
  const sleeping = sleep(60_000, cancellation);
  cancellation.cancel();
  await expect(sleeping).rejects.toThrow(CancelledError);
  await expect(sleep(60_000, cancellation)).rejects.toThrow(CancelledError);
});
