import type { FailureDetails, LogEntry } from "../../contracts/entities.ts";
import type { LogFilter } from "../../contracts/request-log.ts";
import type { Store } from "../../contracts/store.ts";
import { compiledInsert } from "../database/compiled-insert.ts";
import type { StoreContext } from "../database/context.ts";
import type { DatabaseEngine } from "../database/database-engine.ts";
import type { LogBatchRow } from "../database/schema.ts";
import { fromIso } from "../database/time.ts";
import { indexSuffix, LogBatch, withoutSuffix } from "./log-batch.ts";
import { createSearch } from "./log-filter.ts";
import { timeOf, unpack } from "./packed-log-entry.ts";
import { listUsage, toUsageCount, trimUsage, usageInsert } from "./usage.ts";
import { UsageCounter } from "./usage-counts.ts";

const BATCHES_PER_READ = 4;
/** A stored entry that is parsed only if it is shown. */
interface Found {
  id: string;
  at: number;
  line: string;
}

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
}: Pick<StoreContext, "database" | "keyring" | "secrets"> &
  Pick<DatabaseEngine, "withRelaxedDurability">): Store["requestLog"] {
  const insertUsage = usageInsert(database);
  const insertBatches = compiledInsert<LogBatchRow>((rows) =>
    database
      .insertInto("log_batches")
      .values(rows)
      .onConflict((conflict) =>
        conflict.column("id").doUpdateSet(({ ref }) => ({
          first_at: ref("excluded.first_at"),
          last_at: ref("excluded.last_at"),
          size: ref("excluded.size"),
          terms: ref("excluded.terms"),
          entries: ref("excluded.entries"),
          failures: ref("excluded.failures"),
        })),
      ),
  );
  const newestBatches = () => database.selectFrom("log_batches").orderBy("last_at", "desc").orderBy("id", "desc");

  /** The entries that match, a few batches at a time, with the time that all later ones are not newer than. */
  async function* search(workspaceId: string, filter: LogFilter): AsyncGenerator<{ lines: Found[]; last_at: number }> {
    const { terms, since, until, matches } = createSearch(filter);
    let query = newestBatches()
      .select(["id", "last_at", "entries"])
      .where("workspace_id", "=", workspaceId)
      .limit(BATCHES_PER_READ);
    if (since !== undefined) query = query.where("last_at", ">=", since);
    if (until !== undefined) query = query.where("first_at", "<", until);
    for (const any of terms)
      query = query.where(({ eb, fn, val, or }) =>
        or(any.map((term) => eb(fn("replace", ["terms", val(term), val("")]), "<>", eb.ref("terms")))),
      );
    let rest = query;
    for (;;) {
      const rows = await rest.execute();
      const last = rows.at(-1);
      if (!last) return;
      const lines: Found[] = [];
      for (const { id, entries } of rows)
        for (const [index, line] of entries.split("\n").entries())
          if (matches(line)) lines.push({ id: id + indexSuffix(index), at: timeOf(line), line });
      yield { lines, last_at: last.last_at };
      if (rows.length < BATCHES_PER_READ) return;
      rest = query.where(({ eb, refTuple, tuple }) => eb(refTuple("last_at", "id"), "<", tuple(last.last_at, last.id)));
    }
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
          await transaction.executeQuery(insertBatches(rows));
          if (usage.length > 0) await transaction.executeQuery(insertUsage(usage));
        }),
      );
    },

    async list(workspaceId, { offset, limit }, filter) {
      const wanted = offset + limit;
      const found: Found[] = [];
      for await (const { lines, last_at } of search(workspaceId, filter)) {
        found.push(...lines);
        found.sort(newestFirst);
        // Batches of several processes overlap in time, so the next ones may contain newer entries than the ones found.
        if (found.length >= wanted && found[wanted - 1]!.at * 1000 > last_at) break;
      }
      return found.slice(offset, wanted).map((each) => toEntry(each, workspaceId));
    },

    async usage(workspaceId, period) {
      const { connection_id, since, until, width } = period;
      if (connection_id === undefined) return listUsage(database, workspaceId, period);
      const counter = new UsageCounter([width]);
      for await (const { lines } of search(workspaceId, { connection_id, since, until }))
        for (const { line } of lines) counter.add({ workspace_id: workspaceId, ...unpack(line) });
      return counter.rows().map(toUsageCount);
    },

    trimUsage: (width, before) => withRelaxedDurability(database, (connection) => trimUsage(connection, width, before)),

    async get(workspaceId, id) {
      const batchId = withoutSuffix(id);
      const row = await database
        .selectFrom("log_batches")
        .select(["entries", "failures"])
        .where("workspace_id", "=", workspaceId)
        .where("id", "=", batchId)
        .executeTakeFirst();
      if (!row) return undefined;
      const lines = row.entries.split("\n");
      const index = lines.findIndex((_, at) => id.endsWith(indexSuffix(at)));
      if (index < 0) return undefined;
      // A key that was removed since then takes only the details with it.
      const text = row.failures === null ? undefined : secrets.decrypt(row.failures, failuresLocation(batchId));
      const failures: Record<number, FailureDetails> = JSON.parse(text ?? "{}");
      return { ...toEntry({ id, line: lines[index]! }, workspaceId), failure: failures[index] ?? null };
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
          .deleteFrom("log_batches")
          .where(({ eb, or }) => or([eb("last_at", "<", fromIso(before)), eb("id", "in", beyondLimit)]))
          .execute(),
      );
    },
  };
}
