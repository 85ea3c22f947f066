import { type Kysely, type SelectQueryBuilder, sql } from "kysely";
import { invalidInput } from "../contracts/fault.ts";
import type { Page } from "../contracts/store.ts";
import type { Database } from "./schema.ts";

type PagedTable = "api_keys" | "integrations" | "connections";

/**
 * One page of the rows that a query selects from a workspace's table, in the order of their creation. With `after`, rows
 * that are inserted or deleted meanwhile shift nothing, and a later page costs no more than the first.
 */
export async function selectPage<Table extends PagedTable, Row>(
  database: Kysely<Database>,
  [table, workspaceId]: [Table, workspaceId: string],
  page: Page,
  query: SelectQueryBuilder<Database, Table, Row>,
): Promise<Row[]> {
  const ordered = query.orderBy(sql`created_at`).orderBy(sql`id`).limit(page.limit);
  if (page.after === undefined) return ordered.offset(page.offset).execute();
  const last = await database
    .selectFrom(table as PagedTable)
    .select(["created_at", "id"])
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", page.after)
    .executeTakeFirst();
  if (!last)
    throw invalidInput({
      path: ["after"],
      message: "Unknown id: give the last one of the previous page, or an earlier one if that was deleted",
    });
  return ordered.where(sql<boolean>`(created_at, id) > (${last.created_at}, ${last.id})`).execute();
}
