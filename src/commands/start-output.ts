import { misspelledVariables } from "../config/index.ts";
import { createStartLogger } from "../runtime/logger.ts";
import { VERSION } from "../runtime/version.ts";
import { readyLine, type Started } from "./started.ts";

/** Says that the service is ready: to a person at a terminal with a link and a call to try, otherwise in the log. */
export async function announceStart(started: Started): Promise<void> {
  for (const { given, meant } of misspelledVariables(process.env))
    started.log.warn(`the environment variable ${given} is unknown and has no effect: did you mean ${meant}?`);
  if (!process.stdout.isTTY) return logStart(started);
  const { banner } = await import("./start-banner.ts");
  console.log(await banner(started));
}

/** Without keys and links: what is not a terminal is a file or a collector. */
function logStart(started: Started): void {
  const { config, url, log, sandbox } = started;
  if (sandbox)
    log.info(
      { file: sandbox.path },
      `the sandbox is on: every provider is emulated with made-up data. Its API key and all IDs are in ${sandbox.path}. To turn it off, set SANDBOX=off`,
    );
  else log.info("to create an API key: npx plugboard keys create --workspace NAME");
  if (config.dashboard && config.dashboardSignIn === "all")
    log.info("for a link that signs in to the dashboard: npx plugboard dashboard");
  // Last, because it is what scripts wait for.
  const workers = config.workers > 1 ? { workers: config.workers } : {};
  createStartLogger(log).info({ version: VERSION, url, reference: `${url}/docs`, ...workers }, readyLine(started));
}
