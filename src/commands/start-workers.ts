import { flushCompileCache } from "node:module";
import { isatty } from "node:tty";
import { Registry } from "prom-client";
import type { Config } from "../config/index.ts";
import type { Store } from "../contracts/store.ts";
import { createWorkerLogger, type Logger } from "../runtime/logger.ts";
import type { OpenTelemetry } from "../runtime/otel/index.ts";
import { collectProcessMetrics, createWorkerCounters, type MetricsReport } from "../runtime/process-metrics.ts";
import { type ForkedWorker, forkWorker } from "../runtime/workers/fork.ts";
import { createMetricsSum } from "../runtime/workers/metrics-sum.ts";
import { createSupervisor, type Supervisor } from "../runtime/workers/supervisor.ts";
import { announceStart } from "./start-output.ts";

const STDOUT = 1;
const SIGHUP_EXIT_CODE = 129;

/** Starts the workers and keeps them running. This process serves nothing itself: it hands out the connections. */
export async function startWorkers(config: Config): Promise<void> {
  const log = createWorkerLogger(config.logLevel);
  const registry = new Registry();
  collectProcessMetrics(registry);
  const { crashed, timedOut } = createWorkerCounters(registry);
  const own = () => registry.getMetricsAsJSON();
  const metrics = createMetricsSum({ own, timedOut });
  const otel = await startOpenTelemetry(config, log, own);

  const workers = new Set<ForkedWorker>();
  let allReady = false;

  function fork(): ForkedWorker {
    let received: ReturnType<typeof metrics.add> | undefined;
    const forked = forkWorker(config.port, allReady, (worker, message) => {
      switch (message.type) {
        case "ready":
          received = metrics.add({ ask: () => worker.send({ type: "report" }), ended: worker.ended });
          return;
        case "metrics":
          return received?.(message.report);
        case "render":
          void metrics.render().then((body) => worker.send({ type: "rendered", id: message.id, body }));
      }
    });
    workers.add(forked);
    void forked.ended.then(() => workers.delete(forked));
    return forked;
  }

  const supervisor = createSupervisor({
    count: config.workers,
    fork,
    log,
    crashed,
    gaveUp: () => process.exit(1),
    allReady() {
      allReady = true;
      for (const worker of workers) worker.send({ type: "all_ready" });
    },
  });
  handleSignals(supervisor, log, otel);
  const url = await supervisor.start();
  if (url === undefined) return;
  let store: Store | undefined;
  await announceStart({
    config,
    url,
    log,
    async store() {
      const { openStore } = await import("../open-store.ts");
      ({ store } = await openStore(config, log));
      return store;
    },
  });
  await store?.close();
  flushCompileCache();
}

/** What this process sends itself: its own metrics and logs. Each worker sends the rest. */
async function startOpenTelemetry({ telemetry, proxy }: Config, log: Logger, metrics: () => Promise<MetricsReport>) {
  if (!telemetry) return undefined;
  const { createOpenTelemetry } = await import("../runtime/otel/index.ts");
  const settings = { ...telemetry, traces: undefined };
  return createOpenTelemetry({ settings, proxy, log, metrics, dropped: () => {} });
}

function handleSignals(supervisor: Supervisor, log: Logger, otel: OpenTelemetry | undefined): void {
  const startedInTerminal = isatty(STDOUT);
  let stopping = false;
  async function stop(signal: NodeJS.Signals): Promise<void> {
    // The workers end with this process.
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ signal }, "stopping: waiting for the workers");
    const clean = await supervisor.stop(signal);
    await otel?.close();
    log.info("stopped");
    process.exit(clean ? 0 : 1);
  }
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  process.on("SIGHUP", () => {
    // A terminal that was closed sends it too, and ends a process without workers in the same way.
    if (startedInTerminal && !isatty(STDOUT)) process.exit(SIGHUP_EXIT_CODE);
    void supervisor.restart();
  });
}
