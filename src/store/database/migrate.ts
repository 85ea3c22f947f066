import { type Kysely, sql } from "kysely";
import type { DatabaseEngine } from "./database-engine.ts";
import { doDeferredSteps, doOrDefer } from "./deferred-steps.ts";
import { migrations } from "./migrations.ts";
import type { Database } from "./schema.ts";

/**
 * Migrates the database to the newest version in one transaction. Any number of processes may start at the same time:
 * one migrates while the others wait. `verify` runs in the same transaction: if it throws, nothing has changed. What would
 * lock a large table of Postgres for long is done after it: see `deferred-steps.ts`. (Kysely's own migrator does not lock
 * on SQLite, and on Postgres it mistakes a table in another schema for its own.)
 */
export async function migrate(
  database: Kysely<Database>,
  engine: DatabaseEngine,
  verify: (connection: Kysely<Database>) => Promise<void>,
): Promise<void> {
  await database.connection().execute(async (connection) => {
    for (const begin of engine.beginExclusive) await begin.execute(connection);
    try {
      await applyMigrations(connection, engine.name);
      await verify(connection);
      await sql`commit`.execute(connection);
    } catch (error) {
      await sql`rollback`.execute(connection).catch(() => {});
      throw error;
    }
    if (engine.name === "postgres") await doDeferredSteps(connection);
  });
}

async function applyMigrations(database: Kysely<Database>, name: DatabaseEngine["name"]): Promise<void> {
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
  for (const step of migrations.slice(version).flat())
    for (const part of typeof step === "object" && "sqlite" in step ? step[name] : [step])
      if (typeof part === "string") await sql.raw(part).execute(database);
      else if (name === "postgres") await doOrDefer(database, part);
      else if ("index" in part)
        await sql.raw(`create index ${part.index} on ${part.table} ${part.on}`).execute(database);
  await versions.deleteFrom("schema_version").execute();
  await versions.insertInto("schema_version").values({ version: newest }).execute();
}
