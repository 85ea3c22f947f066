import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createSupervisor, type WorkerExit, type WorkerProcess } from "./supervisor.ts";

/** Stands in for a process: it becomes ready, ends and handles signals when the test says so. */
function createFakeWorker(pid: number) {
  const { promise: ready, resolve: becomeReady } = Promise.withResolvers<string>();
  const { promise: ended, resolve: end } = Promise.withResolvers<WorkerExit>();
  const signals: NodeJS.Signals[] = [];
  const worker: WorkerProcess = { pid, ready, ended, kill: (signal) => void signals.push(signal) };
  return {
    worker,
    signals,
    becomeReady: () => becomeReady("http://127.0.0.1:1"),
    end: (code: number | null = 0, signal: NodeJS.Signals | null = null) => end({ code, signal }),
  };
}

/** A supervisor whose workers are all in `forked`, in the order of their start. */
function createWorld(count: number) {
  const forked: ReturnType<typeof createFakeWorker>[] = [];
  const log = { info: vi.fn(), error: vi.fn() };
  const crashed = vi.fn();
  const gaveUp = vi.fn();
  const allReady = vi.fn();
  const supervisor = createSupervisor({
    count,
    fork() {
      const fake = createFakeWorker(forked.length + 1);
      forked.push(fake);
      return fake.worker;
    },
    log,
    crashed,
    gaveUp,
    allReady,
  });
  /** Lets everything happen that does not wait for a worker, delays included. */
  const settle = () => vi.advanceTimersByTimeAsync(31_000);
  return {
    supervisor,
    forked,
    log,
    crashed,
    gaveUp,
    allReady,
    settle,
    async start() {
      const started = supervisor.start();
      for (let index = 0; index < count; index++) {
        await settle();
        forked[index]!.becomeReady();
      }
      return started;
    },
  };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("the first worker starts alone, and the others when it is ready", async () => {
  const { supervisor, forked, settle } = createWorld(3);
  const started = supervisor.start();
  await settle();
  expect(forked).toHaveLength(1);
  forked[0]!.becomeReady();
  await settle();
  expect(forked).toHaveLength(3);
  forked[1]!.becomeReady();
  forked[2]!.becomeReady();
  expect(await started).toBe("http://127.0.0.1:1");
});

it("if the first worker cannot start, nothing else is tried", async () => {
  const { supervisor, forked, gaveUp, settle } = createWorld(3);
  const started = supervisor.start();
  forked[0]!.end(1);
  expect(await started).toBeUndefined();
  await settle();
  expect(gaveUp).toHaveBeenCalledOnce();
  expect(forked).toHaveLength(1);
});

it("all workers are ready when each of them has been ready once, and this is reported once", async () => {
  const { supervisor, forked, allReady, settle } = createWorld(3);
  void supervisor.start();
  forked[0]!.becomeReady();
  await settle();
  forked[1]!.becomeReady();
  // The third does not get that far, and is started again.
  forked[2]!.end(1);
  await settle();
  expect([forked.length, allReady.mock.calls.length]).toEqual([4, 0]);
  // A worker that ends after it was ready does not count again.
  forked[0]!.end(1);
  await settle();
  expect(allReady).not.toHaveBeenCalled();
  forked[3]!.becomeReady();
  await settle();
  expect(allReady).toHaveBeenCalledOnce();
  forked[4]!.becomeReady();
  await settle();
  expect(allReady).toHaveBeenCalledOnce();
});

it("a worker that is not ready after 30 s is reported once, and one that is ready by then is not", async () => {
  const { supervisor, forked, log } = createWorld(2);
  void supervisor.start();
  await vi.advanceTimersByTimeAsync(29_000);
  forked[0]!.becomeReady();
  await vi.advanceTimersByTimeAsync(29_000);
  expect(log.error).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(100_000);
  expect(log.error.mock.calls).toEqual([[{ worker: 2 }, expect.stringContaining("not ready after 30 s")]]);
});

it("a worker that ends by itself is replaced and counted", async () => {
  const { start, forked, crashed, settle } = createWorld(2);
  await start();
  forked[0]!.end(null, "SIGKILL");
  await settle();
  expect(forked).toHaveLength(3);
  expect(crashed).toHaveBeenCalledOnce();
});

it("while another worker serves, starts that fail are repeated without end", async () => {
  const { start, forked, gaveUp, settle } = createWorld(2);
  await start();
  forked[0]!.end(1);
  for (let failed = 0; failed < 20; failed++) {
    await settle();
    forked.at(-1)!.end(1);
  }
  await settle();
  expect(forked).toHaveLength(2 + 21);
  expect(gaveUp).not.toHaveBeenCalled();
  forked.at(-1)!.becomeReady();
  await settle();
  expect(forked).toHaveLength(2 + 21);
});

it("if no worker serves and starts keep failing, the supervisor gives up", async () => {
  const { start, forked, gaveUp, settle } = createWorld(1);
  await start();
  forked[0]!.end(1);
  for (let failed = 0; failed < 5; failed++) {
    expect(gaveUp).not.toHaveBeenCalled();
    await settle();
    forked.at(-1)!.end(1);
  }
  await settle();
  expect(gaveUp).toHaveBeenCalledOnce();
  expect(forked).toHaveLength(1 + 5);
});

it("a worker that served for long is replaced immediately, and one that did not after a pause", async () => {
  const { start, forked, settle } = createWorld(1);
  await start();
  await settle();
  forked[0]!.end(1);
  await vi.advanceTimersByTimeAsync(0);
  expect(forked).toHaveLength(2);
  forked[1]!.becomeReady();
  await vi.advanceTimersByTimeAsync(0);
  forked[1]!.end(1);
  await vi.advanceTimersByTimeAsync(0);
  expect(forked).toHaveLength(2);
  await settle();
  expect(forked).toHaveLength(3);
});

it("a worker that keeps ending after it was ready is replaced without end", async () => {
  const { start, forked, gaveUp, settle } = createWorld(1);
  await start();
  for (let crash = 0; crash < 20; crash++) {
    forked.at(-1)!.end(1);
    await settle();
    forked.at(-1)!.becomeReady();
    await vi.advanceTimersByTimeAsync(0);
  }
  expect(forked).toHaveLength(1 + 20);
  expect(gaveUp).not.toHaveBeenCalled();
});

it("in a rolling restart each new worker is ready before an old one stops, one at a time", async () => {
  const { start, supervisor, forked, crashed, settle } = createWorld(2);
  await start();
  const restarted = supervisor.restart();
  await settle();
  expect([forked.length, forked[0]!.signals]).toEqual([3, []]);
  forked[2]!.becomeReady();
  await settle();
  expect([forked.length, forked[0]!.signals, forked[1]!.signals]).toEqual([3, ["SIGTERM"], []]);
  forked[0]!.end();
  await settle();
  forked[3]!.becomeReady();
  await settle();
  expect(forked[1]!.signals).toEqual(["SIGTERM"]);
  forked[1]!.end();
  await restarted;
  await settle();
  expect(forked).toHaveLength(4);
  expect(crashed).not.toHaveBeenCalled();
});

it("a rolling restart whose first new worker cannot start leaves all workers as they are", async () => {
  const { start, supervisor, forked, gaveUp, settle } = createWorld(2);
  await start();
  const restarted = supervisor.restart();
  await settle();
  forked[2]!.end(1);
  await restarted;
  await settle();
  expect(forked).toHaveLength(3);
  expect(forked.flatMap(({ signals }) => signals)).toEqual([]);
  expect(gaveUp).not.toHaveBeenCalled();
});

it("a worker that ends while its replacement starts is not replaced twice", async () => {
  const { start, supervisor, forked, settle } = createWorld(1);
  await start();
  const restarted = supervisor.restart();
  await settle();
  forked[0]!.end(null, "SIGKILL");
  await settle();
  expect(forked).toHaveLength(2);
  forked[1]!.becomeReady();
  await restarted;
  await settle();
  expect(forked).toHaveLength(2);
});

it("a worker that ends while its replacement fails to start is replaced again", async () => {
  const { start, supervisor, forked, settle } = createWorld(1);
  await start();
  const restarted = supervisor.restart();
  await settle();
  forked[0]!.end(null, "SIGKILL");
  forked[1]!.end(1);
  await restarted;
  await settle();
  expect(forked).toHaveLength(3);
});

it("a restart that is asked for during another one follows it, and several are one", async () => {
  const { start, supervisor, forked, settle } = createWorld(1);
  await start();
  const restarted = supervisor.restart();
  await settle();
  void supervisor.restart();
  void supervisor.restart();
  for (const index of [1, 2]) {
    forked[index]!.becomeReady();
    await settle();
    forked[index - 1]!.end();
    await settle();
  }
  await restarted;
  expect(forked).toHaveLength(3);
});

it("a restart that is asked for while the workers start replaces those that were begun before", async () => {
  const { supervisor, forked, settle } = createWorld(2);
  const started = supervisor.start();
  await settle();
  const restarted = supervisor.restart();
  await settle();
  expect(forked).toHaveLength(1);
  forked[0]!.becomeReady();
  await settle();
  // The second worker is newer than the signal, and the third replaces the first.
  expect(forked).toHaveLength(3);
  forked[1]!.becomeReady();
  forked[2]!.becomeReady();
  await settle();
  expect(forked.map(({ signals }) => signals)).toEqual([["SIGTERM"], [], []]);
  forked[0]!.end();
  await Promise.all([started, restarted]);
  expect(forked).toHaveLength(3);
});

it("a restart that is asked for while a crashed worker is started again replaces that one too", async () => {
  const { start, supervisor, forked, settle } = createWorld(1);
  await start();
  forked[0]!.end(1);
  await settle();
  const restarted = supervisor.restart();
  forked[1]!.becomeReady();
  await settle();
  forked[2]!.becomeReady();
  await settle();
  expect(forked[1]!.signals).toEqual(["SIGTERM"]);
  forked[1]!.end();
  await restarted;
  expect(forked).toHaveLength(3);
});

it("stopping passes the signal on, waits for all workers, and says whether all exited cleanly", async () => {
  const { start, supervisor, forked, settle } = createWorld(2);
  await start();
  const stopped = supervisor.stop("SIGINT");
  expect(forked.map(({ signals }) => signals)).toEqual([["SIGINT"], ["SIGINT"]]);
  forked[0]!.end(0);
  forked[1]!.end(1);
  expect(await stopped).toBe(false);
  await settle();
  expect(forked).toHaveLength(2);
});

it("a worker that was still starting may end by the signal", async () => {
  const { start, supervisor, forked, settle } = createWorld(1);
  await start();
  const restarted = supervisor.restart();
  await settle();
  const stopped = supervisor.stop("SIGTERM");
  forked[0]!.end(0);
  forked[1]!.end(null, "SIGTERM");
  expect(await stopped).toBe(true);
  await restarted;
});

it("a worker that does not stop is killed", async () => {
  const { start, supervisor, forked } = createWorld(1);
  await start();
  const stopped = supervisor.stop("SIGTERM");
  await vi.runAllTimersAsync();
  expect(forked[0]!.signals).toEqual(["SIGTERM", "SIGKILL"]);
  forked[0]!.end(null, "SIGKILL");
  expect(await stopped).toBe(false);
});
