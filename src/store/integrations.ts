import { sql } from "kysely";
import type { Integration, ListedIntegration } from "../contracts/entities.ts";
import type { Store } from "../contracts/store.ts";
import type { StoreContext } from "./database/context.ts";
import { toJson } from "./database/json.ts";
import { selectPage } from "./database/paging.ts";
import { rejectNul } from "./database/reject-nul.ts";
import type { IntegrationRow } from "./database/schema.ts";
import { toIso } from "./database/time.ts";
import type { StoredSecrets } from "./secrets/stored-secrets.ts";
import type { SecretLocation } from "./secrets/vault.ts";

const clientSecretLocation = (id: string): SecretLocation => ({ table: "integrations", id, column: "client_secret" });

/**
 * The column `identifier` is unique in a workspace, which processes of an earlier version rely on. Of several
 * integrations of one provider, only the first therefore has the provider's ID alone in this column; the others have it
 * followed by a space and their own ID.
 */
const furtherIdentifier = (identifier: string, id: string) => `${identifier} ${id}`;
const providerOf = (stored: string) => stored.split(" ", 1)[0]!;

export function toIntegration(row: IntegrationRow, secrets: StoredSecrets): Integration {
  const rest = withoutSecret(row);
  if (row.client_secret === null) return { ...rest, client_secret: null };
  const client_secret = secrets.decrypt(row.client_secret, clientSecretLocation(row.id));
  return client_secret === undefined ? { ...rest, client_secret: null, unreadable: true } : { ...rest, client_secret };
}

const toListedIntegration = (row: IntegrationRow): ListedIntegration => ({
  ...withoutSecret(row),
  has_client_secret: row.client_secret !== null,
});

const withoutSecret = (row: IntegrationRow): Omit<Integration, "client_secret"> => ({
  id: row.id,
  workspace_id: row.workspace_id,
  identifier: providerOf(row.identifier),
  name: row.name,
  type: row.type,
  client_id: row.client_id,
  scopes: row.scopes === null ? null : JSON.parse(row.scopes),
  base_url: row.base_url,
  mcp_url: row.mcp_url,
  created_at: toIso(row.created_at),
  updated_at: toIso(row.updated_at),
});

export function integrations({ database, keyring, secrets, stamp }: StoreContext): Store["integrations"] {
  const encryptSecret = <Absent extends null | undefined>(id: string, secret: string | Absent) =>
    typeof secret === "string" ? keyring.encrypt(secret, clientSecretLocation(id)) : secret;

  return {
    async create(integration) {
      const { id, workspace_id, identifier, name, type, client_id, client_secret, scopes, base_url, mcp_url } =
        integration;
      const created_at = stamp();
      const values: IntegrationRow = rejectNul({
        id,
        workspace_id,
        identifier,
        name,
        type,
        client_id,
        client_secret: encryptSecret(id, client_secret),
        scopes: toJson(scopes),
        base_url,
        mcp_url,
        created_at,
        updated_at: created_at,
      });
      const insert = (row: IntegrationRow) => database.insertInto("integrations").values(row).returningAll();
      const row =
        (await insert(values)
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst()) ??
        (await insert({ ...values, identifier: furtherIdentifier(identifier, id) }).executeTakeFirstOrThrow());
      return toIntegration(row, secrets);
    },

    async get(workspaceId, id) {
      const row = await database
        .selectFrom("integrations")
        .selectAll()
        .where("workspace_id", "=", workspaceId)
        .where("id", "=", id)
        .executeTakeFirst();
      return row && toIntegration(row, secrets);
    },

    async ofProvider(workspaceId, identifier) {
      const rows = await database
        .selectFrom("integrations")
        .selectAll()
        .where("workspace_id", "=", workspaceId)
        .where((where) =>
          where.or([
            where("identifier", "=", identifier),
            where("identifier", "=", sql<string>`${furtherIdentifier(identifier, "")} || id`),
          ]),
        )
        .orderBy("created_at")
        .orderBy("id")
        .execute();
      return rows.map((row) => toIntegration(row, secrets));
    },

    async list(workspaceId, page) {
      const query = database.selectFrom("integrations").selectAll().where("workspace_id", "=", workspaceId);
      return (await selectPage(database, ["integrations", workspaceId], page, query)).map(toListedIntegration);
    },

    async update(workspaceId, id, { name, type, client_id, client_secret, scopes, base_url, mcp_url }) {
      const row = await database
        .updateTable("integrations")
        .set(
          rejectNul({
            name,
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
