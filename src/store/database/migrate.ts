import { type Kysely, sql } from "kysely";
import type { DatabaseEngine } from "./database-engine.ts";
import { migrations } from "./migrations.ts";
import type { Database } from "./schema.ts";

/**
 * Migrates the database to the newest version in one transaction. Any number of processes may start at the same time:
 * one migrates while the others wait. `verify` runs in the same transaction: if it throws, nothing has changed. (Kysely's own migrator does not lock on SQLite, and on Postgres it mistakes a
 * table in another schema for its own.)
 */
export async function migrate(
  database: Kysely<Database>,
  engine: DatabaseEngine,
  verify: (connection: Kysely<Database>) => Promise<void>,
): Promise<void> {
  await database.connection().execute(async (connection) => {
    for (const begin of engine.beginExclusive) await begin.execute(connection);
    try {
      await applyMigrations(connection);
      await verify(connection);
      await sql`commit`.execute(connection);
    } catch (error) {
      await sql`rollback`.execute(connection).catch(() => {});
      throw error;
    }
  });
}

async function applyMigrations(database: Kysely<Database>): Promise<void> {
  const versions = database.withTables<{ schema_version: { version: number } }>();
  const newest = migrations.length;
  await sql`create table if not exists schema_version (version integer not null)`.execute(database);
  const row = await versions.selectFrom("schema_version").select("version").executeTakeFirst();
  const version = row?.version ?? 0;
  if (version > newest) {
    throw new Error(
      `The database was created by a newer version of Plugboard: it has schema version ${version}, and this version supports up to ${newest}. Start the newer version instead.`,
    );
  }
  if (version === newest) return;
  for (const statement of migrations.slice(version).flat()) await sql.raw(statement).execute(database);
  await versions.deleteFrom("schema_version").execute();
  await versions.insertInto("schema_version").values({ version: newest }).execute();
}
