import type { Workspace } from "../contracts/entities.ts";
import type { Store } from "../contracts/store.ts";
import type { StoreContext } from "./database/context.ts";
import { toJson } from "./database/json.ts";
import { rejectNul } from "./database/reject-nul.ts";
import type { WorkspaceRow } from "./database/schema.ts";
import { toIso } from "./database/time.ts";

export const toWorkspace = (row: WorkspaceRow): Workspace => ({
  id: row.id,
  name: row.name,
  client_id: row.client_id,
  redirect_uris: JSON.parse(row.redirect_uris),
  logo_url: row.logo_url,
  accent_color: row.accent_color,
  mcp_sign_in_url: row.mcp_sign_in_url,
  mcp_tool_pack_id: row.mcp_tool_pack_id,
  created_at: toIso(row.created_at),
  updated_at: toIso(row.updated_at),
});

export function workspaces({ database, stamp }: StoreContext): Store["workspaces"] {
  async function find(column: "id" | "name" | "client_id", value: string): Promise<Workspace | undefined> {
    const row = await database
      .selectFrom("workspaces")
      .selectAll()
      .where(column, "=", value)
      .orderBy("created_at")
      .orderBy("id")
      .limit(1)
      .executeTakeFirst();
    return row && toWorkspace(row);
  }

  return {
    async create(workspace) {
      const created_at = stamp();
      const { id, name, client_id } = workspace;
      const row = await database
        .insertInto("workspaces")
        .values(
          rejectNul({
            id,
            name,
            client_id,
            redirect_uris: toJson(workspace.redirect_uris),
            logo_url: null,
            accent_color: null,
            mcp_sign_in_url: null,
            mcp_tool_pack_id: null,
            created_at,
            updated_at: created_at,
          }),
        )
        .returningAll()
        .executeTakeFirstOrThrow();
      return toWorkspace(row);
    },

    get: (id) => find("id", id),
    byName: (name) => find("name", name),
    byClientId: (clientId) => find("client_id", clientId),

    async list() {
      const rows = await database.selectFrom("workspaces").selectAll().orderBy("created_at").orderBy("id").execute();
      return rows.map(toWorkspace);
    },

    async update(id, change) {
      const row = await database
        .updateTable("workspaces")
        .set(rejectNul({ ...change, redirect_uris: toJson(change.redirect_uris), updated_at: stamp() }))
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirst();
      return row && toWorkspace(row);
    },
  };
}
