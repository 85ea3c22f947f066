import type { Actor } from "./caller.ts";

/** What somebody did, or tried to do. Nothing in it is secret. */
export interface NewAuditEntry {
  /** Null if it concerns the installation as a whole. */
  workspace_id: string | null;
  actor: Actor;
  /** Such as `connection.delete`. */
  action: string;
  /** Its kind is how the action begins. */
  target: { kind: string; id: string | null };
  outcome: "success" | "refused";
  request_id: string | null;
  ip: string | null;
  /** Names of the fields that were changed, never their values. */
  changes: string[] | null;
}

/** Each entry has the hash of the one before: a changed or removed entry does not go unnoticed. */
export interface AuditEntry extends NewAuditEntry {
  id: string;
  at: string;
  hash: string;
  /** Empty for the first entry of a workspace. */
  previous_hash: string;
}

/** What a list of audit entries is limited to. */
export interface AuditFilter {
  /** The id of a key or a person, or the name of the user who ran a command. */
  actor?: string;
  /** An action, or all of a kind: `connection.*`. */
  action?: string;
  /** The id of what was changed. */
  target?: string;
}

/** The id of an entry, or a time. With `after` alone the oldest come first, otherwise the newest. */
export interface AuditPage {
  after?: string;
  before?: string;
  limit: number;
}

export interface AuditProblem {
  /** Of the entry at which something is wrong, or after which something is missing. */
  position: number;
  id: string | null;
  problem: string;
}

export interface AuditStore {
  audit: {
    append(entry: NewAuditEntry): Promise<void>;
    list(workspaceId: string | null, page: AuditPage, filter: AuditFilter): Promise<AuditEntry[]>;
    /** Checks the chain of hashes from the oldest entry that is kept to the newest. */
    verify(workspaceId: string | null): Promise<{ entries: number; problems: AuditProblem[] }>;
    /** The workspaces that have older entries; null for entries that concern none. */
    withOlder(before: string): Promise<(string | null)[]>;
    /** Deletes up to `limit` older entries of a workspace; returns how many there were. */
    sweep(workspaceId: string | null, before: string, limit: number): Promise<number>;
  };
}
