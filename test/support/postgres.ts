import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, chownSync, copyFileSync, existsSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import type { Certificate } from "./certificates.ts";
import { childrenOf } from "./process.ts";

export interface TestDatabase {
  /** Connects to an empty schema that nothing else uses. */
  url: string;
  drop(): Promise<void>;
}

const DEFAULT_URL = "postgres://postgres@127.0.0.1:5432/test";

/**
 * An empty Postgres database for one test file: on the server at TEST_DATABASE_URL, or else at the default address, or
 * else on a temporary server if Postgres is installed. If there is none, it warns and returns undefined; with CI=true
 * it throws.
 */
export async function testDatabase(): Promise<TestDatabase | undefined> {
  const given = process.env.TEST_DATABASE_URL;
  const failure = await connectionFailure(given || DEFAULT_URL);
  if (!failure) return createSchema(given || DEFAULT_URL);
  if (given) throw new Error(`the database at TEST_DATABASE_URL is unavailable: ${failure}`);

  const programs = installedPrograms();
  if (programs) return startTemporaryServer(programs);

  const reason = `no Postgres at 127.0.0.1:5432 (${failure}), none installed, and TEST_DATABASE_URL is not set`;
  if (process.env.CI === "true") throw new Error(`Tests on Postgres cannot run: ${reason}`);
  console.warn(`Tests on Postgres are skipped: ${reason}`);
  return undefined;
}

/** Runs statements on a new connection. */
export async function query(url: string, statement: string): Promise<any[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3000 });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

async function connectionFailure(url: string): Promise<string | undefined> {
  try {
    await query(url, "select 1");
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code || (error as Error).message;
  }
}

async function createSchema(server: string): Promise<TestDatabase> {
  const schema = `plugboard_${randomBytes(6).toString("hex")}`;
  await query(server, `create schema ${schema}`);
  const url = new URL(server);
  url.searchParams.set("options", `-c search_path=${schema}`);
  return {
    url: url.href,
    async drop() {
      await query(server, `drop schema ${schema} cascade`);
    },
  };
}

async function startTemporaryServer(programs: string): Promise<TestDatabase> {
  const server = await startServer(programs);
  const database = await createSchema(server.url);
  return { url: database.url, drop: server.drop };
}

/** A server that a test can stop and start again with its data. */
export interface OwnPostgres extends TestDatabase {
  start(): Promise<void>;
  /** Kills every process of the server at once, as a power failure would. */
  kill(): Promise<void>;
  /** Keeps its connections open but does not answer. */
  freeze(): void;
  thaw(): void;
}

/** If Postgres is not installed, it warns and returns undefined; with CI=true it throws. */
export async function ownPostgres(options: { certificate?: Certificate } = {}): Promise<OwnPostgres | undefined> {
  const programs = installedPrograms();
  if (programs) return startServer(programs, options);
  const reason = "Postgres is not installed";
  if (process.env.CI === "true") throw new Error(`Tests that stop Postgres cannot run: ${reason}`);
  console.warn(`Tests that stop Postgres are skipped: ${reason}`);
  return undefined;
}

/** The settings of a server with a certificate, whose key only its owner may read. */
function encryption(certificate: Certificate, folder: string, { uid, gid }: { uid?: number; gid?: number }): string[] {
  const key = join(folder, "server.key");
  copyFileSync(certificate.key, key);
  chmodSync(key, 0o600);
  if (uid !== undefined) chownSync(key, uid, gid!);
  return ["ssl=on", `ssl_cert_file=${certificate.cert}`, `ssl_key_file=${key}`];
}

async function startServer(
  programs: string,
  { certificate }: { certificate?: Certificate } = {},
): Promise<OwnPostgres> {
  const folder = mkdtempSync(join(tmpdir(), "plugboard-postgres-"));
  // The server refuses to run as root.
  const owner = process.getuid?.() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : {};
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const options = { ...owner, cwd: folder };

  const data = join(folder, "data");
  const initialized = spawnSync(
    join(programs, "initdb"),
    ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"],
    options,
  );
  if (initialized.status !== 0) throw new Error(`initdb failed: ${initialized.stderr}`);
  const port = await freePort();
  const settings = [
    `listen_addresses=127.0.0.1`,
    `port=${port}`,
    `unix_socket_directories=${folder}`,
    "fsync=off",
    ...(certificate ? encryption(certificate, folder, owner) : []),
  ];
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let server: ChildProcess;

  async function start(): Promise<void> {
    for (;;) {
      const started = spawn(
        join(programs, "postgres"),
        ["-D", data, ...settings.flatMap((setting) => ["-c", setting])],
        { ...options, stdio: "ignore" },
      );
      server = started;
      while (isRunning(started)) {
        if (!(await connectionFailure(url))) return;
        await wait(20);
      }
      // Processes of a killed server may keep its shared memory for a moment.
      if (!existsSync(join(data, "postmaster.pid"))) throw new Error("The Postgres server did not start");
      await wait(100);
    }
  }

  const signal = (name: NodeJS.Signals) => {
    if (!isRunning(server)) return;
    for (const id of [server.pid!, ...childrenOf(server.pid!)]) {
      try {
        process.kill(id, name);
      } catch {
        // It has ended already.
      }
    }
  };

  async function kill(): Promise<void> {
    if (!isRunning(server)) return;
    const ended = once(server, "exit");
    // Stopped first, so that none of them starts another process in between.
    signal("SIGSTOP");
    signal("SIGKILL");
    await ended;
  }

  const killAtExit = () => signal("SIGKILL");
  process.once("exit", killAtExit);
  await start();
  return {
    url,
    start,
    kill,
    freeze: () => signal("SIGSTOP"),
    thaw: () => signal("SIGCONT"),
    async drop() {
      process.off("exit", killAtExit);
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const isRunning = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null;

/** Each of the server's processes has its own group, so a signal to one group would miss the others. */
const installedPrograms = (): string | undefined => globSync("/usr/lib/postgresql/*/bin").sort().at(-1);

const idOf = (which: "-u" | "-g"): number => Number(spawnSync("id", [which, "postgres"]).stdout);

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
