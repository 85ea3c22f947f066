import type { Dialect, Kysely, RawBuilder } from "kysely";
import type { Database } from "./schema.ts";

/** What differs between the two databases. Everything else is written once. */
export interface DatabaseEngine {
  name: "sqlite" | "postgres";
  dialect: Dialect;
  /** Runs work with faster writes, which survive a crash of the process but perhaps not a power failure. */
  withRelaxedDurability<Result>(
    database: Kysely<Database>,
    work: (connection: Kysely<Database>) => Promise<Result>,
  ): Promise<Result>;
  /** Whether background work shares transactions: see `createWriter`. */
  groupsCommits: boolean;
  /** A number that changes when another connection has written. Reading it does not wait. */
  externalWriteCounter?: () => number;
  /** Begins a transaction that only one process can run at a time. */
  beginExclusive: RawBuilder<unknown>[];
  /** The database's own clock, which all its processes share, in microseconds. */
  clock: RawBuilder<number>;
  /** At the end of a query for rows to change: leaves out those that another transaction is changing. */
  skipLocked: RawBuilder<unknown>;
  /** What the connections with a value in their metadata have in `connection_metadata`. */
  metadataTerm(key: string, text: string): RawBuilder<string>;
  /** Whether a batch of the request log has one of these terms, by an index. SQLite has none: its log is smaller. */
  hasLogTerms?(any: readonly string[]): RawBuilder<boolean>;
  /** True if the statement was not run, because another connection is writing: it can be tried again. */
  isBusy(error: unknown): boolean;
  /** True if the error means that the database is unavailable or cannot write: a later try may succeed. */
  isOutage(error: unknown): boolean;
  /** True if the error means that the disk is full or fails, or that the database is read-only: reads may still work. */
  cannotWrite(error: unknown): boolean;
}
