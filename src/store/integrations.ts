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

const SECRETS = ["client_secret", "private_key", "hook_secret"] as const;
type SecretColumn = (typeof SECRETS)[number];

const locationOf = (id: string, column: SecretColumn): SecretLocation => ({ table: "integrations", id, column });

/**
 * The column `identifier` is unique in a workspace, which processes of an earlier version rely on. Of several
 * integrations of one provider, only the first therefore has the provider's ID alone in this column; the others have it
 * followed by a space and their own ID.
 */
export const furtherIdentifier = (identifier: string, id: string) => `${identifier} ${id}`;
export const providerOf = (stored: string) => stored.split(" ", 1)[0]!;

export function toIntegration(row: IntegrationRow, secrets: StoredSecrets): Integration {
  const decrypt = (column: SecretColumn) =>
    row[column] === null ? null : secrets.decrypt(row[column], locationOf(row.id, column));
  const client_secret = decrypt("client_secret");
  const private_key = decrypt("private_key");
  const hook_secret = decrypt("hook_secret");
  const rest = withoutSecrets(row);
  if (client_secret === undefined || private_key === undefined || hook_secret === undefined)
    return { ...rest, client_secret: null, private_key: null, hook_secret: null, unreadable: true };
  return { ...rest, client_secret, private_key, hook_secret };
}

const toListedIntegration = (row: IntegrationRow): ListedIntegration => ({
  ...withoutSecrets(row),
  has_client_secret: row.client_secret !== null,
  has_private_key: row.private_key !== null,
  has_hook_secret: row.hook_secret !== null,
});

const withoutSecrets = (row: IntegrationRow): Omit<Integration, SecretColumn> => ({
  id: row.id,
  workspace_id: row.workspace_id,
  identifier: providerOf(row.identifier),
  name: row.name,
  type: row.type,
  client_id: row.client_id,
  scopes: row.scopes === null ? null : JSON.parse(row.scopes),
  base_url: row.base_url,
  mcp_url: row.mcp_url,
  settings: row.settings === null ? {} : JSON.parse(row.settings),
  created_at: toIso(row.created_at),
  updated_at: toIso(row.updated_at),
});

export function integrations({ database, keyring, secrets, stamp }: StoreContext): Store["integrations"] {
  const encryptSecret = <Absent extends null | undefined>(
    id: string,
    column: SecretColumn,
    secret: string | Absent,
  ): string | Absent => (typeof secret === "string" ? keyring.encrypt(secret, locationOf(id, column)) : secret);

  return {
    async create(integration) {
      const { id, workspace_id, identifier, name, type, client_id, client_secret, scopes, base_url, mcp_url } =
        integration;
      const { private_key = null, hook_secret = null, settings = {} } = integration;
      const created_at = stamp();
      const values: IntegrationRow = rejectNul({
        id,
        workspace_id,
        identifier,
        name,
        type,
        client_id,
        client_secret: encryptSecret(id, "client_secret", client_secret),
        private_key: encryptSecret(id, "private_key", private_key),
        hook_secret: encryptSecret(id, "hook_secret", hook_secret),
        settings: toJson(settings),
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

    async byId(id) {
      const row = await database.selectFrom("integrations").selectAll().where("id", "=", id).executeTakeFirst();
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

    async update(workspaceId, id, change) {
      const { name, type, client_id, client_secret, private_key, hook_secret, settings, scopes, base_url, mcp_url } =
        change;
      const row = await database
        .updateTable("integrations")
        .set(
          rejectNul({
            name,
            type,
            client_id,
            client_secret: encryptSecret(id, "client_secret", client_secret),
            private_key: encryptSecret(id, "private_key", private_key),
            hook_secret: encryptSecret(id, "hook_secret", hook_secret),
            settings: toJson(settings),
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
