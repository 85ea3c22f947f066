import type { Dialect, RawBuilder } from "kysely";

/** What differs between the two databases. Everything else is written once. */
export interface Engine {
  dialect: Dialect;
  /** A second way in that is faster: what is written by it survives the process, but perhaps not a loss of power. */
  relaxedDialect?: Dialect;
  /** Begins a transaction that only one process can be in at a time. */
  beginAlone: RawBuilder<unknown>[];
  /** The database's own clock, which all its processes share, in microseconds. */
  clock: RawBuilder<number>;
  /** True for an error that says that the database does not answer, or cannot write: trying later may help. */
  isOutage(error: unknown): boolean;
}

export interface Log {
  warn(details: object, message: string): void;
}
