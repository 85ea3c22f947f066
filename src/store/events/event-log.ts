import { type Kysely, sql } from "kysely";
import type { EventFilter, EventStore, LoggedEvent, NewEvent } from "../../contracts/events.ts";
import { newId } from "../../runtime/ids.ts";
import type { StoreContext } from "../database/context.ts";
import type { EventRow } from "../database/event-tables.ts";
import type { Database } from "../database/schema.ts";
import { fromIso, toIso } from "../database/time.ts";
import type { StoredSecrets } from "../secrets/stored-secrets.ts";
import type { SecretLocation } from "../secrets/vault.ts";
import { later } from "./jobs.ts";
import { addDeliveriesOf } from "./new-deliveries.ts";

const payloadLocation = (id: string): SecretLocation => ({ table: "events", id, column: "payload" });

/** Writes events in the transaction of the change that they report; returns their ids. */
export async function appendEvents(
  transaction: Kysely<Database>,
  {
    keyring,
    stamp,
    eventsWritten,
  }: Pick<StoreContext, "keyring" | "stamp"> & Partial<Pick<StoreContext, "eventsWritten">>,
  events: readonly NewEvent[],
): Promise<string[]> {
  if (events.length === 0) return [];
  const rows = events.map(({ data, ...event }): EventRow => {
    const id = newId("evt");
    const payload = keyring.encrypt(JSON.stringify(data), payloadLocation(id));
    return { id, ...event, payload, position: null, created_at: stamp() };
  });
  await transaction.insertInto("events").values(rows).execute();
  eventsWritten?.();
  return rows.map(({ id }) => id);
}

export function toEvent(row: EventRow, secrets: StoredSecrets): LoggedEvent {
  const payload = secrets.decrypt(row.payload, payloadLocation(row.id));
  return {
    id: row.id,
    workspace_id: row.workspace_id,
    type: row.type,
    connection_id: row.connection_id,
    data: payload === undefined ? {} : JSON.parse(payload),
    created_at: toIso(row.created_at),
  };
}

/** SQLite allows 500 parts of a union. */
const VALUES_PER_QUERY = 100;

/**
 * A position is at least the time in units of this many microseconds, so that new ones are higher than those that readers
 * have, also after a restore or a move. No database publishes an event in less, so many events do not outrun the clock.
 */
const POSITION_US = sql.lit(10);

interface PositionRange {
  from?: number;
  to: number;
  direction: "asc" | "desc";
  limit: number;
}

export function eventLog(context: StoreContext, onWritten: EventStore["events"]["onWritten"]): EventStore["events"] {
  const { database, secrets, clock } = context;

  async function newest(workspaceId: string): Promise<number> {
    const row = await database
      .selectFrom("events")
      .select(({ fn }) => fn.max("position").as("position"))
      .where("workspace_id", "=", workspaceId)
      .executeTakeFirst();
    return row?.position ?? 0;
  }

  const ofWorkspace = (workspaceId: string) => database.selectFrom("events").where("workspace_id", "=", workspaceId);

  const inRange = (workspaceId: string, { from = 1, to, direction, limit }: PositionRange) =>
    ofWorkspace(workspaceId)
      .where("position", ">=", from)
      .where("position", "<=", to)
      .orderBy("position", direction)
      .limit(limit);

  /** Written so that only the index of connections fits: SQLite would look through all events in the range. */
  const byConnection = (workspaceId: string, connectionId: string, types: readonly string[], range: PositionRange) =>
    ofWorkspace(workspaceId)
      .select("position")
      .where("connection_id", "=", connectionId)
      .where(sql<string>`type || ''`, "in", types)
      .where(sql<number>`+position`, ">=", range.from ?? 1)
      .where(sql<number>`+position`, "<=", range.to)
      .orderBy("position", range.direction)
      .limit(range.limit);

  /** The positions of one page: the next events of each type or connection are found by an index. */
  async function findPositions(
    workspaceId: string,
    { types, connection_ids }: EventFilter,
    range: PositionRange,
  ): Promise<number[]> {
    const column = connection_ids ? "connection_id" : "type";
    const values = [...(connection_ids ?? types ?? [])];
    const found: number[] = [];
    while (values.length > 0) {
      const [first, ...rest] = values.splice(0, VALUES_PER_QUERY).map((value) => {
        const next = inRange(workspaceId, range).select("position").where(column, "=", value);
        const ofTypes = connection_ids && types ? byConnection(workspaceId, value, types, range) : next;
        return database.selectFrom(ofTypes.as("next")).selectAll();
      });
      const rows = await rest.reduce((all, one) => all.unionAll(one), first!).execute();
      found.push(...rows.map(({ position }) => position!));
    }
    const sign = range.direction === "asc" ? 1 : -1;
    return found.sort((one, other) => (one - other) * sign).slice(0, range.limit);
  }

  async function select(workspaceId: string, filter: EventFilter, range: PositionRange): Promise<EventRow[]> {
    if (!filter.types && !filter.connection_ids) return inRange(workspaceId, range).selectAll().execute();
    const positions = await findPositions(workspaceId, filter, range);
    if (positions.length === 0) return [];
    const query = ofWorkspace(workspaceId).selectAll().where("position", "in", positions);
    return query.orderBy("position", range.direction).execute();
  }

  const findUnpublished = () =>
    database.selectFrom("events").select(sql<number>`${clock} - created_at`.as("age")).where("position", "is", null);

  return {
    async publish(limit) {
      // Called every second: nothing is written if there is no event to publish.
      const found = await findUnpublished().limit(1).executeTakeFirst();
      if (!found) return 0;
      return database.transaction().execute(async (transaction) => {
        // The row is locked until the end of the transaction, so positions become visible in their order.
        const { last } = await transaction
          .updateTable("event_positions")
          .set(({ ref }) => ({ last: later(sql<number>`${clock} / ${POSITION_US}`, ref("last")) }))
          .where("id", "=", 1)
          .returning("last")
          .executeTakeFirstOrThrow();
        const next = transaction
          .selectFrom("events")
          .select(["id", sql<number>`row_number() over (order by created_at, id)`.as("number")])
          .where("position", "is", null)
          .orderBy("created_at")
          .orderBy("id")
          .limit(limit)
          .as("next");
        const published = await transaction
          .updateTable("events")
          .from(next)
          .set(({ ref }) => ({ position: sql<number>`${sql.lit(last)} + ${ref("next.number")}` }))
          .whereRef("events.id", "=", "next.id")
          .returning(["events.id", "events.workspace_id", "events.type", "events.position"])
          .execute();
        if (published.length === 0) return 0;
        const inOrder = published.toSorted((one, other) => one.position! - other.position!);
        await addDeliveriesOf(transaction, context, inOrder);
        await transaction
          .updateTable("event_positions")
          .set({ last: last + published.length })
          .where("id", "=", 1)
          .execute();
        return published.length;
      });
    },

    async list(workspaceId, page, filter) {
      const { limit } = page;
      if ("before" in page) {
        const rows = await select(workspaceId, filter, { to: page.before - 1, direction: "desc", limit });
        const position = rows.length === limit ? rows.at(-1)!.position! : 0;
        return { events: rows.map((row) => toEvent(row, secrets)), position };
      }
      const { after } = page;
      // Read first, so that events published from now on are not skipped.
      const last = await newest(workspaceId);
      if (last <= after) return { events: [], position: after };
      const rows = await select(workspaceId, filter, { from: after + 1, to: last, direction: "asc", limit });
      const position = rows.length === limit ? rows.at(-1)!.position! : last;
      return { events: rows.map((row) => toEvent(row, secrets)), position };
    },

    newest,

    async sweep(before, limit) {
      const expired = database
        .selectFrom("events")
        .select("id")
        .where("created_at", "<", fromIso(before))
        .where("position", "is not", null)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom("deliveries")
                .innerJoin("webhooks", "webhooks.id", "deliveries.webhook_id")
                .select("deliveries.id")
                .whereRef("deliveries.event_id", "=", "events.id")
                .where("deliveries.state", "=", "pending")
                .where("webhooks.enabled", "=", 1),
            ),
          ),
        )
        .orderBy("created_at")
        .limit(limit);
      // With their deliveries and attempts.
      const { numDeletedRows } = await database.deleteFrom("events").where("id", "in", expired).executeTakeFirst();
      return Number(numDeletedRows);
    },

    async publishLagMs() {
      const oldest = await findUnpublished().orderBy("created_at").limit(1).executeTakeFirst();
      return Math.max(0, (oldest?.age ?? 0) / 1000);
    },

    onWritten,
  };
}
