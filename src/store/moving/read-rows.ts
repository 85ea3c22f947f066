import { type Kysely, type RawBuilder, sql } from "kysely";
import type { MovedRow, MovedRows } from "../../contracts/moving.ts";
import type { StoreContext } from "../database/context.ts";
import type { Database } from "../database/schema.ts";
import type { Keyring } from "../secrets/vault.ts";
import { type MovedTable, movedTables } from "./moved-tables.ts";

const PAGE_SIZE = 500;

/** The same database, for queries whose tables and columns are variables. */
export const withAnyTable = (database: Kysely<Database>) =>
  database as unknown as Kysely<Record<string, Record<string, string | number | null>>>;

/** The row with its secrets in plain text. Throws if one of them cannot be decrypted, with its place. */
export function decryptRow(keyring: Keyring, { table, columns }: MovedTable, row: MovedRow): MovedRow {
  const decrypted = { ...row };
  for (const [column, use] of columns) {
    const value = row[column];
    if (use === "secret" && typeof value === "string")
      decrypted[column] = keyring.decrypt(value, { table, id: row.id as string, column });
  }
  return decrypted;
}

/** Whether a row belongs to one of the workspaces. */
function belongsTo(workspaceIds: readonly string[], { owner }: MovedTable): RawBuilder<boolean> {
  const ids = sql.join(workspaceIds);
  if (owner === "subscription_id")
    return sql`subscription_id in (select id from subscriptions where workspace_id in (${ids}))`;
  const grants = sql`from mcp_grants where workspace_id in (${ids})`;
  if (owner === "grant_id") return sql`grant_id in (select id ${grants})`;
  if (owner === "client") return sql`id in (select client_id ${grants})`;
  return sql`${sql.ref(owner)} in (${ids})`;
}

export async function readRows(
  { database, keyring }: Pick<StoreContext, "database" | "keyring">,
  workspaceIds: readonly string[],
  visit: (rows: MovedRows) => Promise<void>,
): Promise<void> {
  if (workspaceIds.length === 0) return;

  /** The rows after one of them, in the order of the primary key. */
  function page(transaction: Kysely<Database>, moved: MovedTable, after: MovedRow | undefined): Promise<MovedRow[]> {
    let query = withAnyTable(transaction)
      .selectFrom(moved.table)
      .select(moved.columns.map(([column]) => column))
      .where(belongsTo(workspaceIds, moved));
    if (after) {
      const values = moved.key.map((column) => after[column]);
      query = query.where(
        sql<boolean>`(${sql.join(moved.key.map((column) => sql.ref(column)))}) > (${sql.join(values)})`,
      );
    }
    for (const column of moved.key) query = query.orderBy(column);
    return query.limit(PAGE_SIZE).execute();
  }

  // On SQLite, every transaction sees one moment.
  await database
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (transaction) => {
      for (const moved of movedTables)
        for (let rows: MovedRow[] = []; ; ) {
          rows = await page(transaction, moved, rows.at(-1));
          if (rows.length > 0)
            await visit({ table: moved.table, rows: rows.map((row) => decryptRow(keyring, moved, row)) });
          if (rows.length < PAGE_SIZE) break;
        }
    });
}
