import { Kysely, sql } from "kysely";
import type { WebhookRow } from "./database/event-tables.ts";
import { migrations } from "./database/migrations.ts";
import { openPostgres } from "./database/postgres.ts";
import type { Database } from "./database/schema.ts";
import { sqliteForReading } from "./database/sqlite.ts";
import { webhookLocation } from "./events/deliveries.ts";
import { providerOf } from "./integrations.ts";
import { createStoredSecrets } from "./secrets/stored-secrets.ts";
import type { Keyring } from "./secrets/vault.ts";

export type Connection = Kysely<Database>;

/** Opens a database without migrating or changing it. Errors are those of the database. */
export async function inspectDatabase<Result>(
  url: string,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const isSqlite = url.startsWith("sqlite:");
  const dialect = isSqlite
    ? sqliteForReading(url.slice("sqlite:".length))
    : (await openPostgres(url, "serving")).dialect;
  const database = new Kysely<Database>({ dialect });
  try {
    return await database.connection().execute(work);
  } finally {
    await database.destroy();
  }
}

/** From now on, the connection to Postgres refuses to write. */
export const refuseWrites = (connection: Connection) =>
  sql`set session characteristics as transaction read only`.execute(connection);

/** The version of the tables, and the one that this version of Plugboard has. 0 if there are no tables yet. */
export async function schemaVersions(connection: Connection): Promise<{ found: number; newest: number }> {
  const versions = connection.withTables<{ schema_version: { version: number } }>();
  const row = await versions
    .selectFrom("schema_version")
    .select("version")
    .executeTakeFirst()
    .catch((error: unknown) => {
      const { code, message } = error as { code?: string; message: string };
      if (code === "42P01" || /no such table/.test(message)) return undefined;
      throw error;
    });
  return { found: row?.version ?? 0, newest: migrations.length };
}

/** What is known about the Postgres server and what this user may do there. */
export async function postgresFacts(connection: Connection) {
  const { rows } = await sql<{
    encoding: string;
    is_read_only: boolean;
    is_durable: boolean;
    schema: string | null;
    may_create: boolean | null;
    max_connections: number;
    clock_ms: number;
  }>`
    select current_setting('server_encoding') as encoding,
      pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as is_read_only,
      current_setting('synchronous_commit') <> 'off' as is_durable,
      current_schema() as schema,
      has_schema_privilege(current_schema(), 'create') as may_create,
      least(
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
        (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
        (select nullif(datconnlimit, -1) from pg_database where datname = current_database())
      ) as max_connections,
      (extract(epoch from clock_timestamp()) * 1000)::double precision as clock_ms
  `.execute(connection);
  return rows[0]!;
}

/** A webhook, with the address that it posts to if that can be decrypted. */
type StoredWebhook = Pick<WebhookRow, "id" | "workspace_id" | "enabled" | "disabled_reason" | "failing_since"> & {
  url: string | undefined;
};

/** What the workspaces have stored, as far as it can be wrong. The database must have the current version. */
export async function readStoredState(connection: Connection, keyring: Keyring) {
  const secrets = createStoredSecrets(keyring);
  const [workspaces, webhooks, subscriptions, connections, integrations, providers] = [
    await connection.selectFrom("workspaces").select(["id", "name"]).execute(),
    await connection
      .selectFrom("webhooks")
      .select(["id", "workspace_id", "url", "enabled", "disabled_reason", "failing_since"])
      .orderBy("id")
      .execute(),
    await connection
      .selectFrom("subscriptions")
      .select(["id", "workspace_id"])
      .where("status", "=", "failing")
      .orderBy("id")
      .execute(),
    await connection
      .selectFrom("connections")
      .select(({ fn }) => [
        "workspace_id",
        "integration_identifier",
        fn.countAll<number>().as("total"),
        fn.sum<number>("is_valid").as("valid"),
      ])
      .groupBy(["workspace_id", "integration_identifier"])
      .execute(),
    await connection
      .selectFrom("integrations")
      .select(["id", "workspace_id", "identifier", "base_url", "mcp_url"])
      .orderBy("id")
      .execute(),
    await connection.selectFrom("provider_documents").select(["workspace_id", "id"]).execute(),
  ];
  return {
    workspaces,
    webhooks: webhooks.map(
      (row): StoredWebhook => ({ ...row, url: secrets.decrypt(row.url, webhookLocation(row.id, "url")) }),
    ),
    subscriptions,
    connections,
    integrations: integrations.map((row) => ({ ...row, identifier: providerOf(row.identifier) })),
    providers,
  };
}

export type StoredState = Awaited<ReturnType<typeof readStoredState>>;
