import { Fault, ProviderFailure } from "../../contracts/fault.ts";
import type { TrackedRecord } from "../../contracts/subscriptions.ts";
import { deletedRecord } from "./record-identity.ts";
import { type ActiveRun, type OpenWalk, recordEvent } from "./walk.ts";

/** If a walk missed at most this many records, the provider is asked for each. */
const MAX_ASKED = 20;
/** A record that this many full walks in a row missed counts as deleted in any case. */
const MAX_MISSES = 6;
const RECORDS_PER_READ = 1_000;
const RECORDS_PER_WRITE = 100;

/** Tracked records that the walk did not see, in batches. */
async function* unseenBy({ store, subscription }: ActiveRun, { seen }: OpenWalk): AsyncGenerator<TrackedRecord[]> {
  let after = "";
  for (;;) {
    const records = await store.tracking.page(subscription.id, after, RECORDS_PER_READ);
    const unseen = records.filter(({ id }) => !seen.has(id));
    for (let start = 0; start < unseen.length; start += RECORDS_PER_WRITE)
      yield unseen.slice(start, start + RECORDS_PER_WRITE);
    if (records.length < RECORDS_PER_READ) return;
    after = records.at(-1)!.id;
  }
}

interface Unseen {
  count: number;
  /** The first of them. */
  some: TrackedRecord[];
  /** Whether the previous walk missed all of them too. */
  missedBefore: boolean;
}

async function countUnseen(run: ActiveRun, opened: OpenWalk): Promise<Unseen> {
  const unseen: Unseen = { count: 0, some: [], missedBefore: true };
  // Everything that was seen is tracked, so equal numbers mean that everything tracked was seen.
  if ((await run.store.tracking.count(run.subscription.id)) <= opened.seen.size) return unseen;
  for await (const records of unseenBy(run, opened)) {
    unseen.count += records.length;
    if (unseen.some.length <= MAX_ASKED) unseen.some.push(...records);
    if (records.some((record) => !wasMissedBefore(run, record))) unseen.missedBefore = false;
  }
  return unseen;
}

const wasMissedBefore = ({ progress }: ActiveRun, { missed_since }: TrackedRecord) =>
  missed_since > 0 && missed_since < progress.walk;

const isMissedOften = ({ progress }: ActiveRun, { missed_since }: TrackedRecord) =>
  missed_since > 0 && progress.walk - missed_since + 1 >= MAX_MISSES;

async function emitDeleted(run: ActiveRun, opened: OpenWalk, records: readonly TrackedRecord[]): Promise<void> {
  if (records.length === 0) return;
  await run.store.tracking.commit(run.job, {
    untracked: records.map(({ id }) => id),
    events: records.map(({ id }) => recordEvent(run, "deleted", deletedRecord(run.list.operation.record, id))),
  });
  opened.walk = { ...opened.walk, deleted: opened.walk.deleted + records.length };
}

/** False unless the provider says for certain that the record does not exist. */
async function isGone({ list }: ActiveRun, { id }: TrackedRecord): Promise<boolean> {
  try {
    return await list.isGone!(id);
  } catch (error) {
    const isAboutRecord =
      error instanceof ProviderFailure && error.status < 500 && ![401, 408, 429].includes(error.status);
    if (isAboutRecord || (error instanceof Fault && error.kind === "upstream_malformed")) return false;
    throw error;
  }
}

/**
 * Emits `deleted` events after a full walk that has reached the end of the list. A walk may miss records that exist,
 * because lists shift while they are read: `docs/decisions.md` explains why this never reports a delete that did not
 * happen. Returns whether another walk is needed immediately.
 */
export async function confirmDeletes(run: ActiveRun, opened: OpenWalk): Promise<boolean> {
  const { job, store, progress, list } = run;
  const { count, some, missedBefore } = await countUnseen(run, opened);
  if (count === 0) return false;
  if (opened.walk.skipped) {
    // What was not seen may be among the items that could not be read, so only the provider's own answer counts.
    if (list.isGone !== undefined && count <= MAX_ASKED)
      for (const record of some) if (await isGone(run, record)) await emitDeleted(run, opened, [record]);
    return false;
  }
  // An empty response is more often a fault than a list that was emptied, so it has to be confirmed.
  const isSnapshot = opened.walk.calls === 1 && opened.seen.size > 0;
  const isAgreed = missedBefore && progress.trusted_from < progress.walk;
  if (isSnapshot || isAgreed) {
    for await (const records of unseenBy(run, opened)) await emitDeleted(run, opened, records);
    return false;
  }
  let remaining = 0;
  for await (const records of unseenBy(run, opened)) {
    const often = records.filter((record) => isMissedOften(run, record));
    const others = records.filter((record) => !often.includes(record));
    await emitDeleted(run, opened, often);
    const fresh = others.filter(({ missed_since }) => missed_since === 0).map(({ id }) => id);
    if (fresh.length > 0) await store.tracking.commit(job, { missed: { walk: progress.walk, ids: fresh } });
    remaining += others.length;
  }
  if (list.isGone === undefined || count > MAX_ASKED) return remaining > 0;
  for (const record of some) {
    if (isMissedOften(run, record) || !(await isGone(run, record))) continue;
    await emitDeleted(run, opened, [record]);
    remaining -= 1;
  }
  return remaining > 0;
}
