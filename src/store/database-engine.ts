import type { Dialect, Kysely, RawBuilder } from "kysely";
import type { Database } from "./schema.ts";

/** What differs between the two databases. Everything else is written once. */
export interface Engine {
  dialect: Dialect;
  relax: Relaxation;
  /** A number that moves when somebody else has written, read without waiting. */
  externalWriteCounter?: () => number;
  /** Begins a transaction that only one process can be in at a time. */
  beginExclusive: RawBuilder<unknown>[];
  /** The database's own clock, which all its processes share, in microseconds. */
  clock: RawBuilder<number>;
  /** True for an error that says that the database does not answer, or cannot write: trying later may help. */
  isOutage(error: unknown): boolean;
}

/** Does work whose writes survive the end of the process, but perhaps not a loss of power, and are faster for it. */
export type Relaxation = <Result>(
  database: Kysely<Database>,
  work: (connection: Kysely<Database>) => Promise<Result>,
) => Promise<Result>;

export interface Log {
  warn(details: object, message: string): void;
}
