import type { Kysely, RawBuilder } from "kysely";
import type { StoredSecrets } from "../secrets/stored-secrets.ts";
import type { Keyring } from "../secrets/vault.ts";
import type { Writer } from "./group-commit.ts";
import type { Database } from "./schema.ts";

/** What each group of queries needs. */
export interface StoreContext extends Writer {
  database: Kysely<Database>;
  keyring: Keyring;
  secrets: StoredSecrets;
  /** The time for `created_at` and `updated_at`. */
  stamp(): number;
  /** The database's own clock. */
  clock: RawBuilder<number>;
  /** Called when events were written; their transaction may still be running. */
  eventsWritten(): void;
  /** At the end of a query for rows to change: leaves out those that another transaction is changing. */
  skipLocked: RawBuilder<unknown>;
}
