import type { Kysely, RawBuilder } from "kysely";
import type { Database } from "./schema.ts";
import type { Keyring } from "./vault.ts";

/** What each group of queries works with. */
export interface Context {
  database: Kysely<Database>;
  keyring: Keyring;
  /** The moment at which something is made or changed. */
  stamp(): number;
  /** The database's own clock. */
  clock: RawBuilder<number>;
}
