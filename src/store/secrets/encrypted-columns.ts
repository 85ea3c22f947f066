import type { Kysely } from "kysely";
import type { Database } from "../database/schema.ts";

/** Every column with encrypted values. */
export const encryptedColumns = [
  ["connections", "credentials"],
  ["connections", "account"],
  ["integrations", "client_secret"],
  ["connect_sessions", "code_verifier"],
  ["idempotent_writes", "answer"],
  ["reconnect_codes", "changes"],
  ["pending_connections", "changes"],
  ["events", "payload"],
  ["webhooks", "url"],
  ["webhooks", "secret"],
  ["webhooks", "previous_secret"],
  ["delivery_attempts", "answer"],
] as const;

const shortLived = ["connect_sessions", "reconnect_codes", "pending_connections"];

/** Those whose values are kept for longer than minutes. */
export const keptColumns = encryptedColumns.filter(([table]) => !shortLived.includes(table));

/** A table with encrypted columns, reduced to its text columns and its age. */
interface EncryptedTable {
  id: string;
  created_at: number;
  [column: string]: string | number;
}

/** The same database, for queries whose table and column are variables. */
export const withEncryptedTables = (database: Kysely<Database>) =>
  database as unknown as Kysely<Record<string, EncryptedTable>>;
