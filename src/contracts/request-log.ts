import type { FullLogEntry, LogEntry, NewLogEntry } from "./entities.ts";
import type { OffsetPage } from "./page.ts";
import type { UsageCount, UsagePeriod, UsageWidth } from "./usage.ts";

/** What a list of log entries is limited to. */
export interface LogFilter {
  connection_id?: string;
  /** Any of these connections. */
  connection_ids?: readonly string[];
  integration_id?: string;
  surface?: string;
  /** A status, or a class such as `5xx`. */
  status?: string;
  outcome?: string;
  /** Whose errors; `any` for all requests that failed. */
  error_source?: string;
  request_id?: string;
  operation?: string;
  /** Part of the path. */
  path?: string;
  /** Without requests that only read the workspace's own data. */
  without_platform_reads?: boolean;
  /** From this time on; ISO 8601. */
  since?: string;
  /** Before this time. */
  until?: string;
  /** Older than the entry with this id. If it was deleted, so was everything older, and nothing is found. */
  before?: string;
}

export interface LogPage {
  entries: LogEntry[];
  /**
   * If the search ended before the log did, because too many entries had to be read: what is older was not searched, and
   * is not in `entries`.
   */
  searched_until: string | null;
}

/** Entries of the request log that are written together. */
export interface LogBatch {
  add(entry: NewLogEntry): void;
  readonly size: number;
}

export interface RequestLogStore {
  requestLog: {
    /** Begins a batch, to which entries are added in the order of time. */
    newBatch(id: string): LogBatch;
    /** Writes what was added to a batch. It may be written again with more entries. */
    write(batch: LogBatch): Promise<void>;
    list(workspaceId: string, page: OffsetPage, filter: LogFilter): Promise<LogPage>;
    get(workspaceId: string, id: string): Promise<FullLogEntry | undefined>;
    /**
     * How many requests there were, in the order of time. Counted with the entries, and kept longer; those of one
     * connection are counted when they are asked for, perhaps not from the beginning of the period on.
     */
    usage(workspaceId: string, period: UsagePeriod): Promise<{ since: string; counts: UsageCount[] }>;
    trimUsage(width: UsageWidth, before: string, signal?: AbortSignal): Promise<void>;
    /**
     * Keeps the newest `keep` entries that are not older than `before`. A batch is kept or deleted as a whole. The signal
     * leaves the rest to the next time.
     */
    trim(before: string, keep: number, signal?: AbortSignal): Promise<void>;
  };
}
