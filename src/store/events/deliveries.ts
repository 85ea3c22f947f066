import { type Kysely, sql } from "kysely";
import { invalidInput } from "../../contracts/fault.ts";
import type {
  AttemptResult,
  Delivery,
  DeliveryAttempt,
  DeliveryState,
  WebhookStore,
} from "../../contracts/webhooks.ts";
import { newId } from "../../runtime/ids.ts";
import { inTransaction, type StoreContext } from "../database/context.ts";
import type { DeliveryAttemptRow, WebhookRow } from "../database/event-tables.ts";
import type { Database } from "../database/schema.ts";
import { fromIso, fromIsoOrNull, now, toIso, toIsoOrNull } from "../database/time.ts";
import type { StoredSecrets } from "../secrets/stored-secrets.ts";
import type { SecretLocation } from "../secrets/vault.ts";
import { appendEvents, toEvent } from "./event-log.ts";
import { assertOwned, wakeJobs } from "./jobs.ts";

export type WebhookSecretColumn = "url" | "secret" | "previous_secret";

export const webhookLocation = (id: string, column: WebhookSecretColumn): SecretLocation => ({
  table: "webhooks",
  id,
  column,
});
const answerLocation = (id: string): SecretLocation => ({ table: "delivery_attempts", id, column: "answer" });

const toAttempt = (row: DeliveryAttemptRow, secrets: StoredSecrets): DeliveryAttempt => ({
  at: toIso(row.created_at),
  status: row.status,
  error: row.error,
  duration_ms: row.duration_ms,
  answer: row.answer === null ? null : (secrets.decrypt(row.answer, answerLocation(row.id)) ?? null),
});

/** Deliveries of webhooks that still exist. */
const selectDeliveries = (database: Kysely<Database>, workspaceId: string) =>
  database
    .selectFrom("deliveries")
    .innerJoin("webhooks", "webhooks.id", "deliveries.webhook_id")
    .innerJoin("events", "events.id", "deliveries.event_id")
    .select([
      "deliveries.id",
      "deliveries.webhook_id",
      "deliveries.event_id",
      "events.type",
      "deliveries.state",
      "deliveries.next_attempt_at",
      "deliveries.created_at",
    ])
    .where("webhooks.workspace_id", "=", workspaceId);

type SelectedDelivery = Awaited<ReturnType<ReturnType<typeof selectDeliveries>["execute"]>>[number];

async function withAttempts(
  { database, secrets }: Pick<StoreContext, "database" | "secrets">,
  rows: readonly SelectedDelivery[],
): Promise<Delivery[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const attempts = await database
    .selectFrom("delivery_attempts")
    .selectAll()
    .where("delivery_id", "in", ids)
    .orderBy("created_at")
    .execute();
  const byDelivery = Map.groupBy(attempts, ({ delivery_id }) => delivery_id);
  return rows.map((row) => ({
    ...row,
    next_attempt_at: toIsoOrNull(row.next_attempt_at),
    created_at: toIso(row.created_at),
    attempts: (byDelivery.get(row.id) ?? []).map((attempt) => toAttempt(attempt, secrets)),
  }));
}

export async function findDelivery(
  context: StoreContext,
  workspaceId: string,
  id: string,
): Promise<Delivery | undefined> {
  const rows = await selectDeliveries(context.database, workspaceId).where("deliveries.id", "=", id).execute();
  return (await withAttempts(context, rows))[0];
}

export function deliveries(context: StoreContext): WebhookStore["deliveries"] {
  const { database, write, keyring, secrets, clock, stamp } = context;

  /** Makes deliveries due now, with all further attempts, and wakes their webhook's job. */
  const sendAgain = (webhookId: string, choose: { id: string } | { failedSince: number }) =>
    inTransaction(database, async (transaction) => {
      // The job first, because a worker locks it before its deliveries.
      await wakeJobs(transaction, clock, [webhookId]);
      const update = transaction
        .updateTable("deliveries")
        .set({ state: "pending", tries: 0, next_attempt_at: stamp() })
        .where("webhook_id", "=", webhookId);
      const { numUpdatedRows } = await ("id" in choose
        ? update.where("id", "=", choose.id)
        : update
            .where("created_at", ">=", choose.failedSince)
            .where((row) => row.or([row("state", "=", "failed"), row.and({ state: "pending" }).and("tries", ">", 0)]))
      ).executeTakeFirstOrThrow();
      return Number(numUpdatedRows);
    });

  const toAttemptRow = ({ delivery_id, at, status, error, duration_ms, answer }: AttemptResult): DeliveryAttemptRow => {
    const id = newId("att");
    return {
      id,
      delivery_id,
      status,
      error,
      duration_ms: Math.round(duration_ms),
      answer: answer === null ? null : keyring.encrypt(answer, answerLocation(id)),
      created_at: fromIso(at),
    };
  };

  async function writeStates(transaction: Kysely<Database>, results: readonly AttemptResult[]): Promise<void> {
    const update = (state: DeliveryState, nextAttemptAt: string | null) =>
      transaction
        .updateTable("deliveries")
        .set(({ eb }) => ({ state, next_attempt_at: fromIsoOrNull(nextAttemptAt), tries: eb("tries", "+", 1) }));
    const delivered = results.filter(({ state }) => state === "delivered").map(({ delivery_id }) => delivery_id);
    if (delivered.length > 0) await update("delivered", null).where("id", "in", delivered).execute();
    for (const { delivery_id, state, next_attempt_at } of results)
      if (state !== "delivered") await update(state, next_attempt_at).where("id", "=", delivery_id).execute();
  }

  /** The secrets to sign with: the current one, and for some time after a rotation also the previous one. */
  function signingSecrets(webhook: WebhookRow): string[] {
    const { id, secret, previous_secret, previous_secret_expires_at } = webhook;
    const stored: [WebhookSecretColumn, string][] = [["secret", secret]];
    if (previous_secret !== null && previous_secret_expires_at! > now())
      stored.push(["previous_secret", previous_secret]);
    return stored
      .map(([column, value]) => secrets.decrypt(value, webhookLocation(id, column)))
      .filter((value) => value !== undefined);
  }

  return {
    get: (workspaceId, id) => findDelivery(context, workspaceId, id),

    async list(workspaceId, webhookId, { after, limit }, { state }) {
      let query = selectDeliveries(database, workspaceId).where("deliveries.webhook_id", "=", webhookId);
      if (state) query = query.where("deliveries.state", "=", state);
      if (after !== undefined) {
        const last = await database
          .selectFrom("deliveries")
          .select(["created_at", "id"])
          .where("webhook_id", "=", webhookId)
          .where("id", "=", after)
          .executeTakeFirst();
        if (!last)
          throw invalidInput({ path: ["after"], message: "Unknown id: give the last one of the previous page" });
        query = query.where(sql<boolean>`(deliveries.created_at, deliveries.id) < (${last.created_at}, ${last.id})`);
      }
      const rows = await query
        .orderBy("deliveries.created_at", "desc")
        .orderBy("deliveries.id", "desc")
        .limit(limit)
        .execute();
      return withAttempts(context, rows);
    },

    async resend(workspaceId, id) {
      const delivery = await findDelivery(context, workspaceId, id);
      if (!delivery) return undefined;
      await sendAgain(delivery.webhook_id, { id });
      return findDelivery(context, workspaceId, id);
    },

    async resendFailed(workspaceId, webhookId, since) {
      const webhook = await database
        .selectFrom("webhooks")
        .select("id")
        .where("workspace_id", "=", workspaceId)
        .where("id", "=", webhookId)
        .executeTakeFirst();
      return webhook ? sendAgain(webhookId, { failedSince: fromIso(since) }) : 0;
    },

    async due(webhookId, at, limit) {
      const webhook = await database.selectFrom("webhooks").selectAll().where("id", "=", webhookId).executeTakeFirst();
      if (!webhook) return undefined;
      const pending = database
        .selectFrom("deliveries")
        .where("webhook_id", "=", webhookId)
        .where("state", "=", "pending")
        .orderBy("next_attempt_at");
      const rows = await pending
        .innerJoin("events", "events.id", "deliveries.event_id")
        .selectAll("events")
        .select(["deliveries.id as delivery_id", "deliveries.tries"])
        // The whole millisecond: the microseconds only keep the order.
        .where("next_attempt_at", "<", fromIso(at) + 1000)
        .limit(limit)
        .execute();
      const next = rows.length > 0 ? undefined : await pending.select("next_attempt_at").limit(1).executeTakeFirst();
      const { id, workspace_id, name, enabled, failing_since, last_triggered_at } = webhook;
      const url = secrets.decrypt(webhook.url, webhookLocation(id, "url")) ?? "";
      return {
        webhook: {
          id,
          workspace_id,
          name,
          url,
          enabled: enabled === 1,
          failing_since: toIsoOrNull(failing_since),
          last_triggered_at: toIsoOrNull(last_triggered_at),
        },
        secrets: signingSecrets(webhook),
        deliveries: rows.map((row) => ({ id: row.delivery_id, tries: row.tries, event: toEvent(row, secrets) })),
        next_at: toIsoOrNull(next?.next_attempt_at ?? null),
      };
    },

    record: (job, results, { was_failing_since, failing_since, last_triggered_at, disabled_reason }) =>
      write(async (transaction) => {
        await assertOwned(transaction, job);
        await transaction.insertInto("delivery_attempts").values(results.map(toAttemptRow)).execute();
        await writeStates(transaction, results);
        const isSame = failing_since === was_failing_since && last_triggered_at === undefined;
        if (isSame && disabled_reason === undefined) return;
        const changed = await transaction
          .updateTable("webhooks")
          .set({
            failing_since: fromIsoOrNull(failing_since),
            ...(last_triggered_at === undefined ? {} : { last_triggered_at: fromIso(last_triggered_at) }),
            ...(disabled_reason === undefined ? {} : { enabled: 0, disabled_reason, updated_at: stamp() }),
          })
          .where("id", "=", job.id)
          // Its owner may have turned it on again meanwhile.
          .where("failing_since", "is not distinct from", fromIsoOrNull(was_failing_since))
          .returning(["workspace_id", "name"])
          .executeTakeFirst();
        if (disabled_reason === undefined || !changed) return;
        const { workspace_id, name } = changed;
        const data = { webhook_id: job.id, name, reason: disabled_reason };
        await appendEvents(transaction, context, [
          { workspace_id, type: "webhook.disabled", connection_id: null, data },
        ]);
      }),
  };
}
