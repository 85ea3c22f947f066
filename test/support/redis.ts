import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Certificate } from "./certificates.ts";
import { freePort } from "./postgres.ts";

const PROGRAM = "redis-server";
const DEFAULT_URL = "redis://127.0.0.1:6379";

export interface TestRedis {
  url: string;
  drop(): Promise<void>;
}

/** A server that a test can stop and start again, empty. */
export interface OwnRedis extends TestRedis {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Keeps its connections open but does not answer. */
  freeze(): void;
  thaw(): void;
}

/**
 * The Redis at TEST_REDIS_URL, or else at the default address, or else a temporary one if Redis is installed. If there
 * is none, it warns and returns undefined; with CI=true it throws. It is shared with other tests: prefix every key.
 */
export async function testRedis(): Promise<TestRedis | undefined> {
  const given = process.env.TEST_REDIS_URL;
  if (await listens(given || DEFAULT_URL)) return { url: given || DEFAULT_URL, drop: async () => {} };
  if (given) throw new Error("the server at TEST_REDIS_URL is unavailable");
  return ownRedis();
}

export interface RedisServerOptions {
  /** It is then reached by TLS alone. */
  certificate?: Certificate;
  /** More of its settings, such as `--cluster-enabled`. */
  settings?: string[];
}

/** If Redis is not installed, it warns and returns undefined; with CI=true it throws. */
export async function ownRedis({
  certificate,
  settings: more = [],
}: RedisServerOptions = {}): Promise<OwnRedis | undefined> {
  if (spawnSync(PROGRAM, ["--version"]).status !== 0) {
    const reason = `${PROGRAM} is not installed`;
    if (process.env.CI === "true") throw new Error(`Tests on Redis cannot run: ${reason}`);
    console.warn(`Tests on Redis are skipped: ${reason}`);
    return undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), "plugboard-redis-"));
  const port = await freePort();
  const url = `${certificate ? "rediss" : "redis"}://127.0.0.1:${port}`;
  const ports = certificate
    ? ["--port", "0", "--tls-port", String(port), "--tls-auth-clients", "no"].concat(
        ["--tls-cert-file", certificate.cert, "--tls-key-file", certificate.key],
        ["--tls-ca-cert-file", certificate.cert],
      )
    : ["--port", String(port)];
  let server: ChildProcess | undefined;

  async function start(): Promise<void> {
    const settings = [...ports, "--bind", "127.0.0.1", "--save", "", "--dir", folder, ...more];
    const started = spawn(PROGRAM, settings, { stdio: "ignore" });
    server = started;
    while (!(await listens(url))) {
      if (started.exitCode !== null) throw new Error(`${PROGRAM} did not start`);
    }
  }

  async function stop(): Promise<void> {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, "exit");
    server.kill("SIGKILL");
    await ended;
  }

  const killAtExit = () => void server?.kill("SIGKILL");
  process.once("exit", killAtExit);
  await start();
  return {
    url,
    start,
    stop,
    freeze: () => server?.kill("SIGSTOP"),
    thaw: () => server?.kill("SIGCONT"),
    async drop() {
      process.off("exit", killAtExit);
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function listens(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port || 6379), hostname);
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
