import type { ApiKey } from "../contracts/entities.ts";
import type { Store } from "../contracts/store.ts";
import type { StoreContext } from "./database/context.ts";
import { selectPage } from "./database/paging.ts";
import { rejectNul } from "./database/reject-nul.ts";
import type { ApiKeyRow } from "./database/schema.ts";
import { toIso } from "./database/time.ts";
import { toWorkspace } from "./workspaces.ts";

const toApiKey = (row: Omit<ApiKeyRow, "hash">): ApiKey => ({
  id: row.id,
  workspace_id: row.workspace_id,
  name: row.name,
  prefix: row.prefix,
  created_at: toIso(row.created_at),
});

export function apiKeys({ database, stamp }: StoreContext): Store["keys"] {
  return {
    async create({ id, workspace_id, name, prefix, hash }) {
      const row = await database
        .insertInto("api_keys")
        .values(rejectNul({ id, workspace_id, name, prefix, hash, created_at: stamp() }))
        .returningAll()
        .executeTakeFirstOrThrow();
      return toApiKey(row);
    },

    async byHash(hash) {
      const row = await database
        .selectFrom("api_keys")
        .innerJoin("workspaces", "workspaces.id", "api_keys.workspace_id")
        .where("api_keys.hash", "=", hash)
        .selectAll("workspaces")
        .select([
          "api_keys.id as key_id",
          "api_keys.name as key_name",
          "api_keys.prefix as key_prefix",
          "api_keys.created_at as key_created_at",
        ])
        .executeTakeFirst();
      if (!row) return undefined;
      const key = toApiKey({
        id: row.key_id,
        workspace_id: row.id,
        name: row.key_name,
        prefix: row.key_prefix,
        created_at: row.key_created_at,
      });
      return { key, workspace: toWorkspace(row) };
    },

    async list(workspaceId, page) {
      const query = database.selectFrom("api_keys").selectAll().where("workspace_id", "=", workspaceId);
      return (await selectPage(database, ["api_keys", workspaceId], page, query)).map(toApiKey);
    },

    async delete(workspaceId, id) {
      const row = await database
        .deleteFrom("api_keys")
        .where("workspace_id", "=", workspaceId)
        .where("id", "=", id)
        .returning("hash")
        .executeTakeFirst();
      return row?.hash;
    },
  };
}
