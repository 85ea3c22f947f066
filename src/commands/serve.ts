import cluster from "node:cluster";
import { flushCompileCache } from "node:module";
import type { Config } from "../config/index.ts";
import { createLogger, createWorkerLogger, type Logger } from "../runtime/logger.ts";
import { createMetrics } from "../runtime/metrics.ts";
import { keepTicksFast, releaseStartupMemory } from "../runtime/v8.ts";
import { connectToPrimary, type PrimaryLink } from "../runtime/workers/primary-link.ts";
import { sandboxFile } from "../sandbox-workspace.ts";
import { createService, type Service } from "../service.ts";
import { rethrowListenError } from "./listen-errors.ts";
import { announceStart } from "./start-output.ts";

/** How long idle connections stay open after SIGTERM. Ctrl+C (SIGINT) closes them immediately. */
const DRAIN_MS = 3_000;

/** Serves all surfaces in this process, alone or as one of several workers. */
export async function serve(config: Config, releasePort: () => Promise<void>): Promise<void> {
  const primary = cluster.isWorker ? connectToPrimary() : undefined;
  const log = primary ? createWorkerLogger(config.logLevel) : createLogger(config.logLevel);
  const metrics = createMetrics({ sumOverWorkers: primary?.sumOfMetrics });
  primary?.reportMetrics(metrics.report);
  const service = await createService(config, log, {}, { metrics, starting: primary && (() => !primary.allReady()) });
  stopOnSignal(service, log, primary);
  keepTicksFast();
  releaseStartupMemory();
  await releasePort();
  const url = await service.listen().catch((error) => rethrowListenError(error, config));
  if (primary) primary.ready(url);
  else
    await announceStart({
      config,
      url,
      log,
      store: async () => service.store,
      sandbox: service.sandbox && { content: service.sandbox.file, path: sandboxFile(config.dataDir) },
    });
  // Node writes the compile cache on exit. Writing it now makes the next start fast even if this process is killed.
  flushCompileCache();
}

function stopOnSignal(service: Service, log: Logger, primary: PrimaryLink | undefined): void {
  let stopping = false;
  async function stop(signal: NodeJS.Signals): Promise<void> {
    if (stopping) {
      // A worker may get a signal twice: from the primary, and from what signals all processes of a group.
      if (primary) return;
      process.exit(1);
    }
    stopping = true;
    log.info({ signal }, "stopping: waiting for requests in progress");
    try {
      await service.stop({ drainMs: signal === "SIGTERM" ? DRAIN_MS : 0 });
      await primary?.close();
      log.info("stopped");
      process.exit(0);
    } catch (error) {
      log.error({ err: error }, "shutdown failed");
      process.exit(1);
    }
  }
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}
