import type { RedisOptions } from "ioredis";
import { readSentinels } from "../../coordination/redis-address.ts";
import { CALL_TIMEOUT_MS, type Check, type CheckContext, compareClocks, inTime, reasonOf } from "./context.ts";
import type { FindingId } from "./findings.ts";

const OPTIONS: RedisOptions = {
  lazyConnect: true,
  connectTimeout: CALL_TIMEOUT_MS,
  commandTimeout: CALL_TIMEOUT_MS,
  maxRetriesPerRequest: 0,
  retryStrategy: () => null,
  sentinelRetryStrategy: () => null,
};
const NEARLY_FULL = 0.9;

/** Without the password. */
function serverOf(url: string): string {
  const { sentinels, name } = readSentinels(url) ?? {};
  if (sentinels)
    return `Redis ${name} of the Sentinels ${sentinels.map(({ host, port }) => `${host}:${port}`).join(", ")}`;
  const { hostname, port } = new URL(url);
  return `Redis at ${hostname}:${port || 6379}`;
}

export const redis: Check = {
  name: "Redis",
  async run(context) {
    const { redisUrl: url } = context.config;
    if (!url) return "REDIS_URL is not set";
    const { Redis } = await import("ioredis");
    const sentinels = readSentinels(url);
    const client = sentinels ? new Redis({ ...OPTIONS, ...sentinels }) : new Redis(url, OPTIONS);
    // What `connect` rejects with says only that there is no connection.
    let cause: Error | undefined;
    client.on("error", (error) => {
      cause ??= error;
    });
    const server = serverOf(url);
    try {
      await inTime(client.connect());
      await checkServer(context, server, client);
    } catch (error) {
      context.report(...describeFailure(cause ?? (error as Error), server));
    } finally {
      client.disconnect();
    }
    return undefined;
  },
};

function describeFailure(error: Error, server: string): [FindingId, string, string] {
  const [word = ""] = error.message.split(" ", 1);
  if (["WRONGPASS", "NOAUTH", "ERR"].includes(word))
    return [
      "redis-refused",
      `${server} refuses the user or the password (${word})`,
      "Correct the user and the password in REDIS_URL (special characters must be percent-encoded).",
    ];
  if (word === "NOPERM")
    return [
      "redis-rights",
      `${server} does not let this user run what rate limits, locks and invalidation need`,
      "Allow the user +info +time +eval +evalsha +incrby +pttl +pexpire +get +set +del +publish +subscribe for the keys and channels plugboard:*.",
    ];
  return [
    "redis-unreachable",
    `${server} cannot be used: ${reasonOf(error)}`,
    "Start Redis, or correct the host and the port in REDIS_URL; rediss:// is for TLS. Until then each process counts rate limits on its own.",
  ];
}

interface RedisCommands {
  info(): Promise<string>;
  time(): Promise<unknown[]>;
  eval(script: string, keys: number): Promise<unknown>;
}

async function checkServer(context: CheckContext, server: string, client: RedisCommands): Promise<void> {
  const { report } = context;
  const [seconds, microseconds] = await client.time();
  compareClocks(context, "Redis", Number(seconds) * 1000 + Number(microseconds) / 1000, context.machine.now());
  const info = await client.info();
  const fact = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, "m").exec(info)?.[1] ?? "";
  if (fact("cluster_enabled") === "1")
    report(
      "redis-cluster",
      `${server} is part of a Redis Cluster, which is not supported`,
      "Use one server, or one with replicas and Sentinel: REDIS_URL=redis+sentinel://host:26379,host:26379/name",
    );
  if (fact("role") === "slave")
    report(
      "redis-read-only",
      `${server} is a replica: nothing can be counted or locked there`,
      "Point REDIS_URL at the primary, or at the Sentinels that know it: redis+sentinel://host:26379,host:26379/name",
    );
  const [used, max] = [Number(fact("used_memory")), Number(fact("maxmemory"))];
  if (max > 0 && used > NEARLY_FULL * max)
    report(
      "redis-memory",
      `${server} uses ${Math.round((100 * used) / max)} % of its memory`,
      "Raise maxmemory, or give Plugboard a Redis of its own: it needs little.",
    );
  if (Number(fact("evicted_keys")) > 0)
    report(
      "redis-evicts",
      `${server} has removed ${fact("evicted_keys")} keys to free memory (${fact("maxmemory_policy")}), perhaps counters of rate limits`,
      "Raise maxmemory, or give Plugboard a Redis of its own: it needs little.",
    );
  // Changes nothing, and needs the rights that rate limits need.
  await client.eval("return 1", 0);
}
