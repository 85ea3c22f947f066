import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chownSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";

export interface TestDatabase {
  /** The address of an empty schema that nobody else uses. */
  url: string;
  drop(): Promise<void>;
}

const USUAL_URL = "postgres://postgres@127.0.0.1:5432/test";

/**
 * An empty Postgres database for one test file: on the server at TEST_DATABASE_URL, else on the one at its usual
 * address, else on a temporary server where its programs are installed. Undefined, with a message that says why, where
 * there is none; with CI=true that is a failure.
 */
export async function testDatabase(): Promise<TestDatabase | undefined> {
  const given = process.env.TEST_DATABASE_URL;
  const refusal = await refusalOf(given || USUAL_URL);
  if (!refusal) return createSchema(given || USUAL_URL);
  if (given) throw new Error(`TEST_DATABASE_URL names a database that does not answer: ${refusal}`);

  const programs = installedPrograms();
  if (programs) return startTemporaryServer(programs);

  const reason = `no Postgres at 127.0.0.1:5432 (${refusal}), none installed, and TEST_DATABASE_URL is not set`;
  if (process.env.CI === "true") throw new Error(`Tests on Postgres cannot run: ${reason}`);
  console.warn(`Tests on Postgres are skipped: ${reason}`);
  return undefined;
}

/** Runs statements on a connection of its own. */
export async function query(url: string, statement: string): Promise<any[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3000 });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

async function refusalOf(url: string): Promise<string | undefined> {
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
  const server = await startOwn(programs);
  const database = await createSchema(server.url);
  return { url: database.url, drop: server.drop };
}

/** A server of the test's own, which it can take away and bring back with all that was written. */
export interface OwnPostgres extends TestDatabase {
  start(): Promise<void>;
  /** As if the machine had lost its power: every process of the server ends at once. */
  kill(): Promise<void>;
  /** Keeps its connections and says nothing. */
  freeze(): void;
  thaw(): void;
}

/** Undefined where its programs are not installed, by the same rules as above. */
export async function ownPostgres(): Promise<OwnPostgres | undefined> {
  const programs = installedPrograms();
  if (programs) return startOwn(programs);
  const reason = "its programs are not installed";
  if (process.env.CI === "true") throw new Error(`Tests on a Postgres of their own cannot run: ${reason}`);
  console.warn(`Tests on a Postgres of their own are skipped: ${reason}`);
  return undefined;
}

async function startOwn(programs: string): Promise<OwnPostgres> {
  const folder = mkdtempSync(join(tmpdir(), "plugboard-postgres-"));
  // The server refuses to run as root.
  const owner = process.getuid?.() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : {};
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const options = { ...owner, cwd: folder };

  const data = join(folder, "data");
  const made = spawnSync(join(programs, "initdb"), ["-D", data, "-U", "postgres", "-A", "trust", "--no-sync"], options);
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await freePort();
  const settings = [`listen_addresses=127.0.0.1`, `port=${port}`, `unix_socket_directories=${folder}`, "fsync=off"];
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
      while (hasNotEnded(started)) {
        if (!(await refusalOf(url))) return;
        await wait(20);
      }
      // Processes of one that was killed may hold its memory for a moment longer.
      if (!existsSync(join(data, "postmaster.pid"))) throw new Error("The Postgres server did not start");
      await wait(100);
    }
  }

  const signal = (name: NodeJS.Signals) => {
    if (!hasNotEnded(server)) return;
    for (const id of [server.pid!, ...childrenOf(server.pid!)]) {
      try {
        process.kill(id, name);
      } catch {
        // It ended by itself.
      }
    }
  };

  async function kill(): Promise<void> {
    if (!hasNotEnded(server)) return;
    const ended = once(server, "exit");
    // Nobody may start anew between the two.
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

const hasNotEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null;

/** The server's processes have groups of their own, so that a signal to its group would miss them. */
const childrenOf = (parent: number): number[] =>
  readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8").split(" ").filter(Boolean).map(Number);

const installedPrograms = (): string | undefined => globSync("/usr/lib/postgresql/*/bin").sort().at(-1);

const idOf = (which: "-u" | "-g"): number => Number(spawnSync("id", [which, "postgres"]).stdout);

/** A port that nobody listened on a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
