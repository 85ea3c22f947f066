import { setImmediate } from "node:timers/promises";
import type { Kysely } from "kysely";
import { coversType, TEST_EVENT_TYPE } from "../../contracts/events.ts";
import { newId } from "../../runtime/ids.ts";
import type { StoreContext } from "../database/context.ts";
import type { DeliveryRow, EventRow } from "../database/event-tables.ts";
import type { Database } from "../database/schema.ts";
import { wakeJobs } from "./jobs.ts";

/** SQLite blocks the process while it runs a statement; this many rows take a few milliseconds. */
const ROWS_PER_STATEMENT = 200;

type NewDelivery = Pick<DeliveryRow, "workspace_id" | "webhook_id" | "event_id">;
type PublishedEvent = Pick<EventRow, "id" | "workspace_id" | "type">;

/** A delivery that is due now. */
export function newDelivery({ stamp }: Pick<StoreContext, "stamp">, delivery: NewDelivery): DeliveryRow {
  const created_at = stamp();
  return { ...delivery, id: newId("dlv"), state: "pending", tries: 0, next_attempt_at: created_at, created_at };
}

/** If several patterns match a type, the longest counts: `{"*": true, "tasks.*": false}` is all but tasks. */
function wantsType(patterns: Record<string, boolean>, type: string): boolean {
  const covering = Object.keys(patterns).filter((pattern) => coversType(pattern, type));
  const [longest] = covering.toSorted((one, other) => other.length - one.length);
  return longest !== undefined && patterns[longest]!;
}

/** Which webhooks get an event: decided once for each workspace and type. */
async function findReceivers(transaction: Kysely<Database>, events: readonly PublishedEvent[]) {
  const rows = await transaction
    .selectFrom("webhooks")
    .select(["id", "workspace_id", "events"])
    .where("workspace_id", "in", [...new Set(events.map(({ workspace_id }) => workspace_id))])
    .where("enabled", "=", 1)
    .execute();
  const webhooks = rows.map((row) => ({ ...row, patterns: JSON.parse(row.events) as Record<string, boolean> }));
  const receivers = new Map<string, string[]>();
  const keyOf = ({ workspace_id, type }: PublishedEvent) => `${workspace_id} ${type}`;
  for (const event of events) {
    const { workspace_id, type } = event;
    // The delivery of a test event was added together with it.
    if (type === TEST_EVENT_TYPE || receivers.has(keyOf(event))) continue;
    const wanting = webhooks.filter((one) => one.workspace_id === workspace_id && wantsType(one.patterns, type));
    receivers.set(
      keyOf(event),
      wanting.map(({ id }) => id),
    );
  }
  return {
    all: [...new Set([...receivers.values()].flat())],
    of: (event: PublishedEvent) => receivers.get(keyOf(event)) ?? [],
  };
}

/**
 * Adds the deliveries of events that are being published, given in their order, and wakes their webhooks' jobs. Other
 * work of the process can run in between.
 */
export async function addDeliveriesOf(
  transaction: Kysely<Database>,
  context: Pick<StoreContext, "stamp" | "clock">,
  events: readonly PublishedEvent[],
): Promise<void> {
  const receivers = await findReceivers(transaction, events);
  for (let start = 0; start < receivers.all.length; start += ROWS_PER_STATEMENT) {
    await wakeJobs(transaction, context.clock, receivers.all.slice(start, start + ROWS_PER_STATEMENT));
    await setImmediate();
  }
  let rows: DeliveryRow[] = [];
  async function insert(): Promise<void> {
    await transaction.insertInto("deliveries").values(rows).execute();
    rows = [];
    await setImmediate();
  }
  for (const event of events) {
    const { id: event_id, workspace_id } = event;
    for (const webhook_id of receivers.of(event)) {
      rows.push(newDelivery(context, { workspace_id, webhook_id, event_id }));
      if (rows.length === ROWS_PER_STATEMENT) await insert();
    }
  }
  if (rows.length > 0) await insert();
}
