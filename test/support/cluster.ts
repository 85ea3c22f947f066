import { hash, randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { createStrictPlatform } from "./platform.ts";
import { newDataDir, type PlugboardProcess, startPlugboard } from "./process.ts";
import { createWorkspaces } from "./workspace.ts";

export interface Member extends PlugboardProcess {
  /** The value of a metric, summed over its labels; undefined if it does not exist. */
  metric(name: string): Promise<number | undefined>;
}

export interface ClusterOptions {
  databaseUrl?: string;
  redisUrl?: string;
  members?: number;
  env?: Record<string, string>;
}

/** Plugboard processes on one database, set up as in production: no sandbox, and limits too high to matter. */
export async function startCluster({ databaseUrl, redisUrl, members = 2, env = {} }: ClusterOptions) {
  const folder = newDataDir();
  const settings: Record<string, string> = {
    DATA_DIR: folder,
    SANDBOX: "off",
    ALLOW_PRIVATE_UPSTREAMS: "true",
    RATE_LIMIT: "1000000/60",
    UNIFIED_RATE_LIMIT: "1000000/60",
    ...(databaseUrl ? { DATABASE_URL: databaseUrl, ENCRYPTION_KEY: hash("sha256", databaseUrl, "base64") } : {}),
    ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
    ...env,
  };
  const [key] = (await createWorkspaces(settings, `cluster-${randomUUID()}`)) as [string];
  const processes = await Promise.all(Array.from({ length: members }, () => startPlugboard(settings)));
  const platform = createStrictPlatform(processes[0]!, key);

  return {
    key,
    env: settings,
    members: processes.map((process): Member => ({ ...process, metric: (name) => readMetric(process.url, name) })),
    /** An integration that leads to `url`, and one connection of it. `more` are further fields of the integration. */
    async connectTo(identifier: string, url: string, more: Record<string, unknown> = {}) {
      const { id } = await platform("POST", "/integrations", { identifier, type: "api_key", base_url: url, ...more });
      const addConnection = (token = "made-up"): Promise<{ id: string }> =>
        platform("POST", "/connections", { integration_id: id, auth_token: token });
      return { integration: id as string, connection: (await addConnection()).id, addConnection };
    },
    async close() {
      for (const process of processes) await process.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

async function readMetric(url: string, name: string): Promise<number | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const values = text
    .split("\n")
    .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    .map((line) => Number(line.slice(line.lastIndexOf(" ") + 1)));
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
}

/** A call of the Unified API over a connection. */
export const callUnified = (member: { url: string }, key: string, connection: string, path: string, retries = 0) =>
  fetch(`${member.url}/unified/v1${path}`, {
    headers: {
      authorization: `Bearer ${key}`,
      "svc-connection-id": connection,
      "svc-max-retries": String(retries),
    },
  });
