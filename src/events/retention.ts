import type { EventStore } from "../contracts/events.ts";

const DAY_MS = 86_400_000;
/** Small, so that other work is not delayed for long. */
const BATCH_SIZE = 200;

/** Deletes the events that are older than their retention, with their deliveries. */
export async function sweepEvents(
  { events }: Pick<EventStore, "events">,
  retentionDays: number,
  nowMs = Date.now(),
): Promise<void> {
  const before = new Date(nowMs - retentionDays * DAY_MS).toISOString();
  while ((await events.sweep(before, BATCH_SIZE)) === BATCH_SIZE);
}
