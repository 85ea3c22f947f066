import cluster from "node:cluster";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { type Config, readConfig } from "../config.ts";
import { rethrowListenError } from "./listen-errors.ts";
import { readArgs } from "./usage.ts";

/** Serves in this process or, with several workers, starts them. Both are loaded on demand: the second needs little memory. */
export async function run(args: string[]): Promise<void> {
  readArgs({ args, options: {} });
  const config = await withPort(process.env);
  if (config.workers > 1 && cluster.isPrimary) {
    const { startWorkers } = await import("./start-workers.ts");
    return startWorkers(config);
  }
  const { serve } = await import("./serve.ts");
  return serve(config);
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
