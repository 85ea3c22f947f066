import cluster from "node:cluster";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { type Config, readConfig } from "../config/index.ts";
import { rethrowListenError } from "./listen-errors.ts";
import { readArgs } from "./usage.ts";

/** Serves in this process or, with several workers, starts them. Both are loaded on demand: the second needs little memory. */
export async function run(args: string[]): Promise<void> {
  readArgs({ args, options: {} });
  const { config, releasePort } = await withPort(process.env);
  if (config.workers > 1 && cluster.isPrimary) {
    await releasePort();
    const { startWorkers } = await import("./start-workers.ts");
    return startWorkers(config);
  }
  const { serve } = await import("./serve.ts");
  return serve(config, releasePort);
}

interface WithPort {
  config: Config;
  /** To be called right before the service listens: until then, nobody else gets the port. */
  releasePort(): Promise<void>;
}

/** Replaces port 0 with a free port, since the service's addresses are made from the port before it listens. */
export async function withPort(env: Record<string, string | undefined>): Promise<WithPort> {
  const config = readConfig(env);
  if (config.port !== 0) return { config, releasePort: async () => {} };
  const probe = createServer((socket) => socket.destroy())
    .listen(0, config.host)
    .unref();
  await once(probe, "listening").catch((error) => rethrowListenError(error, config));
  const { port } = probe.address() as AddressInfo;
  return {
    config: readConfig({ ...env, PORT: String(port) }),
    async releasePort() {
      probe.close();
      await once(probe, "close");
    },
  };
}
