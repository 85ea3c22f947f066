import type { Logger } from "../logger.ts";

/** Delays before a failed start is repeated, by the number of failures. */
const START_DELAYS_MS = [100, 1_000, 5_000, 10_000, 30_000];
/** A worker that served for less than this is replaced after a pause, to avoid a tight loop of starts. */
const SHORT_LIFE_MS = 10_000;
const SHORT_LIFE_PAUSE_MS = 1_000;
/** If this many starts in a row fail and no other worker serves, there is no point in trying again. */
const MAX_FAILED_STARTS = 5;
/** A worker that is not ready after this long is reported: it may wait for a lock in the database. */
const SLOW_START_MS = 30_000;
/** Longer than a worker may take to finish its requests and to store refreshed tokens. */
const STOP_TIMEOUT_MS = 60_000;

export interface WorkerExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface WorkerProcess {
  readonly pid: number;
  /** Resolves with its address once it serves requests. */
  readonly ready: Promise<string>;
  readonly ended: Promise<WorkerExit>;
  kill(signal: NodeJS.Signals): void;
}

interface SupervisorOptions {
  count: number;
  fork(): WorkerProcess;
  log: Pick<Logger, "info" | "error">;
  /** A worker exited although nobody stopped it. */
  crashed(): void;
  /** No worker serves, and none can be started. */
  gaveUp(): void;
  /** Every worker, or one in its place, has been ready. Called once. */
  allReady(): void;
}

/** The place of one worker: the worker changes, the place stays. */
interface Slot {
  worker: WorkerProcess | undefined;
  /** A worker that is not ready yet. */
  starting: { worker: WorkerProcess; settled: Promise<unknown> } | undefined;
  /** Whether a rolling restart is starting the next worker. */
  replacing: boolean;
  /** Whether there has been a worker that was ready. */
  hasServed: boolean;
}

export interface Supervisor {
  /** Starts the workers and resolves with their address; undefined if the first one cannot be started. */
  start(): Promise<string | undefined>;
  /** Replaces the workers one by one; each new one serves before an old one stops. */
  restart(): Promise<void>;
  /** Stops all workers, and resolves to whether all exited cleanly. */
  stop(signal: NodeJS.Signals): Promise<boolean>;
}

/** Keeps a number of workers running. */
export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { count, fork, log, crashed, gaveUp } = options;
  const slots: Slot[] = Array.from({ length: count }, () => ({
    worker: undefined,
    starting: undefined,
    replacing: false,
    hasServed: false,
  }));
  const running = new Set<WorkerProcess>();
  let stopping = false;
  let restarting: Promise<void> | undefined;
  /** How many were asked for: now, and when a worker was started. */
  let restarts = 0;
  const startedAfter = new WeakMap<WorkerProcess, number>();
  let reportedReady = false;

  /** Starts a worker for a slot; undefined if it exited before it was ready. */
  async function launch(slot: Slot): Promise<WorkerProcess | undefined> {
    let worker: WorkerProcess;
    try {
      worker = fork();
    } catch (error) {
      log.error({ err: error }, "cannot start a worker");
      return undefined;
    }
    running.add(worker);
    void worker.ended.then(() => running.delete(worker));
    startedAfter.set(worker, restarts);
    const timer = setTimeout(
      () => log.error({ worker: worker.pid }, "a worker is not ready after 30 s: still waiting for it"),
      SLOW_START_MS,
    );
    const settled = Promise.race([worker.ready.then(() => true), worker.ended.then(() => false)]).then((isReady) => {
      clearTimeout(timer);
      slot.starting = undefined;
      if (isReady) assign(slot, worker);
      return isReady ? worker : undefined;
    });
    slot.starting = { worker, settled };
    return settled;
  }

  function assign(slot: Slot, worker: WorkerProcess): void {
    slot.worker = worker;
    slot.hasServed = true;
    if (!reportedReady && slots.every(({ hasServed }) => hasServed)) {
      reportedReady = true;
      options.allReady();
    }
    const servesSince = performance.now();
    void worker.ended.then(({ code, signal }) => {
      if (stopping || slot.worker !== worker) return;
      slot.worker = undefined;
      crashed();
      log.error({ worker: worker.pid, code, signal }, "worker exited unexpectedly: starting another");
      const servedLong = performance.now() - servesSince >= SHORT_LIFE_MS;
      if (!slot.replacing) void refill(slot, servedLong ? 0 : SHORT_LIFE_PAUSE_MS);
    });
  }

  async function fill(slot: Slot): Promise<boolean> {
    const worker = await launch(slot);
    if (!worker && !stopping) log.error("a worker exited before it was ready");
    return worker !== undefined;
  }

  async function refill(slot: Slot, pauseMs = START_DELAYS_MS[0]!): Promise<void> {
    let pause = pauseMs;
    for (let failures = 0; ; failures++) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      if (stopping || (await fill(slot)) || stopping) return;
      if (failures + 1 >= MAX_FAILED_STARTS && slots.every(({ worker }) => !worker)) return gaveUp();
      pause = START_DELAYS_MS[Math.min(failures, START_DELAYS_MS.length - 1)]!;
    }
  }

  async function replaceAll(restart: number): Promise<void> {
    const isOlder = (worker: WorkerProcess) => startedAfter.get(worker)! < restart;
    log.info("rolling restart: replacing the workers one by one");
    for (const slot of slots) {
      // It may have loaded what has been replaced since.
      if (slot.starting && isOlder(slot.starting.worker)) await slot.starting.settled;
      const previous = slot.worker;
      // A worker that has just ended is being started again anyway.
      if (stopping || !previous || !isOlder(previous)) continue;
      slot.replacing = true;
      const worker = await launch(slot);
      slot.replacing = false;
      if (!worker) {
        if (stopping) return;
        log.error("rolling restart: the new worker exited before it was ready, so the others stay as they are");
        if (!slot.worker) void refill(slot);
        return;
      }
      log.info({ worker: worker.pid, replaces: previous.pid }, "rolling restart: a new worker is ready");
      await end(previous, "SIGTERM");
    }
    log.info("rolling restart: done");
  }

  async function end(worker: WorkerProcess, signal: NodeJS.Signals): Promise<WorkerExit> {
    const timer = setTimeout(() => {
      log.error({ worker: worker.pid }, "a worker does not stop: killing it");
      worker.kill("SIGKILL");
    }, STOP_TIMEOUT_MS);
    worker.kill(signal);
    return worker.ended.finally(() => clearTimeout(timer));
  }

  return {
    async start() {
      const [first, ...others] = slots as [Slot, ...Slot[]];
      // Alone, so that it migrates the database, and what keeps it from starting is reported once.
      const worker = await launch(first);
      if (!worker) {
        if (!stopping) gaveUp();
        return undefined;
      }
      await Promise.all(
        others.map(async (slot) => {
          if (!(await fill(slot)) && !stopping) void refill(slot);
        }),
      );
      return stopping ? undefined : worker.ready;
    },
    restart() {
      restarts++;
      restarting ??= (async () => {
        for (let done = 0; done < restarts && !stopping; ) {
          done = restarts;
          await replaceAll(done);
        }
        restarting = undefined;
      })();
      return restarting;
    },
    async stop(signal) {
      stopping = true;
      const serving = new Set(slots.map(({ worker }) => worker));
      const clean = [...running].map(async (worker) => {
        const { code } = await end(worker, signal);
        // One that was still starting does not handle signals yet.
        return code === 0 || !serving.has(worker);
      });
      return (await Promise.all(clean)).every(Boolean);
    },
  };
}
