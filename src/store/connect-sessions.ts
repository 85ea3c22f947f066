import type { ConnectSession } from "../contracts/entities.ts";
import type { Store } from "../contracts/store.ts";
import { issueCode } from "./connect-flows.ts";
import { connections } from "./connections.ts";
import type { ConnectSessionRow } from "./database/connect-tables.ts";
import { inTransaction, type StoreContext } from "./database/context.ts";
import { toJson } from "./database/json.ts";
import { rejectNul } from "./database/reject-nul.ts";
import { fromIso, now, toIso } from "./database/time.ts";
import { addToGrant } from "./mcp-grant-accounts.ts";

const toSession = (row: ConnectSessionRow): ConnectSession => ({
  id: row.id,
  workspace_id: row.workspace_id,
  integrations: row.integrations === null ? null : JSON.parse(row.integrations),
  scopes: row.scopes === null ? null : JSON.parse(row.scopes),
  redirect_uri: row.redirect_uri,
  external_id: row.external_id,
  metadata: row.metadata === null ? null : JSON.parse(row.metadata),
  connection_id: row.connection_id,
  browser: row.browser,
  mcp_sign_in_id: row.mcp_sign_in_id,
  mcp_grant_id: row.mcp_grant_id,
  connected_id: row.connected_id,
  expires_at: toIso(row.expires_at),
});

export function connectSessions(context: StoreContext): Store["connectSessions"] {
  const { database } = context;

  return {
    async create({ integrations, scopes, metadata, browser, mcp_sign_in_id, mcp_grant_id, expires_at, ...session }) {
      await database
        .insertInto("connect_links")
        .values(
          rejectNul({
            ...session,
            integrations: toJson(integrations),
            scopes: toJson(scopes),
            metadata: toJson(metadata),
            mcp_sign_in_id: mcp_sign_in_id ?? null,
            mcp_grant_id: mcp_grant_id ?? null,
            browser: browser ?? null,
            attempt: null,
            connected_id: null,
            expires_at: fromIso(expires_at),
          }),
        )
        .execute();
    },

    async get(id) {
      const row = await database
        .selectFrom("connect_links")
        .selectAll()
        .where("id", "=", id)
        .where("expires_at", ">", now())
        .executeTakeFirst();
      return row && toSession(row);
    },

    async begin(id, browser) {
      const row = await database
        .updateTable("connect_links")
        .set({ browser })
        .where("id", "=", id)
        .where("expires_at", ">", now())
        .where((where) => where.or([where("browser", "is", null), where("browser", "=", browser)]))
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    },

    complete: (id, attempt, { id: connectionId, create, change, code }) =>
      inTransaction(database, async (transaction) => {
        const stored = connections({ ...context, database: transaction });
        // First, so that a second attempt waits for this one.
        const session = await transaction
          .updateTable("connect_links")
          .set({ attempt, connected_id: connectionId })
          .where("id", "=", id)
          .where("expires_at", ">", now())
          .where((where) => where.or([where("attempt", "is", null), where("attempt", "=", attempt)]))
          .returning(["workspace_id", "external_id", "mcp_grant_id"])
          .executeTakeFirst();
        if (!session) return "used";
        const exists = (await stored.get(session.workspace_id, connectionId)) !== undefined;
        if (!exists && !create && !code?.creates) {
          await transaction.deleteFrom("connect_links").where("id", "=", id).execute();
          return "connection_missing";
        }
        if (code) await issueCode({ ...context, database: transaction }, code);
        else if (!exists) {
          await stored.create(create!);
          if (session.mcp_grant_id !== null) await addToGrant(transaction, session, connectionId);
        } else if (change) await stored.update(connectionId, change);
        return "completed";
      }),
  };
}
