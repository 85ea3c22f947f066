import type { NewAuditEntry } from "./audit.ts";

/** A row as it is moved to another store: with its columns, and secrets in plain text. */
export type MovedRow = Record<string, string | number | null>;

export interface MovedRows {
  table: string;
  rows: MovedRow[];
}

export type AnyIterable<Item> = Iterable<Item> | AsyncIterable<Item>;

/** How many rows of a table are not in the store yet, are there already, or are there with another content. */
export interface MovedCount {
  new: number;
  same: number;
  different: number;
}

export interface WriteOptions {
  /** Only count. */
  dryRun?: boolean;
  /** What happens to rows that exist with another content: they refuse everything, or stay as they are. */
  different: "refuse" | "keep";
  /** The entry in the audit log of a workspace that gets something. */
  entry(workspaceId: string): NewAuditEntry;
}

export interface MovedResult {
  /** By table, in the order in which they were written. */
  counts: Map<string, MovedCount>;
  /** What refuses everything, in words; the first of many. */
  conflicts: string[];
}

/** Everything that belongs to workspaces, on its way out of one store and into another. */
export interface MovingStore {
  moving: {
    /** The version of the tables, which an export carries. */
    schemaVersion: number;
    /** Reads the rows of these workspaces as of one moment: rows after those that they refer to. */
    read(workspaceIds: readonly string[], visit: (rows: MovedRows) => Promise<void>): Promise<void>;
    /** Writes all of them in one transaction, or none if there is a conflict. No other query of this store can run meanwhile. */
    write(rows: AnyIterable<MovedRows>, options: WriteOptions): Promise<MovedResult>;
  };
}
