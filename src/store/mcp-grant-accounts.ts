import type { Kysely } from "kysely";
import type { ConnectSessionRow } from "./database/connect-tables.ts";
import { toJson } from "./database/json.ts";
import type { Database } from "./database/schema.ts";

/**
 * Adds a connection that was made in a connect session to the grant of the session, if it is of the same person. The row
 * is locked first: two sessions of a grant may end at the same time.
 */
export async function addToGrant(
  database: Kysely<Database>,
  { workspace_id, external_id, mcp_grant_id }: Pick<ConnectSessionRow, "workspace_id" | "external_id" | "mcp_grant_id">,
  connectionId: string,
): Promise<void> {
  const own = database
    .updateTable("mcp_grants")
    .where("id", "=", mcp_grant_id)
    .where("workspace_id", "=", workspace_id)
    .where("external_id", "=", external_id)
    .where("may_add_accounts", "=", 1);
  const grant = await own
    .set(({ ref }) => ({ connection_ids: ref("connection_ids") }))
    .returning("connection_ids")
    .executeTakeFirst();
  if (!grant) return;
  await own.set({ connection_ids: toJson([...JSON.parse(grant.connection_ids), connectionId]) }).execute();
}
