import type { CompiledQuery, DatabaseConnection, Dialect, Driver } from "kysely";
import { Fault } from "../../contracts/fault.ts";
import type { DatabaseEngine } from "./database-engine.ts";

export interface DialectEvents {
  /** A write failed because the disk is full or read-only. */
  writeFailed?(error: unknown): void;
}

/** Wraps a database's dialect: waits while SQLite is busy, reports failed writes and turns outages into `store_unavailable` faults. */
export function guardedDialect(engine: DatabaseEngine, events: DialectEvents = {}): Dialect {
  const { dialect } = engine;
  return {
    createAdapter: () => dialect.createAdapter(),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createDriver: () => guardDriver(dialect.createDriver()),
  };

  function guardDriver(driver: Driver): Driver {
    const guarded = new WeakSet<DatabaseConnection>();
    const init = driver.init.bind(driver);
    const acquire = driver.acquireConnection.bind(driver);
    const rollback = driver.rollbackTransaction.bind(driver);
    // SQLite has rolled it back itself, for example because the disk is full: what failed is the error to report.
    driver.rollbackTransaction = (connection, ...rest) =>
      rollback(connection, ...rest).catch((error: unknown) => {
        if (!/no transaction is active/.test(String((error as Error).message))) throw error;
      });
    driver.init = (options) => init(options).catch(rethrow);
    driver.acquireConnection = async (options) => {
      const connection = await acquire(options).catch(unavailable);
      if (!guarded.has(connection)) guardConnection(connection);
      guarded.add(connection);
      return connection;
    };
    return driver;
  }

  function guardConnection(connection: DatabaseConnection): void {
    const execute = connection.executeQuery.bind(connection);
    connection.executeQuery = async <Row>(query: CompiledQuery) => {
      if (matchesNothing(query)) return { rows: [], numAffectedRows: 0n };
      return whileBusy(() => execute<Row>(query)).catch(rethrow);
    };
  }

  /** Waits while another connection is writing. */
  async function whileBusy<Result>(run: () => Promise<Result>): Promise<Result> {
    const deadline = Date.now() + BUSY_PATIENCE_MS;
    for (;;) {
      try {
        return await run();
      } catch (error) {
        if (!engine.isBusy(error) || Date.now() > deadline) throw error;
        await new Promise((resolve) => setTimeout(resolve, MAX_BUSY_PAUSE_MS * Math.random()));
      }
    }
  }

  function rethrow(error: unknown): never {
    if (engine.cannotWrite(error)) events.writeFailed?.(error);
    if (engine.isOutage(error)) unavailable(error);
    throw error;
  }
}

const BUSY_PATIENCE_MS = 5_000;
const MAX_BUSY_PAUSE_MS = 20;
const RETRY_AFTER_SECONDS = 5;

function unavailable(cause: unknown): never {
  throw new Fault("store_unavailable", "The database is unavailable", { cause, retryAfter: RETRY_AFTER_SECONDS });
}

/**
 * No stored text contains a NUL character: Postgres cannot store it, and writes are checked (see `rejectNul`). So a
 * query for one matches nothing; Postgres would report an error instead.
 */
const matchesNothing = ({ query, parameters }: CompiledQuery): boolean =>
  query.kind !== "InsertQueryNode" && parameters.some((value) => typeof value === "string" && value.includes("\0"));
