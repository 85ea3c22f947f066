import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chownSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

  const programs = globSync("/usr/lib/postgresql/*/bin").sort().at(-1);
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
  const server = spawn(join(programs, "postgres"), ["-D", data, ...settings.flatMap((setting) => ["-c", setting])], {
    ...options,
    stdio: "ignore",
  });
  const stop = () => server.kill("SIGINT");
  process.once("exit", stop);

  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  while (await refusalOf(url)) {
    if (server.exitCode !== null) throw new Error("The temporary Postgres server did not start");
  }
  const database = await createSchema(url);
  return {
    url: database.url,
    async drop() {
      process.off("exit", stop);
      stop();
      await once(server, "exit");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

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
