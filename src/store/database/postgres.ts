import { PostgresDialect, type PostgresPoolClient, sql } from "kysely";
import type { PoolConfig } from "pg";
import type { BasicLogger } from "../../contracts/telemetry.ts";
import type { DatabaseEngine } from "./database-engine.ts";
import { postgresLogTerms } from "./log-terms-index.ts";
import { postgresTerm } from "./metadata-terms.ts";

/** Of one process. */
export const MAX_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 5000;
const STATEMENT_TIMEOUT_MS = 10_000;
/** A little longer than the server's own timeout, for a server that no longer responds. */
const CLIENT_TIMEOUT_MS = 12_000;
const MIGRATION_LOCK_TIMEOUT_MS = 60_000;
/** An arbitrary number that must never change: the advisory lock held while migrating. */
const MIGRATION_LOCK = 7_258_412_031;
const BIGINT = 20;

const serving: PoolConfig = {
  max: MAX_CONNECTIONS,
  statement_timeout: STATEMENT_TIMEOUT_MS,
  query_timeout: CLIENT_TIMEOUT_MS,
};

/** No statement timeout: a migration may take long, and so may waiting for another process to migrate. */
const migrating: PoolConfig = { max: 1, lock_timeout: MIGRATION_LOCK_TIMEOUT_MS };

export async function openPostgres(
  url: string,
  purpose: "serving" | "migrating",
  log?: Pick<BasicLogger, "warn">,
): Promise<DatabaseEngine> {
  // Loaded here, so that it costs nothing if SQLite is used.
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({
    connectionString: url,
    application_name: "plugboard",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types: {
      getTypeParser: (type, format) => (type === BIGINT ? Number : pg.types.getTypeParser(type, format)),
    },
    ...(purpose === "serving" ? serving : migrating),
  });
  // Without listeners, a lost connection would end the process. A query on it still fails with its own error.
  pool.on("error", (error) => log?.warn({ reason: error.message }, "a connection to the database was lost"));
  pool.on("connect", (client) => {
    client.on("error", () => {});
    // Our queries are short: compiling one takes far longer than running it. A server without the setting refuses it.
    client.query("set jit = off").catch(() => {});
  });

  async function connect(): Promise<PostgresPoolClient> {
    const client = await pool.connect();
    let broken = false;
    async function query(text: string, parameters: readonly unknown[]) {
      try {
        return await client.query(text, parameters as unknown[]);
      } catch (error) {
        // Not an error from the server: the connection's state is unknown, so no other query may use it.
        broken ||= !(error instanceof pg.DatabaseError);
        throw error;
      }
    }
    // Kysely's type has an overload for cursors, which are not used here.
    return { query: query as unknown as PostgresPoolClient["query"], release: () => client.release(broken) };
  }

  return {
    name: "postgres",
    dialect: new PostgresDialect({ pool: { connect, end: () => pool.end(), options: pool.options } }),
    withRelaxedDurability: (database, work) => work(database),
    // Its transactions run in parallel, and the server itself commits several with one write to the disk.
    groupsCommits: false,
    beginExclusive: [sql`begin`, sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`],
    skipLocked: sql`for update skip locked`,
    clock: sql<number>`(extract(epoch from clock_timestamp()) * 1000000)::bigint`,
    metadataTerm: postgresTerm,
    hasLogTerms: postgresLogTerms,
    isBusy: () => false,
    isOutage: (error) => !(error instanceof pg.DatabaseError) || outageCode.test(error.code ?? ""),
    cannotWrite: (error) => error instanceof pg.DatabaseError && writeFailureCode.test(error.code ?? ""),
  };
}

/**
 * Connection exceptions, insufficient resources, operator intervention, system errors and a read-only server:
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const outageCode = /^(08|53|57|58|25006)/;
/** Disk full, system errors such as a failed write, and a read-only server. */
const writeFailureCode = /^(53100|58|25006)/;
