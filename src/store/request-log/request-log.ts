import { sql } from "kysely";
import type { FailureDetails, LogEntry } from "../../contracts/entities.ts";
import type { Store } from "../../contracts/store.ts";
import { deleteInBatches } from "../../runtime/delete-in-batches.ts";
import { compiledUpsert } from "../database/compiled-upsert.ts";
import type { StoreContext } from "../database/context.ts";
import type { DatabaseEngine } from "../database/database-engine.ts";
import type { LogBatchRow } from "../database/schema.ts";
import { fromIso, toIso } from "../database/time.ts";
import { indexSuffix, LogBatch, withoutSuffix } from "./log-batch.ts";
import { createLogSearch, type Found, MILLISECOND } from "./log-search.ts";
import { timeOf, unpack } from "./packed-log-entry.ts";
import { firstWhole, listUsage, toUsageCount, trimUsage, usageUpsert } from "./usage.ts";
import { UsageCounter } from "./usage-counts.ts";

/** One has hundreds of entries. */
const BATCHES_PER_DELETE = 20;
const USAGE_PER_DELETE = 500;

const newestFirst = (one: Found, other: Found) => other.at - one.at || (one.id < other.id ? 1 : -1);

function toEntry({ id, line }: Pick<Found, "id" | "line">, workspace_id: string): LogEntry {
  const { at, ...entry } = unpack(line);
  return { id, workspace_id, ...entry, created_at: new Date(at).toISOString() };
}

const failuresLocation = (id: string) => ({ table: "log_batches", id, column: "failures" });

export function requestLog({
  database,
  keyring,
  secrets,
  withRelaxedDurability,
  hasLogTerms,
}: Pick<StoreContext, "database" | "keyring" | "secrets"> &
  Pick<DatabaseEngine, "withRelaxedDurability" | "hasLogTerms">): Store["requestLog"] {
  const upsertUsage = usageUpsert(database);
  const upsertBatches = compiledUpsert<LogBatchRow>(database, "log_batches", ["id"], (column) =>
    sql.ref(`excluded.${column}`),
  );
  const newestBatches = () => database.selectFrom("log_batches").orderBy("last_at", "desc").orderBy("id", "desc");

  const search = createLogSearch(database, hasLogTerms);

  async function find(workspaceId: string, id: string) {
    const row = await database
      .selectFrom("log_batches")
      .select(["entries", "failures"])
      .where("workspace_id", "=", workspaceId)
      .where("id", "=", withoutSuffix(id))
      .executeTakeFirst();
    const lines = row?.entries.split("\n") ?? [];
    const index = lines.findIndex((_, at) => id.endsWith(indexSuffix(at)));
    const line = lines[index];
    return row && line !== undefined ? { id, index, line, at: timeOf(line), failures: row.failures } : undefined;
  }

  return {
    newBatch: (id) => new LogBatch(id),

    async write(batch) {
      const { rows, usage } = (batch as LogBatch).takeChanges();
      if (rows.length === 0) return;
      for (const row of rows)
        if (row.failures !== null) row.failures = keyring.encrypt(row.failures, failuresLocation(row.id));
      await withRelaxedDurability(database, (connection) =>
        connection.transaction().execute(async (transaction) => {
          await transaction.executeQuery(upsertBatches(rows));
          if (usage.length > 0) await transaction.executeQuery(upsertUsage(usage));
        }),
      );
    },

    async list(workspaceId, { offset, limit }, { before, ...filter }) {
      const wanted = offset + limit;
      let found: Found[] = [];
      let searched_until: string | null = null;
      const start = before === undefined ? undefined : await find(workspaceId, before);
      if (before !== undefined && !start) return { entries: [], searched_until };
      const until = start && { until: new Date(start.at + 1).toISOString() };
      for await (const { lines, last_at, isCutOff } of search(workspaceId, { ...filter, ...until })) {
        found.push(...(start ? lines.filter((line) => line.id !== start.id && newestFirst(start, line) < 0) : lines));
        found.sort(newestFirst);
        // Batches of several processes overlap in time, so the next ones may contain newer entries than the ones found.
        if (found.length >= wanted && found[wanted - 1]!.at * 1000 > last_at) break;
        if (!isCutOff) continue;
        searched_until = toIso(last_at + MILLISECOND);
        found = found.filter(({ at }) => at * 1000 > last_at);
      }
      return { entries: found.slice(offset, wanted).map((each) => toEntry(each, workspaceId)), searched_until };
    },

    async usage(workspaceId, period) {
      const { connection_id, since, until, width } = period;
      if (connection_id === undefined) return { since, counts: await listUsage(database, workspaceId, period) };
      const counter = new UsageCounter([width]);
      let countedFrom = since;
      for await (const { lines, last_at, isCutOff } of search(workspaceId, { connection_id, since, until })) {
        for (const { line } of lines) counter.add({ workspace_id: workspaceId, ...unpack(line) });
        if (isCutOff) countedFrom = firstWhole(period, last_at);
      }
      const counts = counter.rows().map(toUsageCount);
      return { since: countedFrom, counts: counts.filter(({ start }) => start >= countedFrom) };
    },

    trimUsage: (width, before, signal) =>
      deleteInBatches(
        (limit) => withRelaxedDurability(database, (connection) => trimUsage(connection, width, before, limit)),
        USAGE_PER_DELETE,
        signal,
      ),

    async get(workspaceId, id) {
      const found = await find(workspaceId, id);
      if (!found) return undefined;
      const { failures: sealed, index } = found;
      // A key that was removed since then takes only the details with it.
      const text = sealed === null ? undefined : secrets.decrypt(sealed, failuresLocation(withoutSuffix(id)));
      const failures: Record<number, FailureDetails> = JSON.parse(text ?? "{}");
      return { ...toEntry(found, workspaceId), failure: failures[index] ?? null };
    },

    async trim(before, keep, signal) {
      const newest = await database
        .selectFrom(
          newestBatches()
            .select(["id", "last_at", "size"])
            .select(({ fn }) =>
              fn
                .sum<number>("size")
                .over((over) => over.orderBy("last_at", "desc").orderBy("id", "desc"))
                .as("total"),
            )
            .as("batches"),
        )
        .select(["last_at", "id"])
        .where(({ eb }) => eb(eb("total", "-", eb.ref("size")), ">=", keep))
        .orderBy("last_at", "desc")
        .orderBy("id", "desc")
        .limit(1)
        .executeTakeFirst();
      const { last_at, id } = newest ?? { last_at: 0, id: "" };
      await deleteInBatches(
        async (limit) => {
          const oldest = database
            .selectFrom("log_batches")
            .select("id")
            .where(sql<boolean>`(last_at < ${fromIso(before)} or (last_at, id) <= (${last_at}, ${id}))`)
            .orderBy("last_at")
            .orderBy("id")
            .limit(limit);
          const { numDeletedRows } = await withRelaxedDurability(database, (connection) =>
            connection.deleteFrom("log_batches").where("id", "in", oldest).executeTakeFirstOrThrow(),
          );
          return Number(numDeletedRows);
        },
        BATCHES_PER_DELETE,
        signal,
      );
    },
  };
}
