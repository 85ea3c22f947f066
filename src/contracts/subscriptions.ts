import type { Job, NewEvent } from "./events.ts";
import type { HookHealth } from "./hooks.ts";
import type { PageRequest } from "./page.ts";

/**
 * `sleeping`: its connection cannot be used until the user connects again. `failing`: its last runs failed; it is still
 * tried. Both say why in `reason`.
 */
export const subscriptionStatuses = ["active", "paused", "sleeping", "failing"] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** What starts the runs of a subscription. */
export const subscriptionTriggers = ["webhook", "polling"] as const;

/** What a run has done, so far or in total. */
export interface SubscriptionRun {
  started_at: string;
  /** Null while it has not reached the end of the list: it continues with `next_run`. */
  finished_at: string | null;
  /** `full`: the whole list. `incremental`: only what was updated since. */
  kind: "full" | "incremental";
  pages: number;
  records: number;
  created: number;
  updated: number;
  deleted: number;
  error: string | null;
}

/** What a subscription remembers from run to run. */
export interface SubscriptionProgress {
  /** Whether what was tracked with earlier parameters has to be removed first. */
  clearing: boolean;
  /** The number of the full walk that comes next or is in progress, from 1. */
  walk: number;
  /** Only walks from this number on can prove a delete: earlier ones missed a record that came back. */
  trusted_from: number;
  /** The newest `updated_at` of all records, by the provider's clock. */
  newest: string | null;
  /** When the run ended that found `newest`. */
  newest_at: string | null;
  /** Whether so much time has passed since then that no older update can appear. */
  settled: boolean;
  /** When the last complete full walk began. Null before the first: the baseline. */
  full_walk_at: string | null;
  /** Whether the provider can filter by time; false before that is known. */
  is_incremental: boolean;
  /** Calls of the last complete run of each kind. */
  full_calls: number | null;
  incremental_calls: number | null;
  /** Failed runs in a row. */
  failures: number;
}

/** A list operation that is read at an interval, to emit events for what changes. */
export interface Subscription {
  id: string;
  workspace_id: string;
  connection_id: string;
  /** `tasks.listTasks` */
  operation: string;
  /** Its path and query parameters. */
  parameters: Record<string, string>;
  interval_seconds: number;
  /** How often the whole list is read, to find what was deleted. */
  full_walk_seconds: number;
  /** The interval while the provider's own webhook starts it. */
  poll_with_webhook_seconds: number;
  /** What the hook watches; null if no hook covers the list. */
  hook_target: string | null;
  /** Why none does. */
  hook_reason: string | null;
  hook: HookHealth | null;
  /** When a hint said last that a record may be gone. */
  full_hint_at: string | null;
  /** Whether the first walk emits a `created` event for each existing record. */
  include_existing: boolean;
  status: SubscriptionStatus;
  reason: string | null;
  failing_since: string | null;
  last_run: SubscriptionRun | null;
  /** Null if it is paused. */
  next_run: string | null;
  progress: SubscriptionProgress;
  created_at: string;
  updated_at: string;
}

/** What decides when a subscription runs again. */
export type ScheduledSubscription = Pick<
  Subscription,
  "id" | "interval_seconds" | "poll_with_webhook_seconds" | "hook"
>;

/** Whether the provider's own webhook can be relied on now. */
export const isHookHealthy = ({ hook }: Pick<Subscription, "hook">, nowMs: number): boolean =>
  hook !== null &&
  hook.state === "active" &&
  hook.missed_at === null &&
  (hook.expires_at === null || Date.parse(hook.expires_at) > nowMs);

/** How long until the list is read again, if nothing says that it has changed. */
export function currentInterval(subscription: ScheduledSubscription, nowMs: number): number {
  const { interval_seconds, poll_with_webhook_seconds, hook } = subscription;
  if (!isHookHealthy(subscription, nowMs)) return interval_seconds;
  const untilExpiry = hook?.expires_at ? (Date.parse(hook.expires_at) - nowMs) / 1000 : Number.POSITIVE_INFINITY;
  return Math.max(interval_seconds, Math.min(poll_with_webhook_seconds, Math.ceil(untilExpiry)));
}

export type NewSubscription = Pick<
  Subscription,
  | "id"
  | "workspace_id"
  | "connection_id"
  | "operation"
  | "parameters"
  | "interval_seconds"
  | "full_walk_seconds"
  | "include_existing"
> & { poll_with_webhook_seconds?: number | null };

/** The state of a walk through a list. */
export interface ListWalk extends Omit<SubscriptionRun, "finished_at" | "error"> {
  /** Only records updated since then; null for all. */
  since: string | null;
  /** Where it continues; null at the start of the list. */
  cursor: string | null;
  /** An earlier `cursor`: a list that leads back to it has no end. */
  mark: string | null;
  /** Whether the end of the list was reached, so that the records that were not seen can be checked. */
  isRead: boolean;
  /** Full walks that followed one another to confirm deletes, this one included. */
  round: number;
  /** Calls to the provider. */
  calls: number;
  /** The newest `updated_at` that this walk has seen. */
  newest: string | null;
  /** Items that could not be read: what was not seen may be among them. Undefined counts as none. */
  skipped?: number;
}

/** What is kept of each record. */
export interface TrackedRecord {
  /** The record's own id, or a hash of it if that is very long. */
  id: string;
  /** Of the normalized record. */
  hash: string;
  /** The number of the first of the latest full walks that all missed it; 0 if the last one has seen it. */
  missed_since: number;
}

/** The state of a walk at a page, from which it can continue after a crash or a pause. */
export interface Checkpoint {
  number: number;
  walk: ListWalk;
  /** Hashes of the ids that were seen since the previous checkpoint. */
  seen: Buffer;
}

/** What a run changes, in one transaction. */
export interface TrackingChange {
  /** Records that are new or have changed, or were missed before. */
  tracked?: readonly Pick<TrackedRecord, "id" | "hash">[];
  /** Records that the full walk with this number did not see. */
  missed?: { walk: number; ids: readonly string[] };
  /** Records that are no longer tracked. */
  untracked?: readonly string[];
  events?: readonly NewEvent[];
  checkpoint?: Checkpoint;
  /** Deletes the checkpoints: the walk is over, or starts again. */
  endsWalk?: boolean;
  subscription?: Partial<Pick<Subscription, "status" | "reason" | "failing_since" | "last_run" | "progress">>;
}

/** The part of the store that subscriptions are kept in. */
export interface SubscriptionStore {
  /** Each has a job of the same id. They are deleted together with their connection. */
  subscriptions: {
    /** It runs immediately. */
    create(subscription: NewSubscription): Promise<Subscription>;
    get(workspaceId: string, id: string): Promise<Subscription | undefined>;
    list(
      workspaceId: string,
      page: PageRequest,
      filter: { connection_ids?: readonly string[] },
    ): Promise<Subscription[]>;
    /** It runs immediately. With other parameters it starts over: a run in progress loses its job. */
    update(
      workspaceId: string,
      id: string,
      change: Partial<Pick<Subscription, "parameters" | "interval_seconds" | "full_walk_seconds">> & {
        poll_with_webhook_seconds?: number | null;
      },
    ): Promise<Subscription | undefined>;
    /** Its job deletes what it tracked, in batches. */
    delete(workspaceId: string, id: string): Promise<boolean>;
    /** A run in progress loses its job. */
    pause(workspaceId: string, id: string): Promise<Subscription | undefined>;
    /** It runs immediately. */
    resume(workspaceId: string, id: string): Promise<Subscription | undefined>;
    /** How many subscriptions there are with each status, in all workspaces. */
    statuses(): Promise<Record<string, number>>;
  };
}

/** The part of the store that subscriptions are run with. */
export interface TrackingStore {
  tracking: {
    load(subscriptionId: string): Promise<Subscription | undefined>;
    /** Those of the given records that are tracked. */
    find(subscriptionId: string, ids: readonly string[]): Promise<TrackedRecord[]>;
    count(subscriptionId: string): Promise<number>;
    /** Tracked records after an id, in the order of their ids. */
    page(subscriptionId: string, after: string, limit: number): Promise<TrackedRecord[]>;
    /** Writes the whole change, or nothing and throws `JobLost` if another process has claimed the job meanwhile. */
    commit(job: Job, change: TrackingChange): Promise<void>;
    /** The checkpoints after a number, in order. */
    checkpoints(subscriptionId: string, after: number, limit: number): Promise<Checkpoint[]>;
    /** Deletes up to `limit` tracked records, and the checkpoints. Returns how many records there were. */
    clear(job: Job, limit: number): Promise<number>;
  };
}
