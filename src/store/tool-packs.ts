import { Fault } from "../contracts/fault.ts";
import type { Store } from "../contracts/store.ts";
import { MAX_TOOL_PACKS, type StoredToolPack, type ToolPack } from "../contracts/tool-packs.ts";
import type { StoreContext } from "./database/context.ts";
import { toJson } from "./database/json.ts";
import { rejectNul } from "./database/reject-nul.ts";
import type { ToolPackRow } from "./database/schema.ts";
import { now, toIso } from "./database/time.ts";

const MCP_SETTING = "mcp_tool_pack_id";

export const toToolPack = (row: Omit<ToolPackRow, "workspace_id" | "created_at" | "updated_at">): ToolPack => ({
  id: row.id,
  name: row.name,
  categories: row.categories === null ? null : JSON.parse(row.categories),
  tools: row.tools === null ? null : JSON.parse(row.tools),
  access: row.access,
  hide: JSON.parse(row.hide),
});

const toStored = (row: ToolPackRow): StoredToolPack => ({
  ...toToolPack(row),
  workspace_id: row.workspace_id,
  created_at: toIso(row.created_at),
  updated_at: toIso(row.updated_at),
});

export function toolPacks({ database, stamp }: StoreContext): Store["toolPacks"] {
  return {
    async create({ categories, tools, hide, ...pack }) {
      const { count } = await database
        .selectFrom("tool_packs")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .where("workspace_id", "=", pack.workspace_id)
        .executeTakeFirstOrThrow();
      if (Number(count) >= MAX_TOOL_PACKS)
        throw new Fault("conflict", `a workspace can have ${MAX_TOOL_PACKS} tool packs: delete one`);
      const created_at = stamp();
      const lists = { categories: toJson(categories), tools: toJson(tools), hide: toJson(hide) };
      const row = await database
        .insertInto("tool_packs")
        .values(rejectNul({ ...pack, ...lists, created_at, updated_at: created_at }))
        .returningAll()
        .executeTakeFirstOrThrow();
      return toStored(row);
    },

    async get(workspaceId, id) {
      const row = await database
        .selectFrom("tool_packs")
        .selectAll()
        .where("workspace_id", "=", workspaceId)
        .where("id", "=", id)
        .executeTakeFirst();
      return row && toStored(row);
    },

    async list(workspaceId) {
      const query = database.selectFrom("tool_packs").selectAll().where("workspace_id", "=", workspaceId);
      return (await query.orderBy("created_at").orderBy("id").execute()).map(toStored);
    },

    async update(workspaceId, id, { categories, tools, hide, ...pack }) {
      const lists = { categories: toJson(categories), tools: toJson(tools), hide: toJson(hide) };
      const row = await database
        .updateTable("tool_packs")
        .set(rejectNul({ ...pack, ...lists, updated_at: stamp() }))
        .where("workspace_id", "=", workspaceId)
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirst();
      return row && toStored(row);
    },

    async users(workspaceId, id) {
      const keys = await database
        .selectFrom("api_keys")
        .select(["id", "name"])
        .where("workspace_id", "=", workspaceId)
        .where("tool_pack_id", "=", id)
        .orderBy("created_at")
        .execute();
      const grants = await database
        .selectFrom("mcp_grants")
        .select(["id", "client_name as name"])
        .where("workspace_id", "=", workspaceId)
        .where("tool_pack_id", "=", id)
        .where((where) => where.or([where("expires_at", "is", null), where("expires_at", ">", now())]))
        .orderBy("created_at")
        .execute();
      const settings = await database
        .selectFrom("workspaces")
        .select("id")
        .where("id", "=", workspaceId)
        .where("mcp_tool_pack_id", "=", id)
        .execute();
      return [
        ...settings.map(() => ({ kind: "workspace setting" as const, id: MCP_SETTING, name: MCP_SETTING })),
        ...keys.map((key) => ({ kind: "API key" as const, ...key })),
        ...grants.map((grant) => ({ kind: "MCP client" as const, ...grant })),
      ];
    },

    async delete(workspaceId, id) {
      const { numDeletedRows } = await database
        .deleteFrom("tool_packs")
        .where("workspace_id", "=", workspaceId)
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },
  };
}
