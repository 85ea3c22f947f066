import { isDeepStrictEqual } from "node:util";
import type { Kysely } from "kysely";
import type { Credentials } from "../contracts/authentication.ts";
import type { ConnectionChange } from "../contracts/connections.ts";
import type { ConnectedAccount, Connection, ListedConnection } from "../contracts/entities.ts";
import type { NewEvent } from "../contracts/events.ts";
import type { Store } from "../contracts/store.ts";
import { filterConnections } from "./connection-filter.ts";
import { inTransaction, type StoreContext } from "./database/context.ts";
import { toJson } from "./database/json.ts";
import { selectMatchingPage, selectPage } from "./database/paging.ts";
import { rejectNul } from "./database/reject-nul.ts";
import type { ConnectionRow, Database, IntegrationRow } from "./database/schema.ts";
import { fromIsoOrNull, toIso, toIsoOrNull } from "./database/time.ts";
import { appendEvents } from "./events/event-log.ts";
import { wakeHooks } from "./events/hooks.ts";
import { wakeSubscriptions } from "./events/subscriptions.ts";
import { toIntegration } from "./integrations.ts";
import { matches } from "./metadata-filter.ts";
import type { StoredSecrets } from "./secrets/stored-secrets.ts";
import type { SecretLocation } from "./secrets/vault.ts";

const credentialsLocation = (id: string): SecretLocation => ({ table: "connections", id, column: "credentials" });
const accountLocation = (id: string): SecretLocation => ({ table: "connections", id, column: "account" });

const unreadable = {
  is_valid: false,
  invalid_reason: "the stored credentials cannot be decrypted: connect again, or restore the encryption key",
  unreadable: true,
} as const;

const includesCredentials = (stored: Credentials, expected: Partial<Credentials>) =>
  Object.entries(expected).every(([name, value]) => isDeepStrictEqual(stored[name as keyof Credentials], value));

function toConnection(row: ConnectionRow, secrets: StoredSecrets): Connection {
  const credentials = secrets.decrypt(row.credentials, credentialsLocation(row.id));
  return credentials === undefined
    ? { ...withoutCredentials(row, secrets), ...unreadable, credentials: {} }
    : { ...withoutCredentials(row, secrets), credentials: JSON.parse(credentials) };
}

function toListedConnection(row: ConnectionRow, secrets: StoredSecrets): ListedConnection {
  const readable = secrets.isReadable(row.credentials, credentialsLocation(row.id));
  return { ...withoutCredentials(row, secrets), ...(readable ? {} : unreadable) };
}

function readAccount({ id, account }: ConnectionRow, secrets: StoredSecrets): ConnectedAccount | null {
  const decrypted = account === null ? undefined : secrets.decrypt(account, accountLocation(id));
  return decrypted === undefined ? null : JSON.parse(decrypted);
}

const withoutCredentials = (row: ConnectionRow, secrets: StoredSecrets): ListedConnection => ({
  id: row.id,
  workspace_id: row.workspace_id,
  integration_id: row.integration_id,
  integration_identifier: row.integration_identifier,
  external_id: row.external_id,
  settings: JSON.parse(row.settings),
  metadata: row.metadata === null ? null : JSON.parse(row.metadata),
  account: readAccount(row, secrets),
  is_valid: row.is_valid === 1,
  invalid_reason: row.invalid_reason,
  expires_at: toIsoOrNull(row.expires_at),
  refreshed_at: toIsoOrNull(row.refreshed_at),
  created_at: toIso(row.created_at),
  updated_at: toIso(row.updated_at),
});

type ConnectionEventKind = "created" | "updated" | "deleted" | "invalid" | "recovered";

/** The event has the connection as the Platform API shows it. */
function toConnectionEvent(row: ConnectionRow, kind: ConnectionEventKind, secrets: StoredSecrets): NewEvent {
  const { workspace_id, ...data } = withoutCredentials(row, secrets);
  return { workspace_id, type: `connection.${kind}`, connection_id: row.id, data };
}

const integrationColumns = [
  "integrations.id as joined_id",
  "integrations.workspace_id as joined_workspace_id",
  "integrations.identifier as joined_identifier",
  "integrations.type as joined_type",
  "integrations.client_id as joined_client_id",
  "integrations.client_secret as joined_client_secret",
  "integrations.scopes as joined_scopes",
  "integrations.base_url as joined_base_url",
  "integrations.mcp_url as joined_mcp_url",
  "integrations.private_key as joined_private_key",
  "integrations.hook_secret as joined_hook_secret",
  "integrations.settings as joined_settings",
  "integrations.name as joined_name",
  "integrations.created_at as joined_created_at",
  "integrations.updated_at as joined_updated_at",
] as const;

/** The integration in a joined row, or undefined if the join found none. */
function joinedIntegration(
  row: { [Column in keyof IntegrationRow as `joined_${Column}`]: IntegrationRow[Column] | null },
) {
  if (row.joined_id === null) return undefined;
  const columns = Object.entries(row).filter(([name]) => name.startsWith("joined_"));
  return Object.fromEntries(
    columns.map(([name, value]) => [name.slice("joined_".length), value]),
  ) as unknown as IntegrationRow;
}

export function connections(context: StoreContext): Store["connections"] {
  const { database, keyring, secrets, stamp } = context;

  /** Makes a change and writes its events in one transaction, which may have begun already. */
  async function changeAndEmit<Row extends ConnectionRow>(
    change: (transaction: Kysely<Database>) => Promise<Row | undefined>,
    ...kinds: ConnectionEventKind[]
  ): Promise<Row | undefined> {
    const work = async (transaction: Kysely<Database>) => {
      const row = await change(transaction);
      const events = row ? kinds.map((kind) => toConnectionEvent(row, kind, secrets)) : [];
      await appendEvents(transaction, context, events);
      if (row && kinds.some((kind) => kind === "updated" || kind === "recovered")) {
        await wakeSubscriptions(transaction, context.clock, row.id, "sleeping");
        await wakeHooks(transaction, context.clock, row.id);
      }
      return row;
    };
    return inTransaction(database, work);
  }

  const updateRow = (transaction: Kysely<Database>, id: string, change: ConnectionChange) =>
    transaction
      .updateTable("connections")
      .set(rejectNul({ ...changeableColumns(id, change), updated_at: stamp() }))
      .where("id", "=", id)
      .returningAll();

  /** The columns that can change. Undefined means "leave unchanged". */
  const changeableColumns = (id: string, change: Partial<Connection>) => ({
    external_id: change.external_id,
    credentials: change.credentials && keyring.encrypt(JSON.stringify(change.credentials), credentialsLocation(id)),
    settings: toJson(change.settings),
    metadata: toJson(change.metadata),
    account: change.account && keyring.encrypt(JSON.stringify(change.account), accountLocation(id)),
    is_valid: change.is_valid === undefined ? undefined : Number(change.is_valid),
    invalid_reason: change.invalid_reason,
    expires_at: fromIsoOrNull(change.expires_at),
    refreshed_at: fromIsoOrNull(change.refreshed_at),
  });

  return {
    async create(connection) {
      const { id, workspace_id, integration_id, integration_identifier } = connection;
      const created_at = stamp();
      const values = rejectNul({
        id,
        workspace_id,
        integration_id,
        integration_identifier,
        ...changeableColumns(id, connection),
        created_at,
        updated_at: created_at,
      }) as ConnectionRow;
      const row = await changeAndEmit(
        (transaction) => transaction.insertInto("connections").values(values).returningAll().executeTakeFirstOrThrow(),
        "created",
      );
      return toConnection(row!, secrets);
    },

    async get(workspaceId, id) {
      const row = await database
        .selectFrom("connections")
        .selectAll()
        .where("workspace_id", "=", workspaceId)
        .where("id", "=", id)
        .executeTakeFirst();
      return row && toConnection(row, secrets);
    },

    async load(id) {
      const row = await database
        .selectFrom("connections")
        .leftJoin("integrations", (join) =>
          join
            .onRef("integrations.id", "=", "connections.integration_id")
            .onRef("integrations.workspace_id", "=", "connections.workspace_id"),
        )
        .leftJoin("provider_documents as provider", (join) =>
          join
            .onRef("provider.workspace_id", "=", "connections.workspace_id")
            .onRef("provider.id", "=", "connections.integration_identifier"),
        )
        .where("connections.id", "=", id)
        .selectAll("connections")
        .select(integrationColumns)
        .select(["provider.document as provider_document"])
        .executeTakeFirst();
      if (!row) return undefined;
      const integration = joinedIntegration(row);
      const { provider_document, workspace_id, integration_identifier } = row;
      return {
        connection: toConnection(row, secrets),
        integration: integration && toIntegration(integration, secrets),
        provider:
          provider_document === null
            ? undefined
            : { workspace_id, id: integration_identifier, document: provider_document },
      };
    },

    async list(workspaceId, page, filter) {
      const { query, order } = await filterConnections(context, workspaceId, filter);
      const selected = query.selectAll("connections");
      const { metadata } = filter;
      const rows = metadata
        ? await selectMatchingPage(
            database,
            ["connections", workspaceId],
            page,
            selected,
            (row) => matches(row.metadata === null ? null : JSON.parse(row.metadata), metadata),
            order,
          )
        : await selectPage(database, ["connections", workspaceId], page, selected);
      return rows.map((row) => toListedConnection(row, secrets));
    },

    async update(id, change) {
      for (;;) {
        const stored = await database
          .selectFrom("connections")
          .select("is_valid")
          .where("id", "=", id)
          .executeTakeFirst();
        if (!stored) return undefined;
        const row = await changeAndEmit(
          (transaction) =>
            updateRow(transaction, id, change).where("is_valid", "=", stored.is_valid).executeTakeFirst(),
          "updated",
          ...validityChange(stored, change),
        );
        if (row) return toConnection(row, secrets);
        // It was deleted, or became valid or invalid in between: the event would be wrong.
      }
    },

    async updateIfUnchanged(id, expected, change) {
      for (;;) {
        const stored = await database
          .selectFrom("connections")
          .select(["credentials", "is_valid"])
          .where("id", "=", id)
          .executeTakeFirst();
        if (!stored) return undefined;
        const credentials = secrets.decrypt(stored.credentials, credentialsLocation(id));
        if (credentials === undefined || !includesCredentials(JSON.parse(credentials), expected)) return undefined;
        const apply = (transaction: Kysely<Database>) =>
          updateRow(transaction, id, change)
            .where("credentials", "=", stored.credentials)
            .where("is_valid", "=", stored.is_valid)
            .executeTakeFirst();
        const kinds = validityChange(stored, change);
        // A token refresh needs no event, and so no transaction.
        const row = kinds.length > 0 ? await changeAndEmit(apply, ...kinds) : await apply(database);
        if (row) return toConnection(row, secrets);
        // Another process wrote in between, perhaps the same token encrypted with another key: check again.
      }
    },

    async delete(workspaceId, id) {
      const row = await changeAndEmit(async (transaction) => {
        // Locked before the jobs, as by other changes, and the jobs before their subscriptions, as by runs.
        const { numUpdatedRows } = await transaction
          .updateTable("connections")
          .set({ workspace_id: workspaceId })
          .where("workspace_id", "=", workspaceId)
          .where("id", "=", id)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return undefined;
        // Their jobs remove what they have tracked.
        await wakeSubscriptions(transaction, context.clock, id);
        return transaction.deleteFrom("connections").where("id", "=", id).returningAll().executeTakeFirst();
      }, "deleted");
      return row && toConnection(row, secrets);
    },
  };
}

function validityChange(
  { is_valid }: Pick<ConnectionRow, "is_valid">,
  change: ConnectionChange,
): ConnectionEventKind[] {
  if (change.is_valid === undefined || Number(change.is_valid) === is_valid) return [];
  return [change.is_valid ? "recovered" : "invalid"];
}
