import type { Kysely } from "kysely";
import { coversType, TEST_EVENT_TYPE } from "../contracts/events.ts";
import { newId } from "../runtime/ids.ts";
import type { Context } from "./context.ts";
import { wakeJobs } from "./jobs.ts";
import type { Database, DeliveryRow, EventRow } from "./schema.ts";

/** Databases limit the number of values in a statement. */
const ROWS_PER_STATEMENT = 1_000;

type NewDelivery = Pick<DeliveryRow, "workspace_id" | "webhook_id" | "event_id">;

/** Adds deliveries that are due at once; returns their ids. */
export async function addDeliveries(
  transaction: Kysely<Database>,
  { stamp }: Pick<Context, "stamp">,
  deliveries: readonly NewDelivery[],
): Promise<string[]> {
  const rows = deliveries.map((delivery): DeliveryRow => {
    const created_at = stamp();
    return { ...delivery, id: newId("dlv"), state: "pending", tries: 0, next_attempt_at: created_at, created_at };
  });
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT)
    await transaction
      .insertInto("deliveries")
      .values(rows.slice(start, start + ROWS_PER_STATEMENT))
      .execute();
  return rows.map(({ id }) => id);
}

/** Of several patterns that cover a type, the longest counts: `{"*": true, "tasks.*": false}` is all but tasks. */
function wantsType(patterns: Record<string, boolean>, type: string): boolean {
  const covering = Object.keys(patterns).filter((pattern) => coversType(pattern, type));
  const [longest] = covering.toSorted((one, other) => other.length - one.length);
  return longest !== undefined && patterns[longest]!;
}

/** Adds the deliveries of events that are being published, given in their order, and wakes their webhooks' jobs. */
export async function addDeliveriesOf(
  transaction: Kysely<Database>,
  context: Pick<Context, "stamp" | "clock">,
  events: readonly Pick<EventRow, "id" | "workspace_id" | "type">[],
): Promise<void> {
  const webhooks = await transaction
    .selectFrom("webhooks")
    .select(["id", "workspace_id", "events"])
    .where("workspace_id", "in", [...new Set(events.map(({ workspace_id }) => workspace_id))])
    .where("enabled", "=", 1)
    .execute();
  if (webhooks.length === 0) return;
  const patterns = new Map(webhooks.map(({ id, events }) => [id, JSON.parse(events)]));
  const deliveries = events.flatMap(({ id: event_id, workspace_id, type }) =>
    webhooks
      .filter((webhook) => webhook.workspace_id === workspace_id)
      // The delivery of a test event was added together with it.
      .filter(({ id }) => type !== TEST_EVENT_TYPE && wantsType(patterns.get(id), type))
      .map(({ id: webhook_id }) => ({ workspace_id, webhook_id, event_id })),
  );
  await wakeJobs(transaction, context.clock, [...new Set(deliveries.map(({ webhook_id }) => webhook_id))]);
  await addDeliveries(transaction, context, deliveries);
}
