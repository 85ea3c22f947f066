import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Deadlines, Timed } from "./deadlines.ts";

class Call extends Timed {
  readonly timeOut = vi.fn<() => void>();
}

let deadlines: Deadlines;
beforeEach(() => {
  vi.useFakeTimers();
  deadlines = new Deadlines(1_000);
});
afterEach(() => void vi.useRealTimers());

function add(): Call {
  const call = new Call();
  deadlines.add(call);
  return call;
}
const timedOut = (...calls: Call[]) => calls.map(({ timeOut }) => timeOut.mock.calls.length);

it("each call times out after its own time, and only once", async () => {
  const first = add();
  await vi.advanceTimersByTimeAsync(600);
  const second = add();
  await vi.advanceTimersByTimeAsync(399);
  expect(timedOut(first, second)).toEqual([0, 0]);
  await vi.advanceTimersByTimeAsync(2);
  expect(timedOut(first, second)).toEqual([1, 0]);
  await vi.advanceTimersByTimeAsync(600);
  expect(timedOut(first, second)).toEqual([1, 1]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(timedOut(first, second)).toEqual([1, 1]);
});

it.each([0, 1, 2])("call %i of three that ended in time does not time out, the others do", async (ended) => {
  const calls = [add(), add(), add()];
  deadlines.remove(calls[ended]!);
  deadlines.remove(calls[ended]!);
  await vi.advanceTimersByTimeAsync(1_001);
  expect(timedOut(...calls)).toEqual([1, 1, 1].with(ended, 0));
});

it("a call after an idle time has its whole time", async () => {
  deadlines.remove(add());
  await vi.advanceTimersByTimeAsync(900);
  const call = add();
  await vi.advanceTimersByTimeAsync(999);
  expect(timedOut(call)).toEqual([0]);
  await vi.advanceTimersByTimeAsync(2);
  expect(timedOut(call)).toEqual([1]);
});

it("a call that is restarted has its whole time again, and the others keep theirs", async () => {
  const [restarted, other] = [add(), add()];
  await vi.advanceTimersByTimeAsync(900);
  deadlines.restart(restarted);
  await vi.advanceTimersByTimeAsync(101);
  expect(timedOut(restarted, other)).toEqual([0, 1]);
  await vi.advanceTimersByTimeAsync(900);
  expect(timedOut(restarted, other)).toEqual([1, 1]);
});

it("a call may be added when another times out", async () => {
  const first = add();
  let second: Call | undefined;
  first.timeOut.mockImplementation(() => {
    second = add();
  });
  await vi.advanceTimersByTimeAsync(1_001);
  expect(second?.timeOut).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_001);
  expect(second?.timeOut).toHaveBeenCalledOnce();
});

it("however many calls come one after another, there is one timer", () => {
  for (let calls = 0; calls < 100; calls++) deadlines.remove(add());
  expect(vi.getTimerCount()).toBe(1);
});
