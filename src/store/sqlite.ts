import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { SqliteDialect, type SqliteStatement, sql } from "kysely";
import type { Engine } from "./database-engine.ts";

/** How long a write waits for another process that is writing. */
const BUSY_TIMEOUT_MS = 5000;
/** Few statements are ever written differently, but filters and batches vary. */
const STATEMENTS_KEPT = 200;

export function openSqlite(file: string): Engine {
  let version: StatementSync | undefined;

  return {
    dialect: new SqliteDialect({
      async database() {
        const database = open(file);
        // Of all connections to a file, this one's own writes do not count: https://www.sqlite.org/pragma.html#pragma_data_version
        version = database.prepare("pragma data_version");
        return adapt(database);
      },
    }),
    externalWriteCounter: () => (version?.get() as { data_version: number } | undefined)?.data_version ?? 0,
    relax: (database, work) =>
      database.connection().execute(async (connection) => {
        await synchronous("normal").execute(connection);
        try {
          return await work(connection);
        } finally {
          await synchronous("full").execute(connection);
        }
      }),
    beginExclusive: [sql`begin immediate`],
    clock: sql<number>`cast(unixepoch('subsec') * 1000000 as integer)`,
    isOutage: (error) => outages.has(primaryCode(error)),
  };
}

/** `full`: a write that was answered survives even a loss of power. `normal`: it survives the end of the process. */
const synchronous = (level: "full" | "normal") => sql.raw(`pragma synchronous = ${level}`);

function open(file: string): DatabaseSync {
  if (file !== ":memory:") {
    mkdirSync(dirname(file), { recursive: true });
    // Made beforehand to be readable by its owner alone; SQLite gives its other files the same mode.
    closeSync(openSync(file, "a", 0o600));
  }
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
  useWriteAheadLog(database);
  database.exec("pragma synchronous = full");
  return database;
}

/** Where several processes open a new file at once, all but one are turned away without waiting for the timeout. */
function useWriteAheadLog(database: DatabaseSync): void {
  const end = Date.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      database.exec("pragma journal_mode = wal");
      return;
    } catch (error) {
      if (primaryCode(error) !== BUSY || Date.now() > end) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

/** What Kysely's SQLite dialect wants of a database. */
function adapt(database: DatabaseSync) {
  const statements = new Map<string, SqliteStatement>();

  function prepare(text: string): SqliteStatement {
    const known = statements.get(text);
    if (known) return known;
    const statement = database.prepare(text);
    const adapted: SqliteStatement = {
      reader: statement.columns().length > 0,
      all: (parameters) => statement.all(...(parameters as SQLInputValue[])),
      run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
      iterate: (parameters) => statement.iterate(...(parameters as SQLInputValue[])),
    };
    if (statements.size >= STATEMENTS_KEPT) statements.delete(statements.keys().next().value!);
    statements.set(text, adapted);
    return adapted;
  }

  return { prepare, close: () => database.close() };
}

const BUSY = 5;
/** Locked, read-only, failing or full disk, damaged or missing file: https://www.sqlite.org/rescode.html */
const outages = new Set<number | undefined>([BUSY, 6, 8, 10, 11, 13, 14, 26]);

const primaryCode = (error: unknown): number | undefined => {
  const code = (error as { errcode?: number }).errcode;
  return code === undefined ? undefined : code & 0xff;
};
