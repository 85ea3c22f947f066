import { type Kysely, sql } from "kysely";
import { type EventStore, type Job, type JobKind, JobLost } from "../../contracts/events.ts";
import type { StoreContext } from "../database/context.ts";
import type { Database } from "../database/schema.ts";

/** How often hints may start a job. */
const HINT_INTERVAL_MS = 5_000;

export const later = (clock: StoreContext["clock"], other: unknown) =>
  sql<number>`case when ${clock} > ${other} then ${clock} else ${other} end`;

/** A job that is not claimed. */
const FREE = 0;

const claimed = ({ id, owner }: Job, database: Kysely<Database>) =>
  database.updateTable("jobs").where("id", "=", id).where("owner", "=", owner);

/** For the start of a transaction: rolls it back unless the job is still owned. */
export async function assertOwned(transaction: Kysely<Database>, job: Job): Promise<void> {
  const { numUpdatedRows } = await claimed(job, transaction).set({ owner: job.owner }).executeTakeFirst();
  if (numUpdatedRows === 0n) throw new JobLost("the job was claimed by another process");
}

/** Adds a job in the transaction that creates its subscription or webhook. */
export async function addJob(
  transaction: Kysely<Database>,
  clock: StoreContext["clock"],
  [id, kind, dueInMs]: [id: string, kind: JobKind, dueInMs: number],
): Promise<void> {
  const due_at = sql<number>`${clock} + ${sql.lit(Math.round(dueInMs * 1000))}`;
  await transaction
    .insertInto("jobs")
    .values({ id, kind, due_at, lease_expires_at: FREE, owner: null, wakes: 0, hints: 0, not_before: 0 })
    .execute();
}

export async function wakeJobs(
  transaction: Kysely<Database>,
  clock: StoreContext["clock"],
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await transaction
    .updateTable("jobs")
    .set(({ eb }) => ({
      due_at: sql<number>`case when ${eb.ref("due_at")} < ${clock} then ${eb.ref("due_at")} else ${clock} end`,
      wakes: eb("wakes", "+", 1),
    }))
    .where("id", "in", ids)
    .execute();
}

/** Makes jobs due now, or when a hint may start them again. */
export async function hintJobs(
  transaction: Kysely<Database>,
  clock: StoreContext["clock"],
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await transaction
    .updateTable("jobs")
    .set(({ eb, ref }) => {
      const earliest = later(clock, ref("not_before"));
      return {
        due_at: sql<number>`case when ${ref("due_at")} < ${earliest} then ${ref("due_at")} else ${earliest} end`,
        hints: eb("hints", "+", 1),
      };
    })
    .where("id", "in", ids)
    .execute();
}

/** Takes a job from the process that runs it, in the transaction of a change that ends the run. */
export async function takeJob(
  transaction: Kysely<Database>,
  clock: StoreContext["clock"],
  [id, dueInMs]: [id: string, dueInMs: number],
): Promise<void> {
  await transaction
    .updateTable("jobs")
    .set(({ eb }) => ({
      owner: null,
      lease_expires_at: FREE,
      due_at: sql<number>`${clock} + ${sql.lit(Math.round(dueInMs * 1000))}`,
      wakes: eb("wakes", "+", 1),
    }))
    .where("id", "=", id)
    .execute();
}

/** Uses the database's clock, because the clocks of the processes may differ. */
export function jobs({ database, writeOne, clock, skipLocked }: StoreContext): EventStore["jobs"] {
  const inMs = (milliseconds: number) => sql<number>`${clock} + ${sql.lit(Math.round(milliseconds * 1000))}`;

  return {
    add: (id, kind, dueInMs) => addJob(database, clock, [id, kind, dueInMs]),

    wake: (ids) => wakeJobs(database, clock, ids),

    async claim(kind, owner, limit, leaseMs) {
      const selectDue = database
        .selectFrom("jobs")
        .select("id")
        .where("kind", "=", kind)
        .where("due_at", "<=", clock)
        .where("lease_expires_at", "<=", clock)
        .orderBy("due_at");
      // Processes ask every second. Only reading never waits for another process that is writing to the same SQLite file.
      if (!(await selectDue.limit(1).executeTakeFirst())) return [];
      const due = selectDue.limit(limit).modifyEnd(skipLocked);
      const rows = await writeOne((connection) =>
        connection
          .updateTable("jobs")
          .set({ owner, lease_expires_at: inMs(leaseMs), not_before: inMs(HINT_INTERVAL_MS) })
          .where("id", "in", due)
          .returning(["id", "wakes", "hints"])
          .execute(),
      );
      return rows.map((row) => ({ ...row, owner }));
    },

    async renew(job, leaseMs) {
      const { numUpdatedRows } = await claimed(job, database)
        .set({ lease_expires_at: inMs(leaseMs) })
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async finish(job, due) {
      const dueAt = inMs(typeof due === "number" ? due : due.inMs);
      await writeOne((connection) =>
        claimed(job, connection)
          .set(({ ref }) => {
            const earliest = typeof due === "number" ? later(clock, ref("not_before")) : dueAt;
            return {
              owner: null,
              lease_expires_at: FREE,
              due_at: sql<number>`case when ${ref("wakes")} <> ${sql.lit(job.wakes)} then ${clock} when ${ref("hints")} <> ${sql.lit(job.hints)} then ${earliest} else ${dueAt} end`,
              ...(typeof due === "number" ? {} : { not_before: dueAt }),
            };
          })
          .execute(),
      );
    },

    async remove(id) {
      await database.deleteFrom("jobs").where("id", "=", id).execute();
    },

    async backlog(kind) {
      const row = await database
        .selectFrom("jobs")
        .select(({ fn }) => [
          fn.countAll<number>().as("due"),
          sql<number | null>`${clock} - ${fn.min<number>("due_at")}`.as("oldest"),
        ])
        .where("kind", "=", kind)
        .where("due_at", "<=", clock)
        .where("lease_expires_at", "<=", clock)
        .executeTakeFirstOrThrow();
      return { due: Number(row.due), oldestMs: Math.max(0, Number(row.oldest ?? 0) / 1000) };
    },
  };
}
