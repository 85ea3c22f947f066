import type { EventStore } from "../contracts/events.ts";
import { deleteInBatches } from "../runtime/delete-in-batches.ts";

const DAY_MS = 86_400_000;
const BATCH_SIZE = 200;

/** Deletes the events that are older than their retention, with their deliveries. */
export function sweepEvents(
  { events }: Pick<EventStore, "events">,
  retentionDays: number,
  { nowMs = Date.now(), signal }: { nowMs?: number; signal?: AbortSignal } = {},
): Promise<void> {
  const before = new Date(nowMs - retentionDays * DAY_MS).toISOString();
  return deleteInBatches((limit) => events.sweep(before, limit), BATCH_SIZE, signal);
}
