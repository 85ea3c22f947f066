import { once } from "node:events";
import { flushCompileCache } from "node:module";
import { type AddressInfo, createServer } from "node:net";
import { type Config, readConfig } from "../config.ts";
import type { Store } from "../contracts/store.ts";
import { createSignInLink, defaultWorkspace } from "../dashboard-link.ts";
import { providers } from "../providers/registry.gen.ts";
import { createLogger, createStartLogger, type Logger } from "../runtime/logger.ts";
import { keepTicksFast, releaseStartupMemory } from "../runtime/v8.ts";
import { exampleCall, sandboxFile } from "../sandbox-workspace.ts";
import { createService, type Service } from "../service.ts";
import { rethrowListenError } from "./listen-errors.ts";
import { readArgs } from "./usage.ts";

/** How long idle connections stay open after SIGTERM. Ctrl+C (SIGINT) closes them at once. */
const DRAIN_MS = 3_000;

export async function run(args: string[]): Promise<void> {
  readArgs({ args, options: {} });
  const config = await withPort(process.env);
  const log = createLogger(config.logLevel);
  const service = await createService(config, log);
  stopOnSignal(service, log);
  keepTicksFast();
  releaseStartupMemory();
  const url = await service.listen().catch((error) => rethrowListenError(error, config));
  if (process.stdout.isTTY) console.log(await banner(config, service, url));
  else logStart(config, service, url, log);
  // Node writes the compile cache on exit. Writing it now makes the next start fast even if this process is killed.
  flushCompileCache();
}

/** Replaces port 0 with a free port, since the service's addresses are made from the port before it listens. */
export async function withPort(env: Record<string, string | undefined>): Promise<Config> {
  const config = readConfig(env);
  if (config.port !== 0) return config;
  const probe = createServer().listen(0, config.host);
  await once(probe, "listening").catch((error) => rethrowListenError(error, config));
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return readConfig({ ...env, PORT: String(port) });
}

/** For a person at a terminal. Anywhere else, output ends up in files and collectors, where no key belongs. */
async function banner(config: Config, { sandbox, store }: Service, url: string): Promise<string> {
  const lines = [`Plugboard is ready at ${url}`, ""];
  if (config.dashboard) lines.push(...(await dashboardLines(config, store)));
  if (sandbox) {
    const call = exampleCall(sandbox.file, providers, config.headerPrefix);
    lines.push(
      "The sandbox is on: every provider is emulated with made-up data. To turn it off, set SANDBOX=off.",
      `  API key    ${sandbox.file.api_key}`,
      ...(call ? [`  Try        ${call}`] : []),
      `  All IDs    ${sandboxFile(config.dataDir)}`,
    );
  } else lines.push("  API key    npx plugboard keys create --workspace NAME");
  lines.push(`  Reference  ${url}/docs`, "");
  return lines.join("\n");
}

async function dashboardLines(config: Config, store: Store): Promise<string[]> {
  const workspace = await defaultWorkspace(store, config);
  if (!workspace) return [`  Dashboard  ${config.dashboardUrl}`];
  return [
    `  Dashboard  ${await createSignInLink(store, config, workspace)}`,
    "             (works once, within 15 minutes; for another link: npx plugboard dashboard)",
  ];
}

function logStart(config: Config, { sandbox }: Service, url: string, log: Logger): void {
  const file = sandboxFile(config.dataDir);
  if (sandbox)
    log.info(
      { file },
      `the sandbox is on: every provider is emulated with made-up data. Its API key and all IDs are in ${file}. To turn it off, set SANDBOX=off`,
    );
  else log.info("to create an API key: npx plugboard keys create --workspace NAME");
  if (config.dashboard) log.info("for a link that signs in to the dashboard: npx plugboard dashboard");
  // Last, because it is what scripts wait for.
  createStartLogger(log).info({ url, reference: `${url}/docs` }, `Plugboard is ready at ${url}`);
}

function stopOnSignal(service: Service, log: Logger): void {
  let stopping = false;
  async function stop(signal: NodeJS.Signals): Promise<void> {
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ signal }, "stopping: waiting for requests in progress");
    try {
      await service.stop({ drainMs: signal === "SIGTERM" ? DRAIN_MS : 0 });
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
