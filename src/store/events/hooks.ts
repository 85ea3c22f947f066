import { type Kysely, sql } from "kysely";
import type { HookHealth, HookStore, StoredHook } from "../../contracts/hooks.ts";
import { newId } from "../../runtime/ids.ts";
import { inTransaction, type StoreContext } from "../database/context.ts";
import type { HookRow } from "../database/event-tables.ts";
import { rejectNul } from "../database/reject-nul.ts";
import type { Database } from "../database/schema.ts";
import { fromIsoOrNull, toIsoOrNull } from "../database/time.ts";
import type { StoredSecrets } from "../secrets/stored-secrets.ts";
import type { SecretLocation } from "../secrets/vault.ts";
import { addJob, hintJobs, wakeJobs } from "./jobs.ts";

/** For how long an old hook is accepted besides the new one. */
const OVERLAP_MS = 60_000;

const locationOf = (id: string, column: "secret" | "remote"): SecretLocation => ({ table: "hooks", id, column });

export const toHookHealth = (
  row: Pick<HookRow, "id" | "state" | "reason" | "expires_at" | "last_hint_at" | "missed_at">,
): HookHealth => ({
  id: row.id,
  state: row.state,
  reason: row.reason,
  expires_at: toIsoOrNull(row.expires_at),
  last_hint_at: toIsoOrNull(row.last_hint_at),
  missed_at: toIsoOrNull(row.missed_at),
});

function toHook(row: HookRow, secrets: StoredSecrets): StoredHook {
  const decrypt = (column: "secret" | "remote") =>
    row[column] === null ? null : (secrets.decrypt(row[column], locationOf(row.id, column)) ?? null);
  const remote = decrypt("remote");
  return {
    ...toHookHealth(row),
    workspace_id: row.workspace_id,
    connection_id: row.connection_id,
    integration_id: row.integration_id,
    target: row.target,
    secret: decrypt("secret"),
    remote: remote === null ? null : JSON.parse(remote),
    account: row.account,
    made_at: toIsoOrNull(row.made_at),
  };
}

/** The subscriptions that a hook starts. */
const startedBy = (
  transaction: Kysely<Database>,
  { connection_id, target }: Pick<HookRow, "connection_id" | "target">,
) =>
  transaction.selectFrom("subscriptions").where("connection_id", "=", connection_id).where("hook_target", "=", target);

/** Lets the hooks of a connection find out whether anybody still needs them, and whether they can be made now. */
export async function wakeHooks(
  transaction: Kysely<Database>,
  clock: StoreContext["clock"],
  connectionId: string,
): Promise<void> {
  const rows = await transaction.selectFrom("hooks").select("id").where("connection_id", "=", connectionId).execute();
  await wakeJobs(
    transaction,
    clock,
    rows.map(({ id }) => id),
  );
}

export function hooks({ database, keyring, secrets, stamp, clock }: StoreContext): HookStore["hooks"] {
  const encrypt = (id: string, column: "secret" | "remote", value: string | null | undefined) =>
    typeof value === "string" ? keyring.encrypt(value, locationOf(id, column)) : value;

  async function add(
    transaction: Kysely<Database>,
    hook: Pick<HookRow, "workspace_id" | "connection_id" | "integration_id" | "target">,
  ): Promise<void> {
    const { workspace_id, connection_id, integration_id, target } = hook;
    const now = stamp();
    const none = { reason: null, secret: null, remote: null, account: null };
    const times = { made_at: null, expires_at: null, last_hint_at: null, missed_at: null };
    const row = { workspace_id, connection_id, integration_id, target, state: "new" as const };
    const added = await transaction
      .insertInto("hooks")
      .values(rejectNul({ id: newId("hook"), ...row, ...none, ...times, created_at: now, updated_at: now }))
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .executeTakeFirst();
    if (added) await addJob(transaction, clock, [added.id, "hook", 0]);
  }

  const find = async (column: "id" | "connection_id", value: string) => {
    const rows = await database.selectFrom("hooks").selectAll().where(column, "=", value).execute();
    return rows.map((row) => toHook(row, secrets));
  };

  /** Runs subscriptions immediately, whatever their hints. */
  async function wakeStarted(transaction: Kysely<Database>, hook: Pick<HookRow, "connection_id" | "target">) {
    const rows = await startedBy(transaction, hook).select("id").where("status", "<>", "paused").execute();
    await wakeJobs(
      transaction,
      clock,
      rows.map(({ id }) => id),
    );
  }

  return {
    get: async (id) => (await find("id", id))[0],
    ofConnection: (connectionId) => find("connection_id", connectionId),

    async ofAccounts(integrationId, accounts) {
      if (accounts.length === 0) return [];
      const rows = await database
        .selectFrom("hooks")
        .selectAll()
        .where("integration_id", "=", integrationId)
        .where("account", "in", accounts)
        .execute();
      return rows.map((row) => toHook(row, secrets));
    },

    want: (subscription, wanted) =>
      inTransaction(database, async (transaction) => {
        const { id, workspace_id, connection_id } = subscription;
        const columns =
          "target" in wanted
            ? { hook_target: wanted.target, hook_reason: null }
            : { hook_target: null, hook_reason: wanted.reason };
        const { numUpdatedRows } = await transaction
          .updateTable("subscriptions")
          .set(rejectNul(columns))
          .where("id", "=", id)
          .executeTakeFirst();
        if (numUpdatedRows > 0n && "target" in wanted)
          await add(transaction, { workspace_id, connection_id, ...wanted });
        await wakeHooks(transaction, clock, connection_id);
      }),

    isWanted: async (hook) => (await startedBy(database, hook).select("id").limit(1).executeTakeFirst()) !== undefined,

    update: (id, { secret, remote, expires_at, made_at, missed_at, ...columns }) =>
      inTransaction(database, async (transaction) => {
        const before = await transaction
          .selectFrom("hooks")
          .select(["state", "connection_id", "target"])
          .where("id", "=", id)
          .executeTakeFirst();
        if (!before) return;
        await transaction
          .updateTable("hooks")
          .set(
            rejectNul({
              ...columns,
              secret: encrypt(id, "secret", secret),
              remote: encrypt(id, "remote", remote && JSON.stringify(remote)),
              expires_at: fromIsoOrNull(expires_at),
              made_at: fromIsoOrNull(made_at),
              missed_at: fromIsoOrNull(missed_at),
              updated_at: stamp(),
            }),
          )
          .where("id", "=", id)
          .execute();
        if (columns.state !== undefined && columns.state !== before.state) await wakeStarted(transaction, before);
      }),

    replace: (hook) =>
      inTransaction(database, async (transaction) => {
        await transaction.updateTable("hooks").set({ state: "ending" }).where("id", "=", hook.id).execute();
        await transaction
          .updateTable("jobs")
          .set({ due_at: sql<number>`${clock} + ${sql.lit(OVERLAP_MS * 1_000)}` })
          .where("id", "=", hook.id)
          .execute();
        await add(transaction, hook);
      }),

    async delete(id) {
      await database.deleteFrom("hooks").where("id", "=", id).execute();
    },

    missed: (id, since) =>
      inTransaction(database, async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable("hooks")
          .set({ missed_at: clock })
          .where("id", "=", id)
          .where((one) => one.or([one("last_hint_at", "is", null), one("last_hint_at", "<", fromIsoOrNull(since)!)]))
          .executeTakeFirst();
        if (numUpdatedRows > 0n) await wakeJobs(transaction, clock, [id]);
      }),

    hint: (hints) =>
      inTransaction(database, async (transaction) => {
        for (const { hookId, operations, deletes } of hints) {
          const hook = await transaction
            .updateTable("hooks")
            .set({ last_hint_at: clock, missed_at: null })
            .where("id", "=", hookId)
            .returning(["connection_id", "target"])
            .executeTakeFirst();
          if (!hook || operations?.length === 0) continue;
          let started = startedBy(transaction, hook).select(["id", "operation"]).where("status", "<>", "paused");
          if (operations) started = started.where("operation", "in", operations);
          const rows = await started.execute();
          const emptied = rows.filter(({ operation }) => deletes.includes(operation)).map(({ id }) => id);
          // The jobs first, as runs do: otherwise each could wait for the row that the other has changed.
          await hintJobs(
            transaction,
            clock,
            rows.map(({ id }) => id),
          );
          if (emptied.length > 0)
            await transaction
              .updateTable("subscriptions")
              .set({ full_hint_at: clock })
              .where("id", "in", emptied)
              .execute();
        }
      }),

    retry: (integrationId) =>
      inTransaction(database, async (transaction) => {
        const rows = await transaction
          .selectFrom("hooks")
          .select("id")
          .where("integration_id", "=", integrationId)
          .where("state", "=", "failed")
          .execute();
        await wakeJobs(
          transaction,
          clock,
          rows.map(({ id }) => id),
        );
      }),
  };
}
