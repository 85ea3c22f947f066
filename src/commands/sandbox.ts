import Fastify, { type FastifyBaseLogger, LogController } from "fastify";
import { readConfig } from "../config.ts";
import { providers } from "../providers/registry.gen.ts";
import { loadEmulators } from "../providers/sandboxes.gen.ts";
import { createLogger } from "../runtime/logger.ts";
import { createSandbox } from "../sandbox/index.ts";
import { SANDBOX_SECRET } from "../sandbox-workspace.ts";
import { readArgs, UsageError } from "./usage.ts";

/** Serves only the emulated providers, for testing other clients against them. */
export async function run(args: string[]): Promise<void> {
  const { values } = readArgs({ args, options: { port: { type: "string" } } });
  if (values.port !== undefined && !/^\d{1,5}$/.test(values.port)) throw new UsageError("--port must be a port number");
  const config = readConfig({ ...process.env, ...(values.port ? { PORT: values.port } : {}) });
  const emulators = await loadEmulators();
  const sandbox = createSandbox({ providers, emulators, secret: SANDBOX_SECRET });
  const app = Fastify({
    loggerInstance: createLogger(config.logLevel) as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { maxParamLength: 2_000 },
  });
  await app.register(sandbox.plugin, { prefix: "/sandbox" });
  const url = await app.listen({ host: config.host, port: config.port });
  console.log(`The emulated providers are at ${url}/sandbox/<provider>: ${Object.keys(emulators).join(", ")}`);
  const stop = () => void app.close().then(() => process.exit(0));
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}
