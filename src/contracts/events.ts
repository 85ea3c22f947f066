/** An event before it is in the log. */
export interface NewEvent {
  workspace_id: string;
  /** `connection.created`, `tasks.task.updated`, … */
  type: string;
  connection_id: string | null;
  /** What the receiver gets. Encrypted at rest. */
  data: Record<string, unknown>;
}

export interface LoggedEvent extends NewEvent {
  /** Also the `webhook-id` of every delivery. */
  id: string;
  created_at: string;
}

/** Only sent on request, to one webhook. */
export const TEST_EVENT_TYPE = "webhook.test";

/** Whether a pattern matches a type: it is the type itself, a prefix such as `tasks.*`, or `*` for all. */
export const coversType = (pattern: string, type: string): boolean =>
  pattern === type || (/^(.+\.)?\*$/.test(pattern) && type.startsWith(pattern.slice(0, -1)));

/** Events in the order of the log, after a position in it. */
export interface EventLogPage {
  events: LoggedEvent[];
  /** Where to continue: every matching event before it is in this page or an earlier one. */
  position: number;
}

/** Work that is due at some time: running a subscription, or sending the deliveries of a webhook. */
export interface Job {
  /** The id of the subscription, webhook or hook. */
  id: string;
  /** Identifies the claim, to check that it still owns the job: see `EventStore.jobs`. */
  owner: string;
  /** How often it was woken, and hinted at, before it was claimed. */
  wakes: number;
  hints: number;
}

/** Another process has claimed the job meanwhile, so nothing may be written for it. */
export class JobLost extends Error {
  override name = "JobLost";
}

export type JobKind = "webhook" | "subscription" | "hook";

/** When a job is due again, in milliseconds. With `isEarliest`, a hint does not bring it forward. */
export type Due = number | { inMs: number; isEarliest: true };

export interface EventFilter {
  types?: readonly string[];
  connection_ids?: readonly string[];
}

/** The part of the store that events are logged, scheduled and delivered with. */
export interface EventStore {
  /**
   * The event log. An event is written in the transaction of the change that it reports, and gets its position in the
   * log later, when it is published: positions become visible in their order, so a reader who continues after a position
   * misses nothing.
   */
  events: {
    /** Publishes up to `limit` events in the order in which they were written, and returns how many there were. */
    publish(limit: number): Promise<number>;
    list(
      workspaceId: string,
      /** With `before`, newest first. */
      page: { after: number; limit: number } | { before: number; limit: number },
      filter: EventFilter,
    ): Promise<EventLogPage>;
    /** The position of the workspace's newest event; 0 if there is none. */
    newest(workspaceId: string): Promise<number>;
    /** Deletes up to `limit` older events without pending deliveries; returns how many there were. */
    sweep(before: string, limit: number): Promise<number>;
    /** For how long the oldest event has waited to be published, in milliseconds; 0 if none waits. */
    publishLagMs(): Promise<number>;
    /** The listener is called when this process has written events. Their transaction may still be running. */
    onWritten(listener: () => void): void;
  };

  /**
   * Jobs that the processes share. Each is claimed by one process for the time of a lease; if that process dies, another
   * claims it afterwards. A process loses its job when the lease expires, so every write of a job is in one transaction
   * with a check that the job is still owned.
   */
  jobs: {
    /** Adds a job that is due in `dueInMs`. */
    add(id: string, kind: JobKind, dueInMs: number): Promise<void>;
    /** Makes jobs due now, including running ones: they run again. */
    wake(ids: readonly string[]): Promise<void>;
    /** Claims up to `limit` due jobs, longest overdue first. */
    claim(kind: JobKind, owner: string, limit: number, leaseMs: number): Promise<Job[]>;
    /** False if another process has claimed the job meanwhile. */
    renew(job: Job, leaseMs: number): Promise<boolean>;
    /** Ends a claim. A job that was woken meanwhile is due immediately; after a hint, 5 seconds after it was claimed. */
    finish(job: Job, due: Due): Promise<void>;
    remove(id: string): Promise<void>;
    /** Jobs that are due and not claimed, and for how long the first of them has been due. */
    backlog(kind: JobKind): Promise<{ due: number; oldestMs: number }>;
  };
}
