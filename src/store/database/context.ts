import type { Kysely, RawBuilder } from "kysely";
import type { StoredSecrets } from "../secrets/stored-secrets.ts";
import type { Keyring } from "../secrets/vault.ts";
import type { Work, Writer } from "./group-commit.ts";
import type { Database } from "./schema.ts";

/** In the transaction that has begun already, or in one of its own. */
export const inTransaction = <Result>(database: Kysely<Database>, work: Work<Result>): Promise<Result> =>
  database.isTransaction ? work(database) : database.transaction().execute(work);

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
  /** What the connections with a value in their metadata have in `connection_metadata`. */
  metadataTerm(key: string, text: string): RawBuilder<string>;
  /** At the end of a query for rows to change: leaves out those that another transaction is changing. */
  skipLocked: RawBuilder<unknown>;
}
