import type { Store } from "../contracts/store.ts";
import type { StoreContext } from "./database/context.ts";
import { fromIso, now, toIso } from "./database/time.ts";
import { toWorkspace } from "./workspaces.ts";

export function dashboard({ database, stamp }: StoreContext): Store["dashboard"] {
  return {
    async createLink({ hash, workspace_id, expires_at }) {
      await database
        .insertInto("dashboard_links")
        .values({ hash, workspace_id, expires_at: fromIso(expires_at) })
        .execute();
    },

    async link(hash) {
      const row = await database
        .selectFrom("dashboard_links")
        .innerJoin("workspaces", "workspaces.id", "dashboard_links.workspace_id")
        .where("dashboard_links.hash", "=", hash)
        .where("dashboard_links.expires_at", ">", now())
        .selectAll("workspaces")
        .executeTakeFirst();
      return row && toWorkspace(row);
    },

    async redeemLink(linkHash, { hash, expires_at }) {
      return database.transaction().execute(async (transaction) => {
        const link = await transaction
          .deleteFrom("dashboard_links")
          .where("hash", "=", linkHash)
          .where("expires_at", ">", now())
          .returning("workspace_id")
          .executeTakeFirst();
        if (!link) return false;
        await transaction
          .insertInto("dashboard_sessions")
          .values({ hash, ...link, key_id: null, created_at: stamp(), expires_at: fromIso(expires_at) })
          .execute();
        return true;
      });
    },

    async openSession({ hash, workspace_id, key_id, expires_at }) {
      await database
        .insertInto("dashboard_sessions")
        .values({ hash, workspace_id, key_id, created_at: stamp(), expires_at: fromIso(expires_at) })
        .execute();
    },

    async session(hash) {
      const row = await database
        .selectFrom("dashboard_sessions")
        .innerJoin("workspaces", "workspaces.id", "dashboard_sessions.workspace_id")
        .where("dashboard_sessions.hash", "=", hash)
        .where("dashboard_sessions.expires_at", ">", now())
        .selectAll("workspaces")
        .select("dashboard_sessions.expires_at as session_expires_at")
        .executeTakeFirst();
      return row && { workspace: toWorkspace(row), expires_at: toIso(row.session_expires_at) };
    },

    async closeSession(hash) {
      await database.deleteFrom("dashboard_sessions").where("hash", "=", hash).execute();
    },

    async sweep() {
      await database.deleteFrom("dashboard_links").where("expires_at", "<=", now()).execute();
      await database.deleteFrom("dashboard_sessions").where("expires_at", "<=", now()).execute();
    },
  };
}
