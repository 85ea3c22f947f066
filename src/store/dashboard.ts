import type { DashboardSession, Store } from "../contracts/store.ts";
import { toApiKey } from "./api-keys.ts";
import { inTransaction, type StoreContext } from "./database/context.ts";
import { fromIso, now, toIso } from "./database/time.ts";
import type { SecretLocation } from "./secrets/vault.ts";
import { toWorkspace } from "./workspaces.ts";

const personLocation = (id: string): SecretLocation => ({ table: "person_sessions", id, column: "person" });

export function dashboard({ database, stamp, keyring, secrets }: StoreContext): Store["dashboard"] {
  async function keyOf(id: string) {
    const row = await database.selectFrom("api_keys").selectAll().where("id", "=", id).executeTakeFirst();
    return row && toApiKey(row);
  }

  async function personSession(hash: string): Promise<DashboardSession | undefined> {
    const row = await database
      .selectFrom("person_sessions")
      .innerJoin("workspaces", "workspaces.id", "person_sessions.workspace_id")
      .where("person_sessions.id", "=", hash)
      .where("person_sessions.expires_at", ">", now())
      .selectAll("workspaces")
      .select(["person_sessions.expires_at as session_expires_at", "person_sessions.person"])
      .executeTakeFirst();
    // One that cannot be decrypted is as good as expired: the person has to sign in again.
    const person = row && secrets.decrypt(row.person, personLocation(hash));
    if (person === undefined) return undefined;
    const expires_at = toIso(row!.session_expires_at);
    return { workspace: toWorkspace(row!), key: undefined, person: JSON.parse(person), expires_at };
  }

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
      return inTransaction(database, async (transaction) => {
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

    async openPersonSession({ hash, workspace_id, person, expires_at }) {
      await database
        .insertInto("person_sessions")
        .values({
          id: hash,
          workspace_id,
          person: keyring.encrypt(JSON.stringify(person), personLocation(hash)),
          created_at: stamp(),
          expires_at: fromIso(expires_at),
        })
        .execute();
    },

    async moveSession(hash, workspace_id) {
      await database.updateTable("person_sessions").set({ workspace_id }).where("id", "=", hash).execute();
    },

    async session(hash) {
      const row = await database
        .selectFrom("dashboard_sessions")
        .innerJoin("workspaces", "workspaces.id", "dashboard_sessions.workspace_id")
        .where("dashboard_sessions.hash", "=", hash)
        .where("dashboard_sessions.expires_at", ">", now())
        .selectAll("workspaces")
        .select(["dashboard_sessions.expires_at as session_expires_at", "dashboard_sessions.key_id"])
        .executeTakeFirst();
      if (!row) return personSession(hash);
      const key = row.key_id === null ? undefined : await keyOf(row.key_id);
      // The key was deleted in between, and the session with it.
      if (row.key_id !== null && !key) return undefined;
      return { workspace: toWorkspace(row), key, person: undefined, expires_at: toIso(row.session_expires_at) };
    },

    async closeSession(hash) {
      await database.deleteFrom("dashboard_sessions").where("hash", "=", hash).execute();
      await database.deleteFrom("person_sessions").where("id", "=", hash).execute();
    },

    async sweep() {
      await database.deleteFrom("dashboard_links").where("expires_at", "<=", now()).execute();
      await database.deleteFrom("dashboard_sessions").where("expires_at", "<=", now()).execute();
      await database.deleteFrom("person_sessions").where("expires_at", "<=", now()).execute();
    },
  };
}
