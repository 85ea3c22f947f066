import { type Kysely, type SelectQueryBuilder, sql } from "kysely";
import { invalidInput } from "../../contracts/fault.ts";
import type { PageRequest } from "../../contracts/store.ts";
import type { Database } from "./schema.ts";

type PagedTable = "api_keys" | "mcp_grants" | "integrations" | "connections" | "subscriptions" | "webhooks";

/**
 * One page of the rows that a query selects from a workspace's table, in the order of their creation or from the
 * newest on. With `after`, rows that are inserted or deleted meanwhile shift nothing, and a later page costs no more than
 * the first.
 */
export async function selectPage<Table extends PagedTable, Row>(
  database: Kysely<Database>,
  [table, workspaceId]: [Table, workspaceId: string],
  page: PageRequest,
  query: SelectQueryBuilder<Database, Table, Row>,
): Promise<Row[]> {
  const ordered = inOrder(query, page, page.limit);
  if (page.after === undefined) return ordered.offset(page.offset).execute();
  return startingAfter(ordered, page, await findLast(database, [table, workspaceId], page.after)).execute();
}

/** How many rows are read in one query while looking for those that match. */
const CANDIDATES_PER_READ = 200;

/**
 * Like `selectPage`, for a condition that only code can check: the query selects the rows that may match, in the order of
 * two columns that have the time and the id of a row.
 */
export async function selectMatchingPage<Table extends PagedTable, Row extends Position>(
  database: Kysely<Database>,
  [table, workspaceId]: [Table, workspaceId: string],
  page: PageRequest,
  query: SelectQueryBuilder<Database, Table, Row>,
  matches: (row: Row) => boolean,
  order: Order = LIST_ORDER,
): Promise<Row[]> {
  const offset = page.after === undefined ? page.offset : 0;
  const wanted = offset + page.limit;
  const found: Row[] = [];
  let last: Position | undefined =
    page.after === undefined ? undefined : await findLast(database, [table, workspaceId], page.after);
  for (;;) {
    const ordered = inOrder(query, page, CANDIDATES_PER_READ, order);
    const rows = await (last ? startingAfter(ordered, page, last, order) : ordered).execute();
    for (const row of rows) if (matches(row)) found.push(row);
    last = rows.at(-1);
    if (rows.length < CANDIDATES_PER_READ || found.length >= wanted) return found.slice(offset, wanted);
  }
}

interface Position {
  created_at: number;
  id: string;
}

/** The columns with the time and the id of a row. */
type Order = readonly [createdAt: string, id: string];
const LIST_ORDER: Order = ["created_at", "id"];

const inOrder = <Table extends PagedTable, Row>(
  query: SelectQueryBuilder<Database, Table, Row>,
  { newestFirst }: PageRequest,
  limit: number,
  [createdAt, id] = LIST_ORDER,
) => {
  const direction = newestFirst ? "desc" : "asc";
  return query.orderBy(sql.ref(createdAt), direction).orderBy(sql.ref(id), direction).limit(limit);
};

const startingAfter = <Table extends PagedTable, Row>(
  query: SelectQueryBuilder<Database, Table, Row>,
  { newestFirst }: PageRequest,
  { created_at, id }: Position,
  order = LIST_ORDER,
) =>
  query.where(
    sql<boolean>`(${sql.join(order.map((column) => sql.ref(column)))}) ${sql.raw(newestFirst ? "<" : ">")} (${created_at}, ${id})`,
  );

async function findLast(
  database: Kysely<Database>,
  [table, workspaceId]: [PagedTable, workspaceId: string],
  after: string,
): Promise<Position> {
  const last = await database
    .selectFrom(table)
    .select(["created_at", "id"])
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", after)
    .executeTakeFirst();
  if (!last)
    throw invalidInput({
      path: ["after"],
      message: "Unknown id: give the last one of the previous page, or an earlier one if that was deleted",
    });
  return last;
}
