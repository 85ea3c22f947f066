import type { LogEntry } from "../contracts/records.ts";
import type { Store } from "../contracts/store.ts";
import type { Context } from "./context.ts";
import type { RequestLogRow } from "./schema.ts";
import { createStamp, fromIso, toIso } from "./time.ts";

/** Rows in one statement: both databases limit its parameters, and a short one lets others in between. */
const BATCH = 500;

const toEntry = (row: RequestLogRow): LogEntry => ({ ...row, created_at: toIso(row.created_at) });

export function log({ database }: Pick<Context, "database">): Store["log"] {
  const stamp = createStamp();

  const toRow = (entry: LogEntry): RequestLogRow => ({
    id: entry.id,
    workspace_id: entry.workspace_id,
    connection_id: entry.connection_id,
    request_id: entry.request_id,
    surface: entry.surface,
    method: entry.method,
    // A request is logged whatever was in it, and Postgres cannot hold NUL.
    path: entry.path.replaceAll("\0", "\ufffd"),
    status: entry.status,
    outcome: entry.outcome,
    duration_ms: entry.duration_ms,
    upstream_calls: entry.upstream_calls,
    created_at: stamp(fromIso(entry.created_at) / 1000),
  });

  return {
    async append(entries) {
      for (let start = 0; start < entries.length; start += BATCH) {
        await database
          .insertInto("request_log")
          .values(entries.slice(start, start + BATCH).map(toRow))
          // A batch that is tried again after a doubtful end must not fail on what it already wrote.
          .onConflict((conflict) => conflict.column("id").doNothing())
          .execute();
      }
    },

    async list(workspaceId, page, { connection_id }) {
      let query = database.selectFrom("request_log").selectAll().where("workspace_id", "=", workspaceId);
      if (connection_id === null) query = query.where("connection_id", "is", null);
      if (typeof connection_id === "string") query = query.where("connection_id", "=", connection_id);
      const rows = await query
        .orderBy("created_at", "desc")
        .orderBy("id", "desc")
        .limit(page.limit)
        .offset(page.offset)
        .execute();
      return rows.map(toEntry);
    },

    async trim(before, keep) {
      const firstTooMany = await database
        .selectFrom("request_log")
        .select(["created_at", "id"])
        .orderBy("created_at", "desc")
        .orderBy("id", "desc")
        .limit(1)
        .offset(keep)
        .executeTakeFirst();
      for (;;) {
        const { numDeletedRows } = await database
          .deleteFrom("request_log")
          .where("id", "in", (query) =>
            query
              .selectFrom("request_log")
              .select("id")
              .where(({ eb, or, refTuple, tuple }) =>
                or([
                  eb("created_at", "<", fromIso(before)),
                  ...(firstTooMany
                    ? [eb(refTuple("created_at", "id"), "<=", tuple(firstTooMany.created_at, firstTooMany.id))]
                    : []),
                ]),
              )
              .orderBy("created_at")
              .orderBy("id")
              .limit(BATCH),
          )
          .executeTakeFirstOrThrow();
        if (numDeletedRows < BATCH) return;
      }
    },
  };
}
