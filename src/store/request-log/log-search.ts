import { type Kysely, type RawBuilder, sql } from "kysely";
import type { LogFilter } from "../../contracts/request-log.ts";
import type { DatabaseEngine } from "../database/database-engine.ts";
import type { Database, LogBatchRow } from "../database/schema.ts";
import { indexSuffix } from "./log-batch.ts";
import { createSearch, type LogSearch } from "./log-filter.ts";
import { timeOf } from "./packed-log-entry.ts";

/** A page comes from the newest batches, if its filter is not a rare one. */
const NEWEST_BATCHES = 20;
const BATCHES_PER_QUERY = 200;
const BATCHES_PER_READ = 4;
/** Others may have the same time as the last one that was read. */
export const MILLISECOND = 1_000;
/** Reading more takes too long for a page. */
const MAX_READ_ENTRIES = 15_000;
/** A batch is closed after a minute; clocks may be changed. */
const MAX_BATCH_SPAN = 24 * 3_600_000_000;

/** A stored entry that is parsed only if it is shown. */
export interface Found {
  id: string;
  at: number;
  line: string;
}

type Candidate = Pick<LogBatchRow, "id" | "last_at" | "size">;

export interface FoundEntries {
  lines: Found[];
  /** All later ones are not newer. */
  last_at: number;
  /** Whether older batches are left that were not read. */
  isCutOff: boolean;
}

export function createLogSearch(database: Kysely<Database>, hasLogTerms: DatabaseEngine["hasLogTerms"]) {
  // Databases look for the first letter. All hashes begin with 0 or 1, so that is left out.
  const hasTerms = (terms: string[][]): RawBuilder<boolean>[] =>
    terms.map(
      (any) =>
        sql`(${sql.join(
          any.map((term) => sql`terms like ${`%${term.slice(1)}%`}`),
          sql` or `,
        )})`,
    );

  /** Batches in which an entry may match, newest first. */
  async function* findCandidates(workspaceId: string, search: LogSearch): AsyncGenerator<Candidate[]> {
    const { terms, since, until } = search;
    function select(after: Candidate | undefined) {
      let query = database
        .selectFrom("log_batches")
        .select(["id", "last_at", "size"])
        .where("workspace_id", "=", workspaceId);
      if (since !== undefined) query = query.where("last_at", ">=", since);
      // The first is for the index.
      if (until !== undefined)
        query = query.where("last_at", "<", until + MAX_BATCH_SPAN).where("first_at", "<", until);
      if (after) query = query.where(sql<boolean>`(last_at, id) < (${after.last_at}, ${after.id})`);
      return query;
    }
    let last: Candidate | undefined;
    // A frequent value is found in the newest batches; the index of terms would find all of its batches first.
    for (let query = 0; ; query++) {
      if (query === 2 && terms.length > 0 && hasLogTerms) break;
      const limit = Math.min(NEWEST_BATCHES * 3 ** query, BATCHES_PER_QUERY);
      const rows = await select(last)
        .select(
          sql<number>`case when ${sql.join([sql`1 = 1`, ...hasTerms(terms)], sql` and `)} then 1 else 0 end`.as("may"),
        )
        .orderBy("last_at", "desc")
        .orderBy("id", "desc")
        .limit(limit)
        .execute();
      yield rows.filter(({ may }) => may === 1);
      if (rows.length < limit) return;
      last = rows.at(-1);
    }
    for (;;) {
      const matching = terms.reduce((query, any) => query.where(hasLogTerms!(any)), select(last));
      const rows: Candidate[] = await database
        // Apart, so that all are found by the index of terms: the order would tempt Postgres to look through every batch.
        .selectFrom(matching.offset(0).as("matching"))
        .selectAll()
        .orderBy("last_at", "desc")
        .orderBy("id", "desc")
        .limit(BATCHES_PER_QUERY)
        .execute();
      yield rows;
      if (rows.length < BATCHES_PER_QUERY) return;
      last = rows.at(-1);
    }
  }

  async function readMatching(batches: readonly Candidate[], { mayMatch, matches }: LogSearch): Promise<Found[]> {
    const ids = batches.map(({ id }) => id);
    const rows = await database.selectFrom("log_batches").select(["id", "entries"]).where("id", "in", ids).execute();
    return rows
      .filter(({ entries }) => mayMatch(entries))
      .flatMap(({ id, entries }) =>
        entries
          .split("\n")
          .flatMap((line, index) => (matches(line) ? [{ id: id + indexSuffix(index), at: timeOf(line), line }] : [])),
      );
  }

  /** The entries that match, a few batches at a time, newest first. */
  return async function* search(workspaceId: string, filter: LogFilter): AsyncGenerator<FoundEntries> {
    const wanted = createSearch(filter);
    let read = 0;
    for await (const candidates of findCandidates(workspaceId, wanted))
      for (let start = 0; start < candidates.length; start += BATCHES_PER_READ) {
        const batches = candidates.slice(start, start + BATCHES_PER_READ);
        const lines = await readMatching(batches, wanted);
        read += batches.reduce((sum, { size }) => sum + size, 0);
        const { last_at } = batches.at(-1)!;
        // Batches of many processes may end after `until`: a search that ended among them would have found nothing.
        const isCutOff = read >= MAX_READ_ENTRIES && last_at + MILLISECOND < (wanted.until ?? Number.POSITIVE_INFINITY);
        yield { lines, last_at, isCutOff };
        if (isCutOff) return;
      }
  };
}
