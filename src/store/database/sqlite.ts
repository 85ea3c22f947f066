import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { SqliteDialect, type SqliteStatement, sql } from "kysely";
import { BoundedMap } from "../../runtime/bounded-map.ts";
import type { DatabaseEngine } from "./database-engine.ts";
import { sqliteTerm } from "./metadata-terms.ts";

/** How long opening the file waits while another process is writing. */
const BUSY_TIMEOUT_MS = 5000;
/** How long a statement blocks this process while another connection is writing, before it waits without blocking. */
const BLOCKING_TIMEOUT_MS = 20;
/** There are few distinct statements, but filters and batch sizes vary. */
const MAX_CACHED_STATEMENTS = 200;

export function openSqlite(file: string): DatabaseEngine {
  let version: StatementSync | undefined;

  return {
    name: "sqlite",
    dialect: new SqliteDialect({
      async database() {
        const database = open(file);
        // Changes with writes by other connections to the file, not with this one's: https://www.sqlite.org/pragma.html#pragma_data_version
        version = database.prepare("pragma data_version");
        return adapt(database);
      },
    }),
    externalWriteCounter: () => (version?.get() as { data_version: number } | undefined)?.data_version ?? 0,
    withRelaxedDurability: (database, work) =>
      database.connection().execute(async (connection) => {
        await synchronous("normal").execute(connection);
        try {
          return await work(connection);
        } finally {
          await synchronous("full").execute(connection);
        }
      }),
    groupsCommits: true,
    beginExclusive: [sql`begin immediate`],
    // Only one transaction writes at a time.
    skipLocked: sql``,
    clock: sql<number>`cast(unixepoch('subsec') * 1000000 as integer)`,
    metadataTerm: sqliteTerm,
    // Not a snapshot that is out of date, which has the same primary code: only a new transaction helps then.
    isBusy: (error) => (error as { errcode?: number }).errcode === BUSY,
    isOutage: (error) => outageCodes.has(primaryCode(error)),
    cannotWrite: (error) => writeFailureCodes.has(primaryCode(error)),
  };
}

/** A database file that is only read. If nobody has it open, not even the files that SQLite has next to it are created. */
export const sqliteForReading = (file: string): SqliteDialect =>
  new SqliteDialect({
    async database() {
      const url = pathToFileURL(file);
      // Without a write-ahead log nobody writes: https://www.sqlite.org/uri.html#uriimmutable
      if (!existsSync(`${file}-wal`)) url.searchParams.set("immutable", "1");
      return adapt(new DatabaseSync(url, { readOnly: true, timeout: BUSY_TIMEOUT_MS }));
    },
  });

/** `full`: a completed write survives a power failure. `normal`: it survives a crash of the process. */
const synchronous = (level: "full" | "normal") => sql.raw(`pragma synchronous = ${level}`);

function open(file: string): DatabaseSync {
  if (file !== ":memory:") {
    mkdirSync(dirname(file), { recursive: true });
    // Created first, readable only by its owner; SQLite gives its other files the same mode.
    closeSync(openSync(file, "a", 0o600));
  }
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
  useWriteAheadLog(database);
  database.exec("pragma synchronous = full");
  database.exec(`pragma busy_timeout = ${BLOCKING_TIMEOUT_MS}`);
  return database;
}

/** If several processes open a new file at the same time, all but one fail as busy without waiting for the timeout. */
function useWriteAheadLog(database: DatabaseSync): void {
  const deadline = Date.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      database.exec("pragma journal_mode = wal");
      return;
    } catch (error) {
      if (primaryCode(error) !== BUSY || Date.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

/** The interface that Kysely's SQLite dialect expects. */
function adapt(database: DatabaseSync) {
  const statements = new BoundedMap<SqliteStatement>(MAX_CACHED_STATEMENTS);

  function prepare(text: string): SqliteStatement {
    const cached = statements.get(text);
    if (cached) return cached;
    const statement = database.prepare(text);
    const adapted: SqliteStatement = {
      reader: statement.columns().length > 0,
      all: (parameters) => statement.all(...(parameters as SQLInputValue[])),
      run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
      iterate: (parameters) => statement.iterate(...(parameters as SQLInputValue[])),
    };
    statements.set(text, adapted);
    return adapted;
  }

  return { prepare, close: () => database.close() };
}

const BUSY = 5;
/** Busy, locked, read-only, I/O error, corrupt, disk full, cannot open, not a database: https://www.sqlite.org/rescode.html */
const outageCodes = new Set<number | undefined>([BUSY, 6, 8, 10, 11, 13, 14, 26]);
/** Read-only, I/O error, disk full. */
const writeFailureCodes = new Set<number | undefined>([8, 10, 13]);

const primaryCode = (error: unknown): number | undefined => {
  const code = (error as { errcode?: number }).errcode;
  return code === undefined ? undefined : code & 0xff;
};
