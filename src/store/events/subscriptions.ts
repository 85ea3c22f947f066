import { type Kysely, sql } from "kysely";
import type { Store } from "../../contracts/store.ts";
import type { Subscription, SubscriptionProgress } from "../../contracts/subscriptions.ts";
import { inTransaction, type StoreContext } from "../database/context.ts";
import type { HookRow, SubscriptionRow } from "../database/event-tables.ts";
import { toJson } from "../database/json.ts";
import { selectPage } from "../database/paging.ts";
import { rejectNul } from "../database/reject-nul.ts";
import type { Database } from "../database/schema.ts";
import { toIso, toIsoOrNull } from "../database/time.ts";
import { toHookHealth, wakeHooks } from "./hooks.ts";
import { addJob, takeJob, wakeJobs } from "./jobs.ts";

const FROM_THE_START: SubscriptionProgress = {
  clearing: false,
  walk: 1,
  trusted_from: 1,
  newest: null,
  newest_at: null,
  settled: false,
  full_walk_at: null,
  is_incremental: false,
  full_calls: null,
  incremental_calls: null,
  failures: 0,
};

/** When a paused subscription would be due. */
export const NEVER_MS = 100 * 365 * 86_400_000;

/** Ten times as rare, because a hook says when there is something to read. */
const defaultWithWebhook = (interval: number) => Math.max(interval, Math.min(interval * 10, 86_400));

/** The columns of a hook in a query for subscriptions: all null if there is none. */
type JoinedHook = { [Column in (typeof hookColumns)[number] as `joined_${Column}`]: HookRow[Column] | null };
const hookColumns = ["id", "state", "reason", "expires_at", "last_hint_at", "missed_at"] as const;

type SelectedRow = SubscriptionRow & JoinedHook & { due_at: number | null };

const joinedHook = (row: SelectedRow): Subscription["hook"] =>
  row.joined_id === null
    ? null
    : toHookHealth({
        id: row.joined_id,
        state: row.joined_state!,
        reason: row.joined_reason,
        expires_at: row.joined_expires_at,
        last_hint_at: row.joined_last_hint_at,
        missed_at: row.joined_missed_at,
      });

export const toSubscription = (row: SelectedRow): Subscription => ({
  id: row.id,
  workspace_id: row.workspace_id,
  connection_id: row.connection_id,
  operation: row.operation,
  parameters: JSON.parse(row.parameters),
  interval_seconds: row.interval_seconds,
  full_walk_seconds: row.full_walk_seconds,
  include_existing: row.include_existing === 1,
  poll_with_webhook_seconds: row.poll_with_webhook_seconds ?? defaultWithWebhook(row.interval_seconds),
  hook_target: row.hook_target,
  hook_reason: row.hook_reason,
  hook: joinedHook(row),
  full_hint_at: toIsoOrNull(row.full_hint_at),
  status: row.status,
  reason: row.reason,
  failing_since: toIsoOrNull(row.failing_since),
  last_run: row.last_run === null ? null : JSON.parse(row.last_run),
  next_run: row.status === "paused" ? null : toIsoOrNull(row.due_at),
  progress: JSON.parse(row.progress),
  created_at: toIso(row.created_at),
  updated_at: toIso(row.updated_at),
});

export const selectSubscriptions = (database: Kysely<Database>) =>
  database
    .selectFrom("subscriptions")
    .selectAll("subscriptions")
    .select((select) =>
      hookColumns.map((column) =>
        select
          .selectFrom("hooks")
          .select(`hooks.${column}`)
          .whereRef("hooks.connection_id", "=", "subscriptions.connection_id")
          .whereRef("hooks.target", "=", "subscriptions.hook_target")
          .where("hooks.state", "<>", "ending")
          .as(`joined_${column}`),
      ),
    )
    .select((select) =>
      select.selectFrom("jobs").select("jobs.due_at").whereRef("jobs.id", "=", "subscriptions.id").as("due_at"),
    )
    .$castTo<SelectedRow>();

/** Wakes the subscriptions of a connection, or those that sleep because of it, in the transaction that changes it. */
export async function wakeSubscriptions(
  transaction: Kysely<Database>,
  clock: StoreContext["clock"],
  connectionId: string,
  status?: "sleeping",
): Promise<void> {
  let query = transaction.selectFrom("subscriptions").select("id").where("connection_id", "=", connectionId);
  if (status) query = query.where("status", "=", status);
  const rows = await query.execute();
  await wakeJobs(
    transaction,
    clock,
    rows.map(({ id }) => id),
  );
}

export function subscriptions({ database, stamp, clock }: StoreContext): Store["subscriptions"] {
  async function get(workspaceId: string, id: string) {
    const row = await selectSubscriptions(database)
      .where("workspace_id", "=", workspaceId)
      .where("id", "=", id)
      .executeTakeFirst();
    return row && toSubscription(row);
  }

  /** Changes a subscription and its job in one transaction. */
  async function change(
    workspaceId: string,
    id: string,
    columns: Partial<SubscriptionRow>,
    changeJob: (transaction: Kysely<Database>) => Promise<void>,
  ) {
    if (!(await get(workspaceId, id))) return undefined;
    await inTransaction(database, async (transaction) => {
      // The job first, as runs do: otherwise each could wait for the row that the other has changed.
      await changeJob(transaction);
      const { numUpdatedRows } = await transaction
        .updateTable("subscriptions")
        .set({ ...columns, updated_at: stamp() })
        .where("id", "=", id)
        .executeTakeFirst();
      // It was deleted meanwhile: its job removes what is left.
      if (numUpdatedRows === 0n) await wakeJobs(transaction, clock, [id]);
    });
    return get(workspaceId, id);
  }

  return {
    async create(subscription) {
      const { include_existing, parameters, ...columns } = subscription;
      const created_at = stamp();
      await inTransaction(database, async (transaction) => {
        await transaction
          .insertInto("subscriptions")
          .values(
            rejectNul({
              poll_with_webhook_seconds: null,
              ...columns,
              parameters: toJson(parameters),
              include_existing: Number(include_existing),
              status: "active" as const,
              reason: null,
              failing_since: null,
              last_run: null,
              progress: toJson(FROM_THE_START),
              hook_target: null,
              hook_reason: null,
              full_hint_at: null,
              created_at,
              updated_at: created_at,
            }),
          )
          .execute();
        await addJob(transaction, clock, [subscription.id, "subscription", 0]);
      });
      return (await get(subscription.workspace_id, subscription.id))!;
    },

    get,

    async list(workspaceId, page, { connection_ids }) {
      const all = selectSubscriptions(database);
      const query = connection_ids
        ? // Not by the index of the workspace, which SQLite would choose because of the order.
          all.where("connection_id", "in", connection_ids).where(sql<string>`workspace_id || ''`, "=", workspaceId)
        : all.where("workspace_id", "=", workspaceId);
      return (await selectPage(database, ["subscriptions", workspaceId], page, query)).map(toSubscription);
    },

    update: (workspaceId, id, { parameters, ...columns }) =>
      change(
        workspaceId,
        id,
        parameters
          ? {
              ...columns,
              parameters: toJson(parameters),
              progress: toJson({ ...FROM_THE_START, clearing: true }),
            }
          : columns,
        (transaction) => (parameters ? takeJob(transaction, clock, [id, 0]) : wakeJobs(transaction, clock, [id])),
      ),

    async delete(workspaceId, id) {
      const found = await get(workspaceId, id);
      if (!found) return false;
      return inTransaction(database, async (transaction) => {
        await takeJob(transaction, clock, [id, 0]);
        if (found.hook) await wakeHooks(transaction, clock, found.connection_id);
        const { numDeletedRows } = await transaction
          .deleteFrom("subscriptions")
          .where("id", "=", id)
          .executeTakeFirstOrThrow();
        return numDeletedRows > 0n;
      });
    },

    pause: (workspaceId, id) =>
      change(workspaceId, id, { status: "paused", reason: null, failing_since: null }, (transaction) =>
        takeJob(transaction, clock, [id, NEVER_MS]),
      ),

    resume: (workspaceId, id) =>
      change(workspaceId, id, { status: "active", reason: null, failing_since: null }, (transaction) =>
        wakeJobs(transaction, clock, [id]),
      ),

    async statuses() {
      const rows = await database
        .selectFrom("subscriptions")
        .select(["status", sql<number>`count(*)`.as("count")])
        .groupBy("status")
        .execute();
      return Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)]));
    },
  };
}
