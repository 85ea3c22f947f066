import { existsSync } from "node:fs";
import { databaseFile, describeMismatch } from "../../open-store.ts";
import { MAX_CONNECTIONS } from "../../store/database/postgres.ts";
import {
  type Connection,
  inspectDatabase,
  postgresFacts,
  readStoredState,
  refuseWrites,
  schemaVersions,
} from "../../store/inspect.ts";
import { compareKeys, KeyMismatchError } from "../../store/secrets/key-check.ts";
import { type Check, type CheckContext, compareClocks, FOLDER_UNUSABLE, reasonOf } from "./context.ts";
import type { FindingId } from "./findings.ts";

/** Also reads what the workspaces have stored, for later checks. */
export const database: Check = {
  name: "database",
  async run(context) {
    const { config, report } = context;
    const { databaseUrl } = config;
    if (databaseUrl) {
      try {
        return await inspectDatabase(databaseUrl, async (connection) => {
          await checkPostgres(context, connection);
          await refuseWrites(connection);
          return checkTables(context, connection);
        });
      } catch (error) {
        report(...describePostgresFailure(error, databaseUrl));
        return undefined;
      }
    }
    if (context.known.isFolderUnusable) return FOLDER_UNUSABLE;
    const file = databaseFile(config.dataDir);
    if (!existsSync(file)) return "there is none yet: the first start creates it";
    try {
      return await inspectDatabase(`sqlite:${file}`, (connection) => checkTables(context, connection));
    } catch (error) {
      report(
        "database-unreadable",
        `The database ${file} cannot be read: ${(error as Error).message}`,
        "If the file is damaged, restore a backup: docs/running.md has how. Otherwise make it readable for this user.",
      );
      return undefined;
    }
  },
};

async function checkTables(context: CheckContext, connection: Connection): Promise<string | undefined> {
  const { config, report, known } = context;
  const { found, newest } = await schemaVersions(connection);
  if (found === 0) return config.databaseUrl ? "it is empty: the first start creates its tables" : undefined;
  if (found > newest)
    report(
      "database-newer",
      `The database has schema version ${found}, and this version of Plugboard supports up to ${newest}`,
      "Use the newer version of Plugboard, or restore the backup from before the upgrade.",
    );
  if (found < newest)
    report(
      "migrations-pending",
      `The database has schema version ${found}, and this version of Plugboard needs ${newest}`,
      "Back up the database, then start the service: it migrates the database.",
    );
  if (found !== newest || !known.keyring) return undefined;
  try {
    await compareKeys(connection, known.keyring);
  } catch (error) {
    if (!(error instanceof KeyMismatchError)) throw error;
    report(
      "key-wrong",
      describeMismatch(config, error.message),
      "Configure the key that was used before: with any other one, the service does not start.",
    );
    return undefined;
  }
  known.stored = await readStoredState(connection, known.keyring);
  return undefined;
}

async function checkPostgres(context: CheckContext, connection: Connection): Promise<void> {
  const { config, report, machine } = context;
  const facts = await postgresFacts(connection);
  compareClocks(context, "Postgres", facts.clock_ms, machine.now());
  if (facts.encoding !== "UTF8")
    report(
      "postgres-encoding",
      `The database's encoding is ${facts.encoding}: names and texts of users cannot be stored in it`,
      "Create a database with the encoding UTF8 (create database … encoding 'UTF8' template template0), and use that.",
    );
  if (!facts.schema || !facts.may_create)
    report(
      "postgres-rights",
      facts.schema
        ? `The user may not create tables in the schema ${facts.schema}`
        : "The user's search_path names no schema that exists",
      `Grant it: grant create on schema ${facts.schema ?? "NAME"} to USER. Or make the user the owner of the database.`,
    );
  if (facts.is_read_only)
    report(
      "postgres-read-only",
      "The database is read-only: it is a replica, or default_transaction_read_only is on",
      "Point DATABASE_URL at the primary server, or turn default_transaction_read_only off.",
    );
  if (!facts.is_durable)
    report(
      "postgres-durability",
      "synchronous_commit is off: if the server crashes, refreshed tokens are lost, and users have to connect again",
      "Turn it on for this database: alter database NAME set synchronous_commit = on",
    );
  // One more while a process starts.
  const needed = config.workers * MAX_CONNECTIONS + 1;
  if (facts.max_connections < needed)
    report(
      "postgres-connections",
      `This user can have ${facts.max_connections} connections to the database, but ${needed} are needed (${MAX_CONNECTIONS} for each process or worker, and one while it starts)`,
      "Raise max_connections of the server, or the limit of the user or the database; or set WORKERS to less.",
    );
}

const TLS_PROBLEM = /certificate|self.signed|SSL|ERR_TLS|CERT_|encryption/i;

function describePostgresFailure(error: unknown, url: string): [FindingId, string, string] {
  const { hostname, port, pathname, username } = new URL(url);
  const server = `Postgres at ${hostname || "its socket"}:${port || 5432}`;
  const { code = "", message } = error as { code?: string; message: string };
  if (TLS_PROBLEM.test(message) || TLS_PROBLEM.test(code))
    return [
      "postgres-tls",
      `${server} cannot be used with this encryption: ${code.startsWith("28") ? "pg_hba.conf does not let this user in without TLS" : message}`,
      "Set sslmode=verify-full in DATABASE_URL if the server has TLS, and leave it out if it has none; sslrootcert=/path/ca.pem or NODE_EXTRA_CA_CERTS trusts a certificate authority of your own. If the user should get in without TLS, allow it in pg_hba.conf.",
    ];
  if (code.startsWith("28"))
    return [
      "postgres-refused",
      `${server} refuses the user ${username} (${code})`,
      "Correct the user and the password in DATABASE_URL (special characters must be percent-encoded), or allow the user in pg_hba.conf.",
    ];
  if (code === "3D000")
    return [
      "postgres-database-missing",
      `${server} has no database ${pathname.slice(1)}`,
      "Create it (createdb --encoding=UTF8 NAME), or correct the name in DATABASE_URL.",
    ];
  if (code === "53300")
    return [
      "postgres-connections",
      `${server} has no connection left`,
      "Raise max_connections of the server, or the limit of the user; or run fewer processes and workers.",
    ];
  return [
    "postgres-unreachable",
    `${server} cannot be used: ${reasonOf(error)}`,
    "Start Postgres, or correct the host and the port in DATABASE_URL; check firewalls in between.",
  ];
}
