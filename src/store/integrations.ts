import type { Integration, ListedIntegration } from "../contracts/entities.ts";
import type { Store } from "../contracts/store.ts";
import type { Context } from "./context.ts";
import { toJson } from "./json.ts";
import { selectPage } from "./paging.ts";
import { rejectNul } from "./reject-nul.ts";
import type { IntegrationRow } from "./schema.ts";
import type { StoredSecrets } from "./stored-secrets.ts";
import { toIso } from "./time.ts";
import type { SecretLocation } from "./vault.ts";

const clientSecretLocation = (id: string): SecretLocation => ({ table: "integrations", id, column: "client_secret" });

export function toIntegration(row: IntegrationRow, secrets: StoredSecrets): Integration {
  const listed = withoutSecret(row);
  if (row.client_secret === null) return { ...listed, client_secret: null };
  const client_secret = secrets.decrypt(row.client_secret, clientSecretLocation(row.id));
  return client_secret === undefined
    ? { ...listed, client_secret: null, unreadable: true }
    : { ...listed, client_secret };
}

const withoutSecret = (row: IntegrationRow): ListedIntegration => ({
  id: row.id,
  workspace_id: row.workspace_id,
  identifier: row.identifier,
  type: row.type,
  client_id: row.client_id,
  scopes: row.scopes === null ? null : JSON.parse(row.scopes),
  base_url: row.base_url,
  mcp_url: row.mcp_url,
  created_at: toIso(row.created_at),
  updated_at: toIso(row.updated_at),
});

export function integrations({ database, keyring, secrets, stamp }: Context): Store["integrations"] {
  const encryptSecret = <Absent extends null | undefined>(id: string, secret: string | Absent) =>
    typeof secret === "string" ? keyring.encrypt(secret, clientSecretLocation(id)) : secret;

  async function find(workspaceId: string, column: "id" | "identifier", value: string) {
    const row = await database
      .selectFrom("integrations")
      .selectAll()
      .where("workspace_id", "=", workspaceId)
      .where(column, "=", value)
      .executeTakeFirst();
    return row && toIntegration(row, secrets);
  }

  return {
    async create({ id, workspace_id, identifier, type, client_id, client_secret, scopes, base_url, mcp_url }) {
      const created_at = stamp();
      const row = await database
        .insertInto("integrations")
        .values(
          rejectNul({
            id,
            workspace_id,
            identifier,
            type,
            client_id,
            client_secret: encryptSecret(id, client_secret),
            scopes: toJson(scopes),
            base_url,
            mcp_url,
            created_at,
            updated_at: created_at,
          }),
        )
        .onConflict((conflict) => conflict.columns(["workspace_id", "identifier"]).doNothing())
        .returningAll()
        .executeTakeFirst();
      return row && toIntegration(row, secrets);
    },

    get: (workspaceId, id) => find(workspaceId, "id", id),
    byIdentifier: (workspaceId, identifier) => find(workspaceId, "identifier", identifier),

    async list(workspaceId, page) {
      const query = database.selectFrom("integrations").selectAll().where("workspace_id", "=", workspaceId);
      return (await selectPage(database, ["integrations", workspaceId], page, query)).map(withoutSecret);
    },

    async update(workspaceId, id, { type, client_id, client_secret, scopes, base_url, mcp_url }) {
      const row = await database
        .updateTable("integrations")
        .set(
          rejectNul({
            type,
            client_id,
            client_secret: encryptSecret(id, client_secret),
            scopes: toJson(scopes),
            base_url,
            mcp_url,
            updated_at: stamp(),
          }),
        )
        .where("workspace_id", "=", workspaceId)
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirst();
      return row && toIntegration(row, secrets);
    },

    async delete(workspaceId, id) {
      const { numDeletedRows } = await database
        .deleteFrom("integrations")
        .where("workspace_id", "=", workspaceId)
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },
  };
}
