import { type RecordChange, recordEventType } from "../../categories/event-types.ts";
import type { Job, NewEvent } from "../../contracts/events.ts";
import type {
  ListWalk,
  Subscription,
  SubscriptionProgress,
  TrackedRecord,
  TrackingChange,
  TrackingStore,
} from "../../contracts/subscriptions.ts";
import type { ListReader } from "./list-reader.ts";
import { EndlessList } from "./outcome.ts";
import { normalize, recordHash, trackedId } from "./record-identity.ts";
import { SeenIds } from "./seen-ids.ts";

/** An interrupted walk reads at most this many pages again. */
const PAGES_PER_CHECKPOINT = 20;
const CHECKPOINTS_PER_READ = 50;
/** A hint starts a full walk of a list that takes more calls than this only every 10 minutes. */
const MAX_CALLS_BY_HINT = 20;
const LONG_WALKS_BY_HINT_MS = 600_000;
/** How late a provider's search may include an update: reading starts this long before the newest one seen. */
const OVERLAP_MS = 120_000;

/** What a run works with. `progress` changes while it runs. */
export interface ActiveRun {
  job: Job;
  subscription: Subscription;
  progress: SubscriptionProgress;
  list: ListReader;
  store: TrackingStore;
  /** The most pages that one walk may read. */
  maxPages: number;
  now(): number;
}

/** A walk in progress, with what has not been saved of it. */
export interface OpenWalk {
  walk: ListWalk;
  /** The walk as it began, or as its last checkpoint has it. */
  saved: ListWalk;
  seen: SeenIds;
  checkpoints: number;
  pagesSinceCheckpoint: number;
  /** Records without an id in this run. */
  skipped: number;
}

const toIso = (milliseconds: number) => new Date(milliseconds).toISOString();

const startingWalk = (kind: ListWalk["kind"], startedMs: number, since: string | null, round = 1): ListWalk => ({
  kind,
  started_at: toIso(startedMs),
  since,
  cursor: null,
  mark: null,
  isRead: false,
  round,
  pages: 0,
  calls: 0,
  records: 0,
  created: 0,
  updated: 0,
  deleted: 0,
  newest: null,
});

const open = (walk: ListWalk): OpenWalk => ({
  walk,
  saved: walk,
  seen: new SeenIds(),
  checkpoints: 0,
  pagesSinceCheckpoint: 0,
  skipped: 0,
});

/** Whether a hint said that a record may be gone, which only a full walk can find out, and the list is not too long. */
function wantsFullWalk({ full_hint_at }: Subscription, progress: SubscriptionProgress, nowMs: number): boolean {
  const { full_walk_at, full_calls } = progress;
  if (full_hint_at === null || full_walk_at === null || full_hint_at < full_walk_at) return false;
  return (full_calls ?? 0) <= MAX_CALLS_BY_HINT || nowMs - Date.parse(full_walk_at) >= LONG_WALKS_BY_HINT_MS;
}

/** The time from which an incremental walk reads; null if the whole list has to be read. */
function sinceOf({ progress, subscription, list, now }: ActiveRun): string | null {
  const { newest, full_walk_at, settled } = progress;
  if (!list.isIncremental || newest === null || full_walk_at === null) return null;
  if (wantsFullWalk(subscription, progress, now())) return null;
  if (now() - Date.parse(full_walk_at) >= subscription.full_walk_seconds * 1000) return null;
  // The clock may have been set back.
  const since = Math.min(Date.parse(newest), now());
  return toIso(settled ? since : since - OVERLAP_MS);
}

/** The interrupted walk, or a new one. */
export async function openWalk(run: ActiveRun): Promise<OpenWalk> {
  const { store, subscription } = run;
  let opened: OpenWalk | undefined;
  for (;;) {
    const saved = await store.tracking.checkpoints(subscription.id, opened?.checkpoints ?? 0, CHECKPOINTS_PER_READ);
    for (const { number, walk, seen } of saved) {
      opened = { ...(opened ?? open(walk)), walk, saved: walk, checkpoints: number };
      opened.seen.restore(seen);
    }
    if (saved.length < CHECKPOINTS_PER_READ) break;
  }
  if (opened) return opened;
  const since = sinceOf(run);
  return open(startingWalk(since === null ? "full" : "incremental", run.now(), since));
}

/** Another full walk immediately after one, to find out whether both missed the same records. */
export const openNextRound = ({ now }: ActiveRun, { walk }: OpenWalk): OpenWalk => {
  const { pages, calls, records, created, updated, deleted, newest, started_at } = walk;
  const next = startingWalk("full", now(), null, walk.round + 1);
  return open({ ...next, started_at, pages, calls, records, created, updated, deleted, newest });
};

/** The checkpoint with which the walk can continue from here. */
export function checkpointOf(opened: OpenWalk): NonNullable<TrackingChange["checkpoint"]> {
  opened.saved = opened.walk;
  opened.checkpoints += 1;
  opened.pagesSinceCheckpoint = 0;
  return { number: opened.checkpoints, walk: opened.walk, seen: opened.seen.takeAdded() };
}

export function recordEvent({ subscription, list }: ActiveRun, change: RecordChange, record: object): NewEvent {
  const { id, workspace_id, connection_id } = subscription;
  const { external_id } = list.connection.record;
  return {
    workspace_id,
    type: recordEventType(list.operation, change),
    connection_id,
    data: { subscription_id: id, connection_id, external_id, record },
  };
}

interface ReadRecord {
  id: string;
  hash: string;
  record: Record<string, unknown>;
}

/** The records of a page by id: a provider may return one twice. */
function readRecords({ list: { operation } }: ActiveRun, opened: OpenWalk, data: unknown): ReadRecord[] {
  const records = new Map<string, ReadRecord>();
  for (const item of data as unknown[]) {
    const id = trackedId(operation.record, item);
    if (id === undefined) {
      opened.skipped += 1;
      continue;
    }
    const record = normalize(operation.record, item);
    records.set(id, { id, hash: recordHash(record), record });
  }
  return [...records.values()];
}

const newestOf = (records: readonly ReadRecord[], before: string | null): string | null => {
  let newest = before;
  for (const { record } of records) {
    const { updated_at } = record;
    if (typeof updated_at === "string" && (newest === null || updated_at > newest)) newest = updated_at;
  }
  return newest;
};

/** How a page differs from what is tracked. */
function compare(run: ActiveRun, walk: ListWalk, records: readonly ReadRecord[], known: readonly TrackedRecord[]) {
  const { progress, subscription } = run;
  const knownById = new Map(known.map((record) => [record.id, record]));
  const emits = progress.full_walk_at !== null || subscription.include_existing;
  const tracked: ReadRecord[] = [];
  const events: NewEvent[] = [];
  let recovered = false;
  for (const read of records) {
    const before = knownById.get(read.id);
    if (before && before.missed_since > 0) recovered = true;
    if (before?.hash === read.hash && before.missed_since === 0) continue;
    tracked.push(read);
    if (!emits || before?.hash === read.hash) continue;
    const change = before ? "updated" : "created";
    events.push(recordEvent(run, change, read.record));
    walk[change] += 1;
  }
  return { tracked, events, recovered };
}

/** Throws if the list leads back to a page that was read, or has more pages than any real list has. */
function assertEnds({ cursor, mark, pages, round }: ListWalk, maxPages: number): void {
  if (cursor !== null && cursor === mark)
    throw new EndlessList("the list has no end: its pages lead back to one that was read already");
  if (pages >= maxPages * round) throw new EndlessList(`the list has more than ${maxPages} pages`);
}

/** Reads one page and stores what has changed. */
export async function readPage(run: ActiveRun, opened: OpenWalk): Promise<void> {
  const { job, store, list } = run;
  assertEnds(opened.walk, run.maxPages);
  const page = await list.read({ after: opened.walk.cursor, updatedSince: opened.walk.since });
  const records = readRecords(run, opened, page.data);
  const known = await store.tracking.find(
    job.id,
    records.map(({ id }) => id),
  );
  const walk = { ...opened.walk };
  const { tracked, events, recovered } = compare(run, walk, records, known);
  // Marked after 1, 2, 4, 8 … pages, so that a circle of any length comes back to its mark.
  if ((walk.pages & (walk.pages - 1)) === 0) walk.mark = walk.cursor;
  walk.cursor = page.next;
  walk.isRead = walk.cursor === null;
  walk.pages += 1;
  walk.calls += page.calls;
  walk.records += records.length;
  if (page.skipped > 0) walk.skipped = (walk.skipped ?? 0) + page.skipped;
  walk.newest = newestOf(records, walk.newest);
  if (walk.kind === "full") for (const { id } of records) opened.seen.add(id);
  opened.walk = walk;
  opened.pagesSinceCheckpoint += 1;

  if (recovered) run.progress = { ...run.progress, trusted_from: run.progress.walk };
  const isCheckpoint = opened.pagesSinceCheckpoint >= PAGES_PER_CHECKPOINT && !walk.isRead;
  if (tracked.length === 0 && !isCheckpoint) return;
  await store.tracking.commit(job, {
    tracked,
    events,
    ...(recovered ? { subscription: { progress: run.progress } } : {}),
    ...(isCheckpoint ? { checkpoint: checkpointOf(opened) } : {}),
  });
}

/** The progress after a walk that has reached its end. */
export function progressAfter(
  { progress, list, now }: ActiveRun,
  { kind, newest: seen, started_at, calls, round, skipped = 0 }: ListWalk,
): SubscriptionProgress {
  const startedMs = Date.parse(started_at);
  // A record whose time is in the future must not hide what happens until then.
  const past = (time: string | null) => (time !== null && time > started_at ? started_at : time);
  const [before, newest] = [past(progress.newest), past(seen)];
  const isNewer = newest !== null && (before === null || newest > before);
  const settled =
    !isNewer &&
    (progress.settled || (progress.newest_at !== null && startedMs >= Date.parse(progress.newest_at) + OVERLAP_MS));
  return {
    ...progress,
    ...(isNewer ? { newest, newest_at: toIso(now()) } : { newest: before }),
    settled,
    failures: 0,
    is_incremental: list.isIncremental,
    ...(kind === "full"
      ? { walk: progress.walk + (skipped > 0 ? 0 : 1), full_walk_at: started_at, full_calls: Math.ceil(calls / round) }
      : { incremental_calls: calls }),
  };
}
