import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { type EventStore, type Job, JobLost } from "../contracts/events.ts";
import { createJobRunner, type JobRunner, type JobRunnerOptions } from "./job-runner.ts";

const quiet = { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} };

/** Jobs in memory, without leases. */
function memoryJobs(due: string[]) {
  const finished: [id: string, dueInMs: number][] = [];
  const jobs = {
    claim: vi.fn(async (_: string, owner: string, limit: number) =>
      due.splice(0, limit).map((id): Job => ({ id, owner, wakes: 0, hints: 0 })),
    ),
    renew: vi.fn(async () => true),
    finish: vi.fn(async ({ id }: Job, dueInMs: number) => void finished.push([id, dueInMs])),
  };
  return { due, finished, jobs, store: { jobs: jobs as unknown as EventStore["jobs"] } };
}

describe("job runner", () => {
  let runner: JobRunner | undefined;
  afterEach(() => runner?.stop());

  const start = (memory: ReturnType<typeof memoryJobs>, options: Partial<JobRunnerOptions>) => {
    runner = createJobRunner({
      store: memory.store,
      log: quiet,
      kind: "webhook",
      concurrency: 2,
      run: async () => 0,
      ...options,
    });
    runner.start();
    return runner;
  };

  it("the runner runs every due job, no more than allowed in parallel, and says when each is due again", async () => {
    const memory = memoryJobs(Array.from({ length: 9 }, (_, index) => `job_${index}`));
    let now = 0;
    let most = 0;
    start(memory, {
      async run(job) {
        most = Math.max(most, ++now);
        await new Promise((resolve) => setImmediate(resolve));
        now -= 1;
        return Number(job.id.slice(4)) * 1000;
      },
    });
    await expect.poll(() => memory.finished.length).toBe(9);
    expect(most).toBe(2);
    expect(memory.finished.every(([id, dueInMs]) => dueInMs === Number(id.slice(4)) * 1000)).toBe(true);
  });

  it("jobs that end at the same time are replaced by one claim", async () => {
    const memory = memoryJobs(Array.from({ length: 12 }, (_, index) => `job_${index}`));
    start(memory, { concurrency: 4, run: () => new Promise((resolve) => setImmediate(resolve, 1000)) });
    await expect.poll(() => memory.finished.length).toBe(12);
    expect(memory.jobs.claim.mock.calls.map(([, , limit]) => limit).slice(0, 3)).toEqual([4, 4, 4]);
  });

  it("the runner finds a job that becomes due later, by polling, or immediately when it is woken", async () => {
    const memory = memoryJobs([]);
    const woken = start(memory, { pollMs: 20 });
    memory.due.push("job_1");
    await expect.poll(() => memory.finished.length).toBe(1);
    await woken.stop();

    const slow = start(memory, { pollMs: 3_600_000 });
    await expect.poll(() => memory.jobs.claim.mock.calls.length).toBeGreaterThan(1);
    memory.due.push("job_2");
    slow.wake();
    await expect.poll(() => memory.finished.length).toBe(2);
  });

  it("the runner retries a failed job, and continues after the store has failed", async () => {
    const memory = memoryJobs(["job_1"]);
    const warn = vi.fn();
    memory.jobs.claim.mockRejectedValueOnce(new Error("no database"));
    start(memory, {
      log: { ...quiet, warn },
      pollMs: 10,
      run: async () => {
        throw new Error("broken");
      },
    });
    await expect.poll(() => memory.finished).toEqual([["job_1", 10_000]]);
    expect(warn).toHaveBeenCalledWith({ err: new Error("broken"), job: "job_1" }, "a job failed");
  });

  it("the runner reports an outage of the store once, and its end, however often it polls meanwhile", async () => {
    const memory = memoryJobs([]);
    const lines: string[] = [];
    const log = {
      warn: (_: object, message: string) => void lines.push(message),
      info: (message: string) => void lines.push(message),
    };
    for (const outcome of ["down", "down", "down", "up", "up", "down", "down", "up"])
      if (outcome === "down") memory.jobs.claim.mockRejectedValueOnce(new Error("no database"));
      else memory.jobs.claim.mockResolvedValueOnce([]);
    start(memory, { pollMs: 1, log });
    await expect.poll(() => memory.jobs.claim.mock.calls.length).toBeGreaterThan(8);
    const outage = ["could not claim webhook jobs", "webhook jobs are claimed again"];
    expect(lines).toEqual([...outage, ...outage]);
  });

  it("the runner renews the lease of a long job, and aborts the job when the lease is lost", async () => {
    const memory = memoryJobs(["job_1"]);
    let aborted = false;
    start(memory, {
      leaseMs: 30,
      run: (_, lost) =>
        new Promise((resolve) =>
          lost.addEventListener("abort", () => {
            aborted = true;
            resolve(0);
          }),
        ),
    });
    await expect.poll(() => memory.jobs.renew.mock.calls.length).toBeGreaterThan(1);
    expect(aborted).toBe(false);
    memory.jobs.renew.mockResolvedValue(false);
    await expect.poll(() => aborted).toBe(true);
    await runner!.stop();
    expect(memory.finished).toEqual([]);
  });

  it("a job whose own check finds that its lease is lost is left to the process that has it", async () => {
    const memory = memoryJobs(["job_1"]);
    const warn = vi.fn();
    start(memory, {
      log: { ...quiet, warn },
      run: async () => {
        throw new JobLost();
      },
    });
    await expect.poll(() => memory.due.length + runner!.running).toBe(0);
    await runner!.stop();
    expect(memory.finished).toEqual([]);
    expect(warn).not.toHaveBeenCalled();
  });

  it("a runner that is woken while it claims does not claim twice, and one that has stopped not at all", async () => {
    const memory = memoryJobs(["job_1", "job_2", "job_3"]);
    const claim = memory.jobs.claim.getMockImplementation()!;
    memory.jobs.claim.mockImplementation(async (...args) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return claim(...args);
    });
    const woken = start(memory, {
      run: (_, lost) => new Promise((resolve) => lost.addEventListener("abort", () => resolve(0))),
    });
    woken.wake();
    woken.wake();
    await expect.poll(() => woken.running).toBe(2);
    expect(memory.jobs.claim).toHaveBeenCalledTimes(1);
    await woken.stop();
    woken.wake();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(memory.due).toEqual(["job_3"]);
  });

  it("a runner that has stopped leaves no timer", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const idle = start(memoryJobs([]), {});
    while (vi.getTimerCount() === 0) await nextTurn();
    await idle.stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("a job that is claimed while the runner stops is aborted, and is due immediately", async () => {
    const memory = memoryJobs([]);
    let claimed: (jobs: Job[]) => void = () => {};
    memory.jobs.claim.mockImplementationOnce(() => new Promise((resolve) => (claimed = resolve)));
    const signals: boolean[] = [];
    const stopped = start(memory, {
      run: async (_, lost) => {
        signals.push(lost.aborted);
        return lost.aborted ? 0 : 1000;
      },
    });
    await expect.poll(() => memory.jobs.claim.mock.calls.length).toBe(1);
    const end = stopped.stop();
    claimed([{ id: "job_1", owner: "me", wakes: 0, hints: 0 }]);
    await end;
    expect([signals, memory.finished]).toEqual([[true], [["job_1", 0]]]);
  });

  it("nothing of a job is kept when it has ended, even if it still listens to its signal", async () => {
    setFlagsFromString("--expose-gc");
    const collectGarbage = runInNewContext("gc") as () => void;
    const memory = memoryJobs(["job_1"]);
    const kept: WeakRef<object>[] = [];
    start(memory, {
      async run(_, lost) {
        const read = { records: [] };
        kept.push(new WeakRef(read));
        lost.addEventListener("abort", () => read.records);
        return 1000;
      },
    });
    await expect.poll(() => memory.finished.length).toBe(1);
    await expect
      .poll(() => {
        collectGarbage();
        return kept.filter((one) => one.deref()).length;
      })
      .toBe(0);
  });

  it("a runner that stops aborts its jobs, and they are due immediately", async () => {
    const memory = memoryJobs(["job_1", "job_2", "job_3"]);
    const stopped = start(memory, {
      run: (_, lost) => new Promise((_, reject) => lost.addEventListener("abort", () => reject(lost.reason))),
    });
    await expect.poll(() => stopped.running).toBe(2);
    await stopped.stop();
    expect(memory.finished).toEqual([
      ["job_1", 0],
      ["job_2", 0],
    ]);
    expect(memory.due).toEqual(["job_3"]);
  });
});
