import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { afterAll, describe } from "vitest";
import type { Store } from "../../src/contracts/store.ts";
import { createStore, type StoreOptions } from "../../src/store/index.ts";
import { keysFromText } from "../../src/store/secrets/key-source.ts";
import { createKeyring } from "../../src/store/secrets/vault.ts";
import { testDatabase } from "./postgres.ts";

/** An empty database for one test file, which can also be read without the store. */
export interface AnyDatabase {
  name: "SQLite" | "Postgres";
  url: string;
  /** Makes a service use it. */
  env: Record<string, string>;
  run(statement: string): Promise<any[]>;
  /** Everything in the database, as stored. */
  bytes(): Promise<string>;
  drop(): Promise<void>;
}

/** A database that a suite opens. It ends with the suite. */
export interface OpenDatabase extends AnyDatabase {
  /** Opens the store, as one of several processes that share the database and its key. */
  open(options?: Partial<StoreOptions>): Promise<Store>;
}

/** An empty database of each kind that is available. */
export async function testDatabases(): Promise<AnyDatabase[]> {
  const postgres = await testDatabase();
  return [sqliteDatabase(), ...(postgres ? [postgresDatabase(postgres)] : [])];
}

/** Runs a suite on an empty database of each kind. */
export async function describeDatabases(title: string, suite: (database: OpenDatabase) => void): Promise<void> {
  for (const database of await testDatabases())
    describe(`${title} on ${database.name}`, () => {
      const keyring = createKeyring(keysFromText(randomBytes(32).toString("base64")));
      const stores: Store[] = [];
      // The last hook that runs: hooks run in the reverse order at the end.
      afterAll(async () => {
        await Promise.all(stores.map((store) => store.close()));
        await database.drop();
      });
      suite({
        ...database,
        async open(options) {
          const store = await createStore({ url: withoutWaiting(database.url), keyring, ...options });
          stores.push(store);
          return store;
        },
      });
    });
}

/** Postgres need not wait for the disk: tests that crash a server have one of their own. */
function withoutWaiting(text: string): string {
  if (text.startsWith("sqlite:")) return text;
  const url = new URL(text);
  url.searchParams.set("options", `${url.searchParams.get("options")} -c synchronous_commit=off`);
  return url.href;
}

/** An empty SQLite database for a file whose subject is not the database. */
export function testSqlite(): AnyDatabase {
  const database = sqliteDatabase();
  afterAll(() => database.drop());
  return database;
}

function sqliteDatabase(): AnyDatabase {
  const folder = mkdtempSync(join(tmpdir(), "plugboard-store-"));
  const file = join(folder, "plugboard.db");
  return {
    name: "SQLite",
    url: `sqlite:${file}`,
    env: { DATA_DIR: folder },
    async run(statement) {
      const database = new DatabaseSync(file, { timeout: 60_000 });
      try {
        return database.prepare(statement).all();
      } finally {
        database.close();
      }
    },
    // The database, its write-ahead log, and any other file of the folder.
    bytes: async () =>
      readdirSync(folder)
        .map((name) => readFileSync(join(folder, name), "latin1"))
        .join("\n"),
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

function postgresDatabase({ url, drop }: { url: string; drop(): Promise<void> }): AnyDatabase {
  // Opening a connection takes longer than most statements.
  const pool = new pg.Pool({ connectionString: url });
  // The server may close one that is idle.
  pool.on("error", () => {});
  const run = async (statement: string) => (await pool.query(statement)).rows;
  return {
    name: "Postgres",
    url,
    env: { DATABASE_URL: url },
    run,
    async bytes() {
      const tables = await run("select tablename from pg_tables where schemaname = current_schema()");
      const rows = await Promise.all(tables.map(({ tablename }) => run(`select * from ${tablename}`)));
      return JSON.stringify(rows);
    },
    async drop() {
      await pool.end();
      await drop();
    },
  };
}
