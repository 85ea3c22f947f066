import { type Kysely, sql } from "kysely";
import { USAGE_SECONDS, type UsageCount, type UsagePeriod, type UsageWidth } from "../../contracts/usage.ts";
import { compiledUpsert } from "../database/compiled-upsert.ts";
import type { Database, UsageRow } from "../database/schema.ts";
import { fromIso, toIso } from "../database/time.ts";
import { durationColumns } from "./usage-counts.ts";

/** Adds requests to the counts. Belongs to the transaction that writes them to the log. */
export const usageUpsert = (database: Kysely<Database>) =>
  compiledUpsert<UsageRow>(
    database,
    "request_usage",
    ["workspace_id", "width", "start", "surface"],
    (column) => sql`${sql.ref(`request_usage.${column}`)} + ${sql.ref(`excluded.${column}`)}`,
  );

export const toUsageCount = (row: UsageRow): UsageCount => ({
  start: toIso(row.start),
  surface: row.surface,
  requests: row.requests,
  application_errors: row.application_errors,
  plugboard_errors: row.plugboard_errors,
  provider_errors: row.provider_errors,
  durations: durationColumns.map((column) => row[column]!),
});

/** The first minute or hour of a period that begins after a time; the last one if none does. */
export function firstWhole({ width, until }: UsagePeriod, time: number): string {
  const step = USAGE_SECONDS[width] * 1_000_000;
  return toIso(Math.min(Math.ceil(time / step) * step, fromIso(until) - step));
}

export async function listUsage(
  database: Kysely<Database>,
  workspaceId: string,
  { width, since, until }: UsagePeriod,
): Promise<UsageCount[]> {
  const rows = await database
    .selectFrom("request_usage")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("width", "=", width)
    .where("start", ">=", fromIso(since))
    .where("start", "<", fromIso(until))
    .orderBy("start")
    .orderBy("surface")
    .execute();
  return rows.map(toUsageCount);
}

export async function trimUsage(
  database: Kysely<Database>,
  width: UsageWidth,
  before: string,
  limit: number,
): Promise<number> {
  const oldest = database
    .selectFrom("request_usage")
    .select(["workspace_id", "width", "start", "surface"])
    .where("width", "=", width)
    .where("start", "<", fromIso(before))
    .orderBy("start")
    .limit(limit);
  const { numDeletedRows } = await database
    .deleteFrom("request_usage")
    .where(({ eb, refTuple }) =>
      eb(
        refTuple("workspace_id", "width", "start", "surface"),
        "in",
        oldest.$asTuple("workspace_id", "width", "start", "surface"),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
