import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { query, testDatabase } from "./postgres.ts";

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

/** One database of each kind, so that a suite can run on both. */
export async function testDatabases(): Promise<AnyDatabase[]> {
  const postgres = await testDatabase();
  return [sqliteDatabase(), ...(postgres ? [postgresDatabase(postgres)] : [])];
}

function sqliteDatabase(): AnyDatabase {
  const folder = mkdtempSync(join(tmpdir(), "plugboard-store-"));
  const file = join(folder, "plugboard.db");
  return {
    name: "SQLite",
    url: `sqlite:${file}`,
    env: { DATA_DIR: folder },
    async run(statement) {
      const database = new DatabaseSync(file, { timeout: 5000 });
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
  const run = (statement: string) => query(url, statement);
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
    drop,
  };
}
