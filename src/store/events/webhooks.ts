import type { Kysely } from "kysely";
import { TEST_EVENT_TYPE } from "../../contracts/events.ts";
import { invalidInput } from "../../contracts/fault.ts";
import { MAX_WEBHOOKS, type Webhook, type WebhookStore } from "../../contracts/webhooks.ts";
import { inTransaction, type StoreContext } from "../database/context.ts";
import type { WebhookRow } from "../database/event-tables.ts";
import { toJson } from "../database/json.ts";
import { selectPage } from "../database/paging.ts";
import { rejectNul } from "../database/reject-nul.ts";
import type { Database } from "../database/schema.ts";
import { fromIso, toIso, toIsoOrNull } from "../database/time.ts";
import type { StoredSecrets } from "../secrets/stored-secrets.ts";
import { findDelivery, type WebhookSecretColumn, webhookLocation } from "./deliveries.ts";
import { appendEvents } from "./event-log.ts";
import { addJob, wakeJobs } from "./jobs.ts";
import { newDelivery } from "./new-deliveries.ts";

/** A webhook whose address cannot be decrypted has none: it can be given another one. */
const toWebhook = (row: WebhookRow, secrets: StoredSecrets): Webhook => ({
  id: row.id,
  workspace_id: row.workspace_id,
  name: row.name,
  url: secrets.decrypt(row.url, webhookLocation(row.id, "url")) ?? "",
  events: JSON.parse(row.events),
  enabled: row.enabled === 1,
  disabled_reason: row.disabled_reason,
  failing_since: toIsoOrNull(row.failing_since),
  last_triggered_at: toIsoOrNull(row.last_triggered_at),
  created_at: toIso(row.created_at),
  updated_at: toIso(row.updated_at),
});

/** The workspace's row is locked until the end of the transaction, so that several at a time cannot exceed the limit. */
async function refuseTooMany(transaction: Kysely<Database>, workspaceId: string): Promise<void> {
  await transaction.updateTable("workspaces").set({ id: workspaceId }).where("id", "=", workspaceId).execute();
  const { count } = await transaction
    .selectFrom("webhooks")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirstOrThrow();
  if (Number(count) < MAX_WEBHOOKS) return;
  const message = `A workspace can have ${MAX_WEBHOOKS} webhooks: delete one, or add types to the events of another`;
  throw invalidInput({ path: [], message });
}

export function webhooks(context: StoreContext): WebhookStore["webhooks"] {
  const { database, keyring, secrets, stamp, clock } = context;
  const encrypt = (id: string, column: WebhookSecretColumn, value: string) =>
    keyring.encrypt(value, webhookLocation(id, column));

  const find = (id: string, workspaceId: string) =>
    database
      .selectFrom("webhooks")
      .selectAll()
      .where("workspace_id", "=", workspaceId)
      .where("id", "=", id)
      .executeTakeFirst();

  /** Changes a webhook and wakes its job, in the order in which its worker locks the two. */
  async function change(workspaceId: string, id: string, columns: Partial<WebhookRow>): Promise<Webhook | undefined> {
    const row = await inTransaction(database, async (transaction) => {
      await wakeJobs(transaction, clock, [id]);
      return transaction
        .updateTable("webhooks")
        .set(rejectNul({ ...columns, updated_at: stamp() }))
        .where("workspace_id", "=", workspaceId)
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirst();
    });
    return row && toWebhook(row, secrets);
  }

  return {
    async create({ id, workspace_id, name, url, events, enabled, secret }) {
      const created_at = stamp();
      const row = await inTransaction(database, async (transaction) => {
        await refuseTooMany(transaction, workspace_id);
        await addJob(transaction, clock, [id, "webhook", 0]);
        return transaction
          .insertInto("webhooks")
          .values(
            rejectNul({
              id,
              workspace_id,
              name,
              url: encrypt(id, "url", url),
              events: toJson(events),
              enabled: Number(enabled),
              disabled_reason: null,
              failing_since: null,
              last_triggered_at: null,
              secret: encrypt(id, "secret", secret),
              previous_secret: null,
              previous_secret_expires_at: null,
              created_at,
              updated_at: created_at,
            }),
          )
          .returningAll()
          .executeTakeFirstOrThrow();
      });
      return toWebhook(row, secrets);
    },

    async get(workspaceId, id) {
      const row = await find(id, workspaceId);
      return row && toWebhook(row, secrets);
    },

    async list(workspaceId, page) {
      const query = database.selectFrom("webhooks").selectAll().where("workspace_id", "=", workspaceId);
      const rows = await selectPage(database, ["webhooks", workspaceId], page, query);
      return rows.map((row) => toWebhook(row, secrets));
    },

    update: (workspaceId, id, { name, url, events, enabled }) =>
      change(workspaceId, id, {
        ...(name === undefined ? {} : { name }),
        ...(url === undefined ? {} : { url: encrypt(id, "url", url) }),
        ...(events === undefined ? {} : { events: toJson(events) }),
        ...(enabled === undefined ? {} : { enabled: Number(enabled), disabled_reason: null }),
        // Another address, or another try, starts without a history.
        ...(enabled || url !== undefined ? { failing_since: null } : {}),
      }),

    delete: (workspaceId, id) =>
      inTransaction(database, async (transaction) => {
        const { numDeletedRows } = await transaction
          .deleteFrom("jobs")
          .where("id", "in", (webhook) =>
            webhook.selectFrom("webhooks").select("id").where("id", "=", id).where("workspace_id", "=", workspaceId),
          )
          .executeTakeFirstOrThrow();
        if (numDeletedRows > 0n) await transaction.deleteFrom("webhooks").where("id", "=", id).execute();
        return numDeletedRows > 0n;
      }),

    async secret(workspaceId, id) {
      const row = await find(id, workspaceId);
      return row && secrets.decrypt(row.secret, webhookLocation(id, "secret"));
    },

    async rotateSecret(workspaceId, id, secret, previousUntil) {
      for (;;) {
        const current = await find(id, workspaceId);
        if (!current) return false;
        const previous = secrets.decrypt(current.secret, webhookLocation(id, "secret"));
        const { numUpdatedRows } = await database
          .updateTable("webhooks")
          .set({
            secret: encrypt(id, "secret", secret),
            previous_secret: previous === undefined ? null : encrypt(id, "previous_secret", previous),
            previous_secret_expires_at: fromIso(previousUntil),
            updated_at: stamp(),
          })
          .where("id", "=", id)
          .where("secret", "=", current.secret)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows > 0n) return true;
        // Another rotation, or a re-encryption, was faster.
      }
    },

    async test(workspaceId, id) {
      const webhook = await find(id, workspaceId);
      if (!webhook) return undefined;
      const deliveryId = await inTransaction(database, async (transaction) => {
        const data = { webhook_id: id, name: webhook.name };
        const event = { workspace_id: workspaceId, type: TEST_EVENT_TYPE, connection_id: null, data };
        const [eventId] = await appendEvents(transaction, context, [event]);
        const delivery = newDelivery(context, { workspace_id: workspaceId, webhook_id: id, event_id: eventId! });
        await transaction.insertInto("deliveries").values(delivery).execute();
        await wakeJobs(transaction, clock, [id]);
        return delivery.id;
      });
      return findDelivery(context, workspaceId, deliveryId);
    },

    async countDisabled() {
      const { count } = await database
        .selectFrom("webhooks")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .where("disabled_reason", "is not", null)
        .executeTakeFirstOrThrow();
      return Number(count);
    },
  };
}
