import type { StoredProvider } from "../contracts/entities.ts";
import { Fault } from "../contracts/fault.ts";
import { MAX_OWN_PROVIDERS, type Store } from "../contracts/store.ts";
import { inTransaction, type StoreContext } from "./database/context.ts";
import { rejectNul } from "./database/reject-nul.ts";
import type { ProviderDocumentRow } from "./database/schema.ts";
import { toIso } from "./database/time.ts";

export const toProvider = ({ created_at, updated_at, ...row }: ProviderDocumentRow): StoredProvider => ({
  ...row,
  created_at: toIso(created_at),
  updated_at: toIso(updated_at),
});

export function providers({ database, stamp }: StoreContext): Store["providers"] {
  return {
    create: ({ workspace_id, id, document }) =>
      inTransaction(database, async (transaction) => {
        // Locked until the end of the transaction, so that several at a time cannot exceed the limit.
        await transaction.updateTable("workspaces").set({ id: workspace_id }).where("id", "=", workspace_id).execute();
        const { count } = await transaction
          .selectFrom("provider_documents")
          .select(({ fn }) => fn.countAll<number>().as("count"))
          .where("workspace_id", "=", workspace_id)
          .executeTakeFirstOrThrow();
        if (Number(count) >= MAX_OWN_PROVIDERS)
          throw new Fault("conflict", `a workspace can have ${MAX_OWN_PROVIDERS} providers of its own: delete one`);
        const created_at = stamp();
        const values = { workspace_id, id, document, created_at, updated_at: created_at };
        const row = await transaction
          .insertInto("provider_documents")
          .values(rejectNul(values))
          .onConflict((conflict) => conflict.doNothing())
          .returningAll()
          .executeTakeFirst();
        return row && toProvider(row);
      }),

    async get(workspaceId, id) {
      const row = await database
        .selectFrom("provider_documents")
        .selectAll()
        .where("workspace_id", "=", workspaceId)
        .where("id", "=", id)
        .executeTakeFirst();
      return row && toProvider(row);
    },

    async list(workspaceId) {
      const query = database.selectFrom("provider_documents").selectAll().where("workspace_id", "=", workspaceId);
      return (await query.orderBy("id").execute()).map(toProvider);
    },

    async replace({ workspace_id, id, document: current }, document) {
      const row = await database
        .updateTable("provider_documents")
        .set(rejectNul({ document, updated_at: stamp() }))
        .where("workspace_id", "=", workspace_id)
        .where("id", "=", id)
        .where("document", "=", current)
        .returningAll()
        .executeTakeFirst();
      return row && toProvider(row);
    },

    async delete(workspaceId, id) {
      const { numDeletedRows } = await database
        .deleteFrom("provider_documents")
        .where("workspace_id", "=", workspaceId)
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },
  };
}
