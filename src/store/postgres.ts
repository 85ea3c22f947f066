import { PostgresDialect, type PostgresPool, sql } from "kysely";
import type { PoolConfig } from "pg";
import type { Engine, Log } from "./database-engine.ts";

const CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 5000;
const STATEMENT_TIMEOUT_MS = 10_000;
/** A little longer than the server's own time-out, for a server that has gone silent. */
const SILENCE_TIMEOUT_MS = 12_000;
const MIGRATION_LOCK_TIMEOUT_MS = 60_000;
/** Any number, as long as it stays the same: whoever migrates holds this advisory lock. */
const MIGRATION_LOCK = 7_258_412_031;
const BIGINT = 20;

const serving: PoolConfig = {
  max: CONNECTIONS,
  statement_timeout: STATEMENT_TIMEOUT_MS,
  query_timeout: SILENCE_TIMEOUT_MS,
};

/** Waits for another process that migrates, and for a long migration. */
const migrating: PoolConfig = { max: 1, lock_timeout: MIGRATION_LOCK_TIMEOUT_MS };

export async function openPostgres(url: string, purpose: "serving" | "migrating", log?: Log): Promise<Engine> {
  // Loaded here, so that it costs nothing where SQLite is used.
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({
    connectionString: url,
    application_name: "plugboard",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types: {
      getTypeParser: (type: number, format?: any) =>
        type === BIGINT ? Number : (pg.types.getTypeParser(type, format) as (text: string) => unknown),
    },
    ...(purpose === "serving" ? serving : migrating),
  });
  // Without listeners, a connection that breaks would end the process. A query on it fails by itself.
  pool.on("error", (error) => log?.warn({ reason: error.message }, "a connection to the database broke"));
  pool.on("connect", (client) => client.on("error", () => {}));

  async function connect() {
    const client = await pool.connect();
    let broken = false;
    return {
      async query(text: string, parameters: readonly unknown[]): Promise<any> {
        try {
          return await client.query(text, parameters as unknown[]);
        } catch (error) {
          // No word from the server: what is on this connection is not known, so that no other query may use it.
          broken ||= !(error instanceof pg.DatabaseError);
          throw error;
        }
      },
      release: () => client.release(broken),
    };
  }

  return {
    dialect: new PostgresDialect({ pool: { connect, end: () => pool.end(), options: pool.options } as PostgresPool }),
    relax: (database, work) => work(database),
    beginExclusive: [sql`begin`, sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`],
    clock: sql<number>`(extract(epoch from clock_timestamp()) * 1000000)::bigint`,
    isOutage: (error) => !(error instanceof pg.DatabaseError) || outage.test(error.code ?? ""),
  };
}

/**
 * Connection exceptions, insufficient resources, operator intervention, system errors and a server that only reads:
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const outage = /^(08|53|57|58|25006)/;
