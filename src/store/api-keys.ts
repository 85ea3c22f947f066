import { type Scope, TOOL_PACK_SCOPES } from "../contracts/access.ts";
import type { ApiKey } from "../contracts/entities.ts";
import type { Store } from "../contracts/store.ts";
import type { StoreContext } from "./database/context.ts";
import { toJson } from "./database/json.ts";
import { selectPage } from "./database/paging.ts";
import { rejectNul } from "./database/reject-nul.ts";
import type { ApiKeyRow } from "./database/schema.ts";
import { fromIso, fromIsoOrNull, toIso, toIsoOrNull } from "./database/time.ts";
import { toToolPack } from "./tool-packs.ts";
import { toWorkspace } from "./workspaces.ts";

/** Stored with a tool pack: a process of the previous version, which knows none, refuses the key. */
const NO_SCOPES = "[]";

function readScopes({ scopes, tool_pack_id }: Pick<ApiKeyRow, "scopes" | "tool_pack_id">): Scope[] {
  if (tool_pack_id !== null) return [...TOOL_PACK_SCOPES];
  return scopes === null ? ["*"] : JSON.parse(scopes);
}

export const toApiKey = (row: Omit<ApiKeyRow, "hash">): ApiKey => ({
  id: row.id,
  workspace_id: row.workspace_id,
  name: row.name,
  prefix: row.prefix,
  scopes: readScopes(row),
  external_id: row.external_id,
  connection_ids: row.connection_ids === null ? null : JSON.parse(row.connection_ids),
  expires_at: toIsoOrNull(row.expires_at),
  tool_pack_id: row.tool_pack_id,
  last_used_at: toIsoOrNull(row.last_used_at),
  created_at: toIso(row.created_at),
});

export function apiKeys({ database, stamp, write }: StoreContext): Store["keys"] {
  return {
    async create({ scopes, external_id, connection_ids, expires_at, tool_pack_id, ...key }) {
      const row = await database
        .insertInto("api_keys")
        .values(
          rejectNul({
            ...key,
            scopes: tool_pack_id ? NO_SCOPES : (toJson(scopes) ?? null),
            external_id: external_id ?? null,
            connection_ids: toJson(connection_ids) ?? null,
            expires_at: fromIsoOrNull(expires_at) ?? null,
            last_used_at: null,
            tool_pack_id: tool_pack_id ?? null,
            created_at: stamp(),
          }),
        )
        .returningAll()
        .executeTakeFirstOrThrow();
      return toApiKey(row);
    },

    async byHash(hash) {
      const row = await database
        .selectFrom("api_keys")
        .innerJoin("workspaces", "workspaces.id", "api_keys.workspace_id")
        .leftJoin("tool_packs", "tool_packs.id", "api_keys.tool_pack_id")
        .where("api_keys.hash", "=", hash)
        .selectAll("workspaces")
        .select(["api_keys.id as key_id", "api_keys.name as key_name", "api_keys.created_at as key_created_at"])
        .select(["api_keys.workspace_id", "prefix", "scopes", "external_id", "connection_ids", "expires_at"])
        .select([
          "last_used_at",
          "tool_pack_id",
          "tool_packs.name as pack_name",
          "categories",
          "tools",
          "access",
          "hide",
        ])
        .executeTakeFirst();
      if (!row) return undefined;
      const key = toApiKey({ ...row, id: row.key_id, name: row.key_name, created_at: row.key_created_at });
      const { tool_pack_id: id, pack_name: name, categories, tools, access, hide } = row;
      if (id === null) return { key, workspace: toWorkspace(row), toolPack: undefined };
      // A key never does more because its pack is missing.
      if (name === null || access === null || hide === null) return undefined;
      const toolPack = toToolPack({ id, name, categories, tools, access, hide });
      return { key, workspace: toWorkspace(row), toolPack };
    },

    async get(workspaceId, id) {
      const row = await database
        .selectFrom("api_keys")
        .selectAll()
        .where("workspace_id", "=", workspaceId)
        .where("id", "=", id)
        .executeTakeFirst();
      return row && toApiKey(row);
    },

    async list(workspaceId, page) {
      const query = database.selectFrom("api_keys").selectAll().where("workspace_id", "=", workspaceId);
      return (await selectPage(database, ["api_keys", workspaceId], page, query)).map(toApiKey);
    },

    async used(uses) {
      await write(async (transaction) => {
        for (const { id, at } of uses) {
          const last_used_at = fromIso(at);
          await transaction
            .updateTable("api_keys")
            .set({ last_used_at })
            .where("id", "=", id)
            // Another process may have written a later use.
            .where(({ eb, or }) => or([eb("last_used_at", "is", null), eb("last_used_at", "<", last_used_at)]))
            .execute();
        }
      });
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
