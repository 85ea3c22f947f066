// Redis in other forms than one server.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import tls from "node:tls";
import { Redis } from "ioredis";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Authority, type Certificate, createAuthority } from "../../test/support/certificates.ts";
import { freePort } from "../../test/support/postgres.ts";
import { ownRedis } from "../../test/support/redis.ts";
import { createCoordination } from "./index.ts";
import { readSentinels } from "./redis-address.ts";

const store = { locks: { acquire: async () => true, release: async () => {} } } as never;
const log = { info() {}, warn() {} };
const portOf = (url: string) => new URL(url).port;

/** An authority that this process trusts, as with NODE_EXTRA_CA_CERTS. */
function trustedAuthority(): Authority {
  const authority = createAuthority();
  const trusted = tls.getCACertificates();
  tls.setDefaultCACertificates([...trusted, readFileSync(authority.ca, "utf8")]);
  onTestFinished(() => {
    tls.setDefaultCACertificates(trusted);
    authority.remove();
  });
  return authority;
}

async function startRedis(settings: string[] = [], certificate?: Certificate) {
  const server = await ownRedis({ settings, ...(certificate ? { certificate } : {}) });
  onTestFinished(() => server?.drop());
  return server;
}

/** Runs a command on a new connection. */
async function send(port: number | string, command: string, ...args: string[]): Promise<any> {
  const client = new Redis(Number(port), "127.0.0.1", { retryStrategy: () => null });
  client.on("error", () => {});
  try {
    return await client.call(command, ...args);
  } finally {
    client.disconnect();
  }
}

/** `settings` are lines of its file. */
async function startSentinel(primary: string, ...settings: string[]): Promise<number> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "plugboard-sentinel-"));
  const file = join(folder, "sentinel.conf");
  const lines = [
    `port ${port}`,
    "bind 127.0.0.1",
    `dir ${folder}`,
    `sentinel monitor main 127.0.0.1 ${primary} 1`,
    "sentinel down-after-milliseconds main 1000",
    ...settings.map((line) => line.replace("PORT", String(port))),
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  const sentinel = spawn("redis-server", [file, "--sentinel"], { stdio: "ignore" });
  onTestFinished(async () => {
    sentinel.kill("SIGKILL");
    await once(sentinel, "exit");
    rmSync(folder, { recursive: true, force: true });
  });
  return port;
}

describe("Redis", () => {
  it("behind Sentinel, the primary is found, and the next one after a failover", async () => {
    const primary = await startRedis();
    if (!primary) return;
    const replica = await startRedis(["--replicaof", "127.0.0.1", portOf(primary.url)]);
    const replication = () => send(portOf(primary.url), "info", "replication");
    await expect.poll(replication).toContain("state=online");
    const sentinel = await startSentinel(portOf(primary.url));
    const coordination = await createCoordination({
      redisUrl: `redis+sentinel://127.0.0.1:9,127.0.0.1:${sentinel}/main/0`,
      store,
      log,
    });
    onTestFinished(() => coordination.close());
    const works = () => coordination.sharing!.works;
    const count = async () => (await coordination.consume("calls", { points: 10, seconds: 60 })).remaining;
    await expect.poll(works).toBe(true);
    const remaining = await count();
    expect(await count()).toBe(remaining - 1);

    const address = () => send(sentinel, "sentinel", "get-master-addr-by-name", "main");
    const failOver = () => send(sentinel, "sentinel", "failover", "main").catch((error: Error) => error.message);
    await expect.poll(failOver, { interval: 200 }).toBe("OK");
    await expect.poll(address).toEqual(["127.0.0.1", portOf(replica!.url)]);
    await expect
      .poll(async () => (await count()) && send(portOf(replica!.url), "keys", "plugboard:rate:*"))
      .not.toEqual([]);
    await expect.poll(works).toBe(true);
  });

  it("behind Sentinel, both encrypted, the primary is found", async () => {
    const authority = trustedAuthority();
    const certificate = authority.issue("IP:127.0.0.1");
    const primary = await startRedis([], certificate);
    if (!primary) return;
    const { cert, key } = certificate;
    const sentinel = await startSentinel(
      portOf(primary.url),
      ...["port 0", "tls-port PORT", "tls-replication yes", "tls-auth-clients no"],
      ...[`tls-cert-file ${cert}`, `tls-key-file ${key}`, `tls-ca-cert-file ${authority.ca}`],
    );
    const open = async (redisUrl: string) => {
      const coordination = await createCoordination({ redisUrl, store, log });
      onTestFinished(() => coordination.close());
      return coordination.sharing!;
    };
    const sharing = await open(`rediss+sentinel://127.0.0.1:${sentinel}/main`);
    await expect.poll(() => sharing.works).toBe(true);
    // An outage like any other, which keeps nothing from starting: no encryption, and no Sentinel.
    const unavailable = await Promise.all([sentinel, 9].map((port) => open(`redis+sentinel://127.0.0.1:${port}/main`)));
    expect(unavailable.map(({ works }) => works)).toEqual([false, false]);
  });

  it("a cluster is refused at the start, with what to use instead", async () => {
    const server = await startRedis(["--cluster-enabled", "yes"]);
    if (!server) return;
    await expect(createCoordination({ redisUrl: server.url, store, log })).rejects.toThrow(
      /^REDIS_URL: Redis Cluster is not supported; use one server, or one with replicas and Sentinel/,
    );
  });
});

describe("the address of Sentinels", () => {
  it("an address has several Sentinels, a name, a database and passwords", () => {
    expect(readSentinels("redis+sentinel://me:p%40ss@one:1,two,[::1]:3/my%20main/2?sentinel_password=s")).toEqual({
      sentinels: [
        { host: "one", port: 1 },
        { host: "two", port: 26_379 },
        { host: "::1", port: 3 },
      ],
      name: "my main",
      username: "me",
      password: "p@ss",
      db: 2,
      sentinelPassword: "s",
    });
    expect(readSentinels("rediss+sentinel://one/main")).toMatchObject({ tls: {}, enableTLSForSentinelMode: true });
  });

  it.each(["redis://one/0", "redis+sentinel://one", "redis+sentinel:///main", "redis+sentinel://one,/main"])(
    "%s is not an address of Sentinels",
    (address) => expect(readSentinels(address)).toBeUndefined(),
  );
});
