import { type Kysely, sql } from "kysely";
import type { Engine } from "./database-engine.ts";

/**
 * The steps to today's tables, in the order in which they came, in SQL that both databases take. A step that was
 * released is never changed: a change is another one at the end. It leaves what the version before uses as it is, since
 * processes of that version are still at work when the first of the new one migrates.
 */
const migrations: string[][] = [
  [
    `create table workspaces (
      id text primary key,
      name text not null,
      client_id text not null unique,
      redirect_uris text not null,
      created_at bigint not null,
      updated_at bigint not null
    )`,
    `create table api_keys (
      id text primary key,
      workspace_id text not null references workspaces (id) on delete cascade,
      name text,
      prefix text not null,
      hash text not null unique,
      created_at bigint not null
    )`,
    `create index api_keys_list on api_keys (workspace_id, created_at, id)`,

    `create table integrations (
      id text primary key,
      workspace_id text not null references workspaces (id) on delete cascade,
      identifier text not null,
      type text not null,
      client_id text,
      client_secret text,
      scopes text,
      base_url text,
      mcp_url text,
      created_at bigint not null,
      updated_at bigint not null
    )`,
    `create unique index integrations_identifier on integrations (workspace_id, identifier)`,
    `create index integrations_list on integrations (workspace_id, created_at, id)`,

    // No reference to the integration: a connection outlives it.
    `create table connections (
      id text primary key,
      workspace_id text not null references workspaces (id) on delete cascade,
      integration_id text not null,
      integration_identifier text not null,
      external_id text,
      credentials text not null,
      settings text not null,
      metadata text,
      is_valid integer not null,
      invalid_reason text,
      expires_at bigint,
      refreshed_at bigint,
      created_at bigint not null,
      updated_at bigint not null
    )`,
    `create index connections_list on connections (workspace_id, created_at, id)`,
    `create index connections_integration on connections (workspace_id, integration_id, created_at, id)`,
    `create index connections_identifier on connections (workspace_id, integration_identifier, created_at, id)`,
    // An index entry of Postgres holds 2,700 bytes at most; an external id may be longer.
    `create index connections_external on connections (workspace_id, substr(external_id, 1, 255), created_at, id)`,

    `create table connect_sessions (
      id text primary key,
      workspace_id text not null references workspaces (id) on delete cascade,
      integration_id text not null,
      redirect_uri text not null,
      external_id text,
      client_state text,
      connection_id text,
      code_verifier text,
      browser text not null,
      settings text not null,
      expires_at bigint not null
    )`,
    `create index connect_sessions_expiry on connect_sessions (expires_at)`,
    `create table connect_codes (
      hash text primary key,
      workspace_id text not null references workspaces (id) on delete cascade,
      redirect_uri text not null,
      connection_id text not null,
      expires_at bigint not null
    )`,
    `create index connect_codes_expiry on connect_codes (expires_at)`,

    // No references: what happened stays in the log when the things that it happened to are gone.
    `create table request_log (
      id text primary key,
      workspace_id text,
      connection_id text,
      request_id text not null,
      surface text not null,
      method text not null,
      path text not null,
      status integer not null,
      outcome text,
      duration_ms double precision not null,
      upstream_calls integer not null,
      created_at bigint not null
    )`,
    `create index request_log_age on request_log (created_at, id)`,
    `create index request_log_list on request_log (workspace_id, created_at, id)`,
    `create index request_log_connection on request_log (connection_id, created_at, id)`,

    `create table locks (
      key text primary key,
      owner text not null,
      expires_at bigint not null
    )`,
  ],
  [
    // Takes the place of request_log, which is left to processes of the version before.
    `create table request_batches (
      id text primary key,
      workspace_id text not null,
      last_at bigint not null,
      size integer not null,
      connections text not null,
      entries text not null
    )`,
    `create index request_batches_age on request_batches (last_at, id, size)`,
    `create index request_batches_list on request_batches (workspace_id, last_at, id)`,
  ],
];

/**
 * Brings the database to the newest version, all at once or not at all. Any number of processes may start together:
 * one migrates, the others wait and find it done. (Kysely's own migrator does not lock on SQLite, and on Postgres it
 * takes a table in another schema for its own.)
 */
export async function migrate(database: Kysely<any>, engine: Engine): Promise<void> {
  await database.connection().execute(async (connection) => {
    for (const begin of engine.beginExclusive) await begin.execute(connection);
    try {
      await advance(connection);
      await sql`commit`.execute(connection);
    } catch (error) {
      await sql`rollback`.execute(connection).catch(() => {});
      throw error;
    }
  });
}

async function advance(database: Kysely<any>): Promise<void> {
  const newest = migrations.length;
  await sql`create table if not exists schema_version (version integer not null)`.execute(database);
  const row = await database.selectFrom("schema_version").select("version").executeTakeFirst();
  const version: number = row?.version ?? 0;
  if (version > newest) {
    throw new Error(
      `The database was made by a newer version of Plugboard: it has schema ${version}, and this version knows ${newest}. Start the newer version instead.`,
    );
  }
  if (version === newest) return;
  for (const statement of migrations.slice(version).flat()) await sql.raw(statement).execute(database);
  await database.deleteFrom("schema_version").execute();
  await database.insertInto("schema_version").values({ version: newest }).execute();
}
