import { randomUUID } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Due, type EventStore, type Job, type JobKind, JobLost } from "../contracts/events.ts";
import type { BasicLogger } from "../contracts/telemetry.ts";
import { createOutageLog } from "./outage-log.ts";

/** Lease duration. If a process dies, its jobs are taken over after this time. */
const LEASE_MS = 30_000;
/** How often the store is asked for due jobs if nothing in this process wakes the runner. */
const POLL_MS = 1_000;
/** How soon a job is retried after an internal error, such as an unavailable database. */
const RETRY_MS = 10_000;

export interface JobRunnerOptions {
  store: Pick<EventStore, "jobs">;
  log: BasicLogger;
  kind: JobKind;
  /** How many jobs run in parallel in this process. */
  concurrency: number;
  /** Does the job and returns when it is due again. It must return soon after `lost` is aborted. */
  run(job: Job, lost: AbortSignal): Promise<Due>;
  leaseMs?: number;
  pollMs?: number;
}

export interface JobRunner {
  start(): void;
  /** Looks for due jobs now instead of at the next poll. */
  wake(): void;
  /** Jobs that are running in this process. */
  readonly running: number;
  /** Aborts the running jobs and waits until they have stopped. */
  stop(): Promise<void>;
}

/** Claims due jobs of one kind and runs them in parallel. Any number of processes may do this over one store. */
export function createJobRunner(options: JobRunnerOptions): JobRunner {
  const { store, log, kind, concurrency, run, leaseMs = LEASE_MS, pollMs = POLL_MS } = options;
  const outage = createOutageLog(log, {
    failed: `could not claim ${kind} jobs`,
    works: `${kind} jobs are claimed again`,
  });
  let stopping = false;
  /**
   * Each running job with what aborts it. Not one signal of all jobs that theirs follow: Node would keep every signal that
   * a job has listened to, and all that the job has read, until the process stops.
   */
  const running = new Map<Promise<void>, AbortController>();
  let timer: NodeJS.Timeout | undefined;
  let claiming: Promise<void> | undefined;
  let woken = false;

  async function runJob(job: Job, aborted: AbortController): Promise<void> {
    let isLost = false;
    const lose = () => {
      isLost = true;
      aborted.abort();
    };
    const renewal = setInterval(() => {
      store.jobs.renew(job, leaseMs).then(
        (owned) => owned || lose(),
        // The lease may last until the next renewal. If not, the job's own check of it fails.
        (error) => log.warn({ err: error, job: job.id }, "could not renew the lease of a job"),
      );
    }, leaseMs / 3);
    const due = await run(job, aborted.signal).catch((error: unknown) => {
      if (error instanceof JobLost) lose();
      else if (!isLost && !stopping) log.warn({ err: error, job: job.id }, "a job failed");
      return stopping ? 0 : RETRY_MS;
    });
    clearInterval(renewal);
    if (isLost) return;
    await store.jobs
      .finish(job, due)
      // The job is due again when its lease has expired.
      .catch((error: unknown) => log.warn({ err: error, job: job.id }, "could not end a job"));
  }

  async function claimDue(): Promise<void> {
    while (!stopping && running.size < concurrency) {
      woken = false;
      const claimed = await store.jobs.claim(kind, randomUUID(), concurrency - running.size, leaseMs);
      outage.worked();
      for (const job of claimed) {
        const aborted = new AbortController();
        // It was claimed while the runner was stopped.
        if (stopping) aborted.abort();
        const done: Promise<void> = runJob(job, aborted).finally(() => {
          running.delete(done);
          wake();
        });
        running.set(done, aborted);
      }
      if (claimed.length === 0) return;
    }
  }

  function wake(): void {
    woken = true;
    if (stopping || claiming) return;
    clearTimeout(timer);
    // Jobs that end in the same turn of the event loop are replaced by one claim.
    claiming = nextTurn()
      .then(claimDue)
      .catch(outage.failed)
      .finally(() => {
        claiming = undefined;
        if (stopping) return;
        // A job may have ended while the runner was at its limit.
        if (woken && running.size < concurrency) return wake();
        timer = setTimeout(wake, pollMs);
      });
  }

  return {
    start: wake,
    wake,
    get running() {
      return running.size;
    },
    async stop() {
      stopping = true;
      for (const aborted of running.values()) aborted.abort();
      clearTimeout(timer);
      await claiming;
      await Promise.all(running.keys());
    },
  };
}
