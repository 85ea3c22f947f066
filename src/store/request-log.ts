import type { LogEntry, NewLogEntry } from "../contracts/entities.ts";
import type { Store } from "../contracts/store.ts";
import type { Context } from "./context.ts";
import type { DatabaseEngine } from "./database-engine.ts";
import type { RequestBatchRow } from "./schema.ts";
import { fromIso } from "./time.ts";

const BATCHES_PER_READ = 10;
const SUFFIX_LENGTH = 2;

/** Appended to an id, it keeps ids in the order of their index. */
const indexSuffix = (index: number) => index.toString(36).padStart(SUFFIX_LENGTH, "0");

/** An entry as it is stored; `connection` is an index into the batch's connections. */
type PackedEntry = [
  at: number,
  connection: number,
  request_id: string,
  surface: string,
  method: string,
  path: string,
  status: number,
  outcome: string | null,
  duration_ms: number,
  upstream_calls: number,
];

interface TimedEntry extends LogEntry {
  at: number;
}

/** One row for all of a workspace's entries: a row with indexes per entry would cost more than most calls do. */
function pack(id: string, workspace_id: string, entries: readonly NewLogEntry[]): RequestBatchRow {
  const connections = new Map<string, number>();
  let last = 0;
  const packed = entries.map((entry): PackedEntry => {
    const { connection_id } = entry;
    let connection = -1;
    if (connection_id !== null) {
      connection = connections.get(connection_id) ?? connections.size;
      connections.set(connection_id, connection);
    }
    last = Math.max(last, entry.at);
    const { at, request_id, surface, method, path, status, outcome, duration_ms, upstream_calls } = entry;
    return [at, connection, request_id, surface, method, path, status, outcome, duration_ms, upstream_calls];
  });
  return {
    id,
    workspace_id,
    last_at: last * 1000,
    size: entries.length,
    connections: JSON.stringify([...connections.keys()]),
    entries: JSON.stringify(packed),
  };
}

function unpack(row: RequestBatchRow): TimedEntry[] {
  const connections = JSON.parse(row.connections) as string[];
  return (JSON.parse(row.entries) as PackedEntry[]).map(
    ([at, connection, request_id, surface, method, path, status, outcome, duration_ms, upstream_calls], index) => ({
      id: row.id + indexSuffix(index),
      workspace_id: row.workspace_id,
      connection_id: connections[connection] ?? null,
      request_id,
      surface,
      method,
      path,
      status,
      outcome,
      duration_ms,
      upstream_calls,
      created_at: new Date(at).toISOString(),
      at,
    }),
  );
}

const newestFirst = (one: TimedEntry, other: TimedEntry) => other.at - one.at || (one.id < other.id ? 1 : -1);

export function requestLog({
  database,
  withRelaxedDurability,
}: Pick<Context, "database"> & Pick<DatabaseEngine, "withRelaxedDurability">): Store["requestLog"] {
  const newestBatches = () => database.selectFrom("request_batches").orderBy("last_at", "desc").orderBy("id", "desc");

  return {
    async append(id, entries) {
      if (entries.length === 0) return;
      const rows = [...Map.groupBy(entries, ({ workspace_id }) => workspace_id)].map(([workspace, own], index) =>
        pack(id + indexSuffix(index), workspace, own),
      );
      await withRelaxedDurability(database, (connection) =>
        connection
          .insertInto("request_batches")
          .values(rows)
          // A retry after an unclear failure must not fail on what is already written.
          .onConflict((conflict) => conflict.column("id").doNothing())
          .execute(),
      );
    },

    async list(workspaceId, { offset, limit }, { connection_id }) {
      let query = newestBatches().selectAll().where("workspace_id", "=", workspaceId).limit(BATCHES_PER_READ);
      if (connection_id !== undefined)
        query = query.where(({ eb, fn, val }) =>
          eb(fn("replace", ["connections", val(JSON.stringify(connection_id)), val("")]), "<>", eb.ref("connections")),
        );
      const wanted = offset + limit;
      const found: TimedEntry[] = [];
      let rest = query;
      for (;;) {
        const rows = await rest.execute();
        for (const row of rows)
          for (const entry of unpack(row))
            if (connection_id === undefined || entry.connection_id === connection_id) found.push(entry);
        found.sort(newestFirst);
        const last = rows.at(-1);
        if (!last || rows.length < BATCHES_PER_READ) break;
        // Batches of several processes overlap in time, so the next ones may contain newer entries than the ones found.
        if (found.length >= wanted && found[wanted - 1]!.at * 1000 > last.last_at) break;
        rest = query.where(({ eb, refTuple, tuple }) =>
          eb(refTuple("last_at", "id"), "<", tuple(last.last_at, last.id)),
        );
      }
      return found.slice(offset, wanted).map(({ at: _, ...entry }) => entry);
    },

    async trim(before, keep) {
      const beyondLimit = database
        .selectFrom(
          newestBatches()
            .select(["id", "size"])
            .select(({ fn }) =>
              fn
                .sum<number>("size")
                .over((over) => over.orderBy("last_at", "desc").orderBy("id", "desc"))
                .as("total"),
            )
            .as("batches"),
        )
        .select("id")
        .where(({ eb }) => eb(eb("total", "-", eb.ref("size")), ">=", keep));
      await withRelaxedDurability(database, (connection) =>
        connection
          .deleteFrom("request_batches")
          .where(({ eb, or }) => or([eb("last_at", "<", fromIso(before)), eb("id", "in", beyondLimit)]))
          .execute(),
      );
    },
  };
}
