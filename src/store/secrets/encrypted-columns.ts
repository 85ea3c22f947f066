import type { Kysely } from "kysely";
import type { Database } from "../database/schema.ts";

/** Every column with encrypted values. */
export const encryptedColumns = [
  ["connections", "credentials"],
  ["connections", "account"],
  ["integrations", "client_secret"],
  ["integrations", "private_key"],
  ["integrations", "hook_secret"],
  ["connect_sessions", "code_verifier"],
  ["connect_sessions", "sign_in"],
  ["idempotent_writes", "answer"],
  ["reconnect_codes", "changes"],
  ["pending_connections", "changes"],
  ["events", "payload"],
  ["webhooks", "url"],
  ["webhooks", "secret"],
  ["webhooks", "previous_secret"],
  ["hooks", "secret"],
  ["hooks", "remote"],
  ["delivery_attempts", "answer"],
  ["log_batches", "failures"],
  ["person_sessions", "person"],
] as const;

/** Some are used up within minutes or hours, and the service works without those of the request log. */
const expendable = ["connect_sessions", "reconnect_codes", "pending_connections", "log_batches", "person_sessions"];

/** Those whose values must not be lost. */
export const keptColumns = encryptedColumns.filter(([table]) => !expendable.includes(table));

/** A table with encrypted columns, reduced to its text columns and its age. */
interface EncryptedTable {
  id: string;
  created_at: number;
  [column: string]: string | number;
}

/** The same database, for queries whose table and column are variables. */
export const withEncryptedTables = (database: Kysely<Database>) =>
  database as unknown as Kysely<Record<string, EncryptedTable>>;
