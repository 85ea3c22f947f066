import Fastify, { type FastifyBaseLogger, LogController } from "fastify";
import { ConfigError, readConfig } from "../config/index.ts";
import { isLoopback } from "../contracts/network.ts";
import { loadRegistry } from "../registry.ts";
import { createLogger, createStartLogger } from "../runtime/logger.ts";
import { createSandbox } from "../sandbox/index.ts";
import { SANDBOX_SECRET } from "../sandbox-workspace.ts";
import { rethrowListenError } from "./listen-errors.ts";
import { readArgs, UsageError } from "./usage.ts";

/** Serves only the emulated providers, for testing other clients against them. */
export async function run(args: string[]): Promise<void> {
  const { values } = readArgs({ args, options: { port: { type: "string" } } });
  if (values.port !== undefined && !/^\d{1,5}$/.test(values.port)) throw new UsageError("--port must be a port number");
  const config = readConfig({ ...process.env, ...(values.port ? { PORT: values.port } : {}) });
  if (!config.sandbox && !isLoopback(config.host))
    throw new ConfigError([
      `SANDBOX: must be public, not off, to serve the emulated providers with HOST=${config.host}, which other machines may reach`,
    ]);
  const { providers, emulators } = await loadRegistry(config);
  const log = createLogger(config.logLevel);
  const sandbox = createSandbox({ providers, emulators, secret: SANDBOX_SECRET });
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { maxParamLength: 2_000 },
  });
  await app.register(sandbox.plugin, { prefix: "/sandbox" });
  const { host, port } = config;
  const url = await app.listen({ host, port }).catch((error) => rethrowListenError(error, config));
  const ready = `The emulated providers are at ${url}/sandbox/<provider>: ${Object.keys(emulators).join(", ")}`;
  if (process.stdout.isTTY) console.log(ready);
  else createStartLogger(log).info(ready);
  const stop = () => void app.close().then(() => process.exit(0));
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}
