// What a migration leaves to do on a large Postgres database, because it would lock a table for long: it is done after the
// migration's transaction, while processes of the previous version go on writing.
import { setTimeout as sleep } from "node:timers/promises";
import { CompiledQuery, type Kysely, sql } from "kysely";
import type { Database } from "./schema.ts";

/** An index on fewer rows is built, and fewer rows are converted, within a moment. */
const MANY_ROWS = 10_000;
/** An arbitrary number that must never change: the advisory lock held during the steps. */
const STEPS_LOCK = 7_258_412_032;
const POLL_MS = 500;

/** An index of a table that may be large. */
export interface NewIndex {
  index: string;
  table: string;
  /** What follows the name of the table. */
  on: string;
}

/** Rows of a table that may be large are converted: a statement that does the next ones after `$1`, and returns the `last`. */
export interface Conversion {
  convert: string;
  table: string;
  /** The table that it writes to. */
  fills: string;
}

interface DeferredStepRow {
  position: number;
  name: string;
  statement: string;
  /** What a conversion has done; null for an index. */
  last: string | null;
}

export const deferredStepsTable = `create table deferred_steps (
  position integer primary key,
  name text not null,
  statement text not null,
  last text
)`;

const stepsOf = (database: Kysely<Database>) => database.withTables<{ deferred_steps: DeferredStepRow }>();

async function convertNext(database: Kysely<Database>, statement: string, after: string): Promise<string | null> {
  const { rows } = await database.executeQuery<{ last: string | null }>(CompiledQuery.raw(statement, [after]));
  return rows[0]?.last ?? null;
}

async function convertAll(database: Kysely<Database>, statement: string): Promise<void> {
  for (let last: string | null = ""; last !== null; ) last = await convertNext(database, statement, last);
}

/** In the migration's transaction: does the step, or notes it for later if the table is large. */
export async function doOrDefer(database: Kysely<Database>, step: NewIndex | Conversion): Promise<void> {
  const large = await sql`select 1 from ${sql.table(step.table)} limit 1 offset ${sql.lit(MANY_ROWS)}`.execute(
    database,
  );
  if (large.rows.length === 0) {
    if ("convert" in step) await convertAll(database, step.convert);
    else await sql.raw(`create index ${step.index} on ${step.table} ${step.on}`).execute(database);
    return;
  }
  const { rows } = await sql<{ next: number }>`select count(*)::integer as next from deferred_steps`.execute(database);
  const values =
    "convert" in step
      ? { name: step.fills, statement: step.convert, last: "" }
      : {
          name: step.index,
          statement: `create index concurrently ${step.index} on ${step.table} ${step.on}`,
          last: null,
        };
  await stepsOf(database)
    .insertInto("deferred_steps")
    .values({ position: rows[0]!.next, ...values })
    .execute();
}

/** After the migration: one process does what was left, and the others wait for it. An interrupted step is done again. */
export async function doDeferredSteps(connection: Kysely<Database>): Promise<void> {
  const steps = stepsOf(connection);
  const find = () => steps.selectFrom("deferred_steps").selectAll().orderBy("position").limit(1).executeTakeFirst();
  if (!(await find())) return;
  await sql`set lock_timeout = 0`.execute(connection);
  // Asked for again and again: an index waits for every statement that is running, so also for one that waits for a lock.
  const lock = sql<{ taken: boolean }>`select pg_try_advisory_lock(${sql.lit(STEPS_LOCK)}) as taken`;
  while (!(await lock.execute(connection)).rows[0]!.taken) await sleep(POLL_MS);
  try {
    for (let step = await find(); step; step = await find()) {
      const { position, name, statement } = step;
      const own = steps.updateTable("deferred_steps").where("position", "=", position);
      if (step.last === null) {
        // Left by a process that ended while it built the index.
        await sql`drop index if exists ${sql.id(name)}`.execute(connection);
        await sql.raw(statement).execute(connection);
      } else {
        for (let last: string | null = step.last; last !== null; ) {
          last = await convertNext(connection, statement, last);
          if (last !== null) await own.set({ last }).execute();
        }
        // Until Postgres knows what is in the table, it reads all of it where an index would do.
        await sql`analyze ${sql.table(name)}`.execute(connection);
      }
      await steps.deleteFrom("deferred_steps").where("position", "=", position).execute();
    }
  } finally {
    await sql`select pg_advisory_unlock(${sql.lit(STEPS_LOCK)})`.execute(connection);
  }
}
