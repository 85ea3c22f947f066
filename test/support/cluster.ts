import { randomBytes, randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { newDataDir, type Running, start } from "./command.ts";
import { createPlatform } from "./platform.ts";
import { newWorkspaces } from "./workspace.ts";

export interface Member extends Running {
  /** The value of a metric, summed over its labels; undefined where there is none of this name. */
  metric(name: string): Promise<number | undefined>;
}

export interface ClusterOptions {
  databaseUrl?: string;
  redisUrl?: string;
  members?: number;
  env?: Record<string, string>;
}

/** Plugboard processes on one database, as one would run them: no sandbox, limits out of the way. */
export async function startCluster({ databaseUrl, redisUrl, members = 2, env = {} }: ClusterOptions) {
  const folder = newDataDir();
  const settings: Record<string, string> = {
    DATA_DIR: folder,
    SANDBOX: "off",
    ALLOW_PRIVATE_UPSTREAMS: "true",
    RATE_LIMIT: "1000000/60",
    UNIFIED_RATE_LIMIT: "1000000/60",
    ...(databaseUrl ? { DATABASE_URL: databaseUrl, ENCRYPTION_KEY: randomBytes(32).toString("base64") } : {}),
    ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
    ...env,
  };
  const [key] = (await newWorkspaces(settings, `cluster-${randomUUID()}`)) as [string];
  const running = await Promise.all(Array.from({ length: members }, () => start(settings)));
  const first = createPlatform(running[0]!, key);

  async function create(path: string, body: object): Promise<any> {
    const answer = await first("POST", path, body);
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  }

  return {
    key,
    env: settings,
    members: running.map((member): Member => ({ ...member, metric: (name) => readMetric(member.url, name) })),
    /** An integration of a provider that leads to `url`, and one connection of it. */
    async connectTo(identifier: string, url: string) {
      const integration = await create("/v1/integrations", { identifier, type: "api_key", base_url: url });
      const add = (token = "made-up"): Promise<{ id: string }> =>
        create("/v1/connections", { integration_id: integration.id, auth_token: token });
      return { integration: integration.id as string, connection: (await add()).id, add };
    },
    async close() {
      for (const { child, ended } of running) {
        child.kill("SIGKILL");
        await ended;
      }
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

/** A call of a unified list over a connection; `limit` stays small, since the answer is not what is looked at. */
export const callUnified = (member: { url: string }, key: string, connection: string, path: string, retries = 0) =>
  fetch(`${member.url}/unified/v1${path}`, {
    headers: {
      authorization: `Bearer ${key}`,
      "svc-connection-id": connection,
      "svc-max-retries": String(retries),
    },
  });
