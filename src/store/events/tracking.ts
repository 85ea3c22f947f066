import type { Kysely } from "kysely";
import type { Checkpoint, TrackedRecord, TrackingChange, TrackingStore } from "../../contracts/subscriptions.ts";
import type { StoreContext } from "../database/context.ts";
import { toJson } from "../database/json.ts";
import type { Database } from "../database/schema.ts";
import { fromIsoOrNull } from "../database/time.ts";
import { appendEvents } from "./event-log.ts";
import { assertOwned } from "./jobs.ts";
import { selectSubscriptions, toSubscription } from "./subscriptions.ts";

const trackedColumns = ["record_id as id", "hash", "missed_since"] as const;

/** What subscriptions store about the records that they read. */
export function tracking(context: StoreContext): TrackingStore["tracking"] {
  const { database, write, stamp } = context;
  const trackedOf = (subscriptionId: string, connection: Kysely<Database> = database) =>
    connection.selectFrom("tracked_records").where("subscription_id", "=", subscriptionId);

  const upsert = (
    transaction: Kysely<Database>,
    subscription_id: string,
    records: readonly Pick<TrackedRecord, "id" | "hash">[],
  ) => {
    const updated_at = stamp();
    return transaction
      .insertInto("tracked_records")
      .values(records.map(({ id, hash }) => ({ subscription_id, record_id: id, hash, missed_since: 0, updated_at })))
      .onConflict((conflict) =>
        conflict.columns(["subscription_id", "record_id"]).doUpdateSet(({ ref }) => ({
          hash: ref("excluded.hash"),
          missed_since: 0,
          updated_at,
        })),
      )
      .execute();
  };

  const updateSubscription = (
    transaction: Kysely<Database>,
    id: string,
    { failing_since, last_run, progress, ...columns }: NonNullable<TrackingChange["subscription"]>,
  ) =>
    transaction
      .updateTable("subscriptions")
      .set({
        ...columns,
        failing_since: fromIsoOrNull(failing_since),
        last_run: toJson(last_run),
        progress: toJson(progress),
      })
      .where("id", "=", id)
      .execute();

  const saveCheckpoint = (transaction: Kysely<Database>, subscription_id: string, { number, walk, seen }: Checkpoint) =>
    transaction
      .insertInto("walk_checkpoints")
      .values({ subscription_id, number, walk: toJson(walk), seen: seen.toString("base64") })
      .execute();

  const deleteCheckpoints = (transaction: Kysely<Database>, id: string) =>
    transaction.deleteFrom("walk_checkpoints").where("subscription_id", "=", id).execute();

  return {
    async load(id) {
      const row = await selectSubscriptions(database).where("id", "=", id).executeTakeFirst();
      return row && toSubscription(row);
    },

    async find(id, recordIds) {
      if (recordIds.length === 0) return [];
      return trackedOf(id).select(trackedColumns).where("record_id", "in", recordIds).execute();
    },

    async count(id) {
      const { count } = await trackedOf(id)
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    page: (id, after, limit) =>
      trackedOf(id).select(trackedColumns).where("record_id", ">", after).orderBy("record_id").limit(limit).execute(),

    commit: (job, { tracked = [], missed, untracked = [], events = [], checkpoint, endsWalk, subscription }) =>
      write(async (transaction) => {
        await assertOwned(transaction, job);
        if (tracked.length > 0) await upsert(transaction, job.id, tracked);
        if (missed && missed.ids.length > 0)
          await transaction
            .updateTable("tracked_records")
            .set({ missed_since: missed.walk })
            .where("subscription_id", "=", job.id)
            .where("record_id", "in", missed.ids)
            .where("missed_since", "=", 0)
            .execute();
        if (untracked.length > 0)
          await transaction
            .deleteFrom("tracked_records")
            .where("subscription_id", "=", job.id)
            .where("record_id", "in", untracked)
            .execute();
        await appendEvents(transaction, context, events);
        if (endsWalk) await deleteCheckpoints(transaction, job.id);
        if (checkpoint) await saveCheckpoint(transaction, job.id, checkpoint);
        if (subscription) await updateSubscription(transaction, job.id, subscription);
      }),

    async checkpoints(id, after, limit) {
      const rows = await database
        .selectFrom("walk_checkpoints")
        .selectAll()
        .where("subscription_id", "=", id)
        .where("number", ">", after)
        .orderBy("number")
        .limit(limit)
        .execute();
      return rows.map(({ number, walk, seen }) => ({
        number,
        walk: JSON.parse(walk),
        seen: Buffer.from(seen, "base64"),
      }));
    },

    clear: (job, limit) =>
      write(async (transaction) => {
        await assertOwned(transaction, job);
        await deleteCheckpoints(transaction, job.id);
        const { numDeletedRows } = await transaction
          .deleteFrom("tracked_records")
          .where("subscription_id", "=", job.id)
          .where("record_id", "in", trackedOf(job.id, transaction).select("record_id").limit(limit))
          .executeTakeFirstOrThrow();
        return Number(numDeletedRows);
      }),
  };
}
