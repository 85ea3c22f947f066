import type { Kysely } from "kysely";
import type {
  AnyIterable,
  MovedCount,
  MovedResult,
  MovedRow,
  MovedRows,
  WriteOptions,
} from "../../contracts/moving.ts";
import { appendAudit, lockChain } from "../audit-log.ts";
import type { StoreContext } from "../database/context.ts";
import { rejectNul } from "../database/reject-nul.ts";
import type { Database } from "../database/schema.ts";
import { addJob } from "../events/jobs.ts";
import { NEVER_MS } from "../events/subscriptions.ts";
import { type MovedTable, movedTables } from "./moved-tables.ts";
import { decryptRow, withAnyTable } from "./read-rows.ts";

const MAX_CONFLICTS = 20;

/** Rolls everything back. */
class Refused extends Error {}

const keyOf = ({ key }: MovedTable, row: MovedRow) => JSON.stringify(key.map((column) => row[column]));

const nameOf = ({ table, key }: MovedTable, row: MovedRow) => `${table} ${key.map((column) => row[column]).join(" ")}`;

const workspaceOf = ({ owner }: MovedTable, row: MovedRow): string | undefined =>
  owner === "id" || owner === "workspace_id" ? (row[owner] as string) : undefined;

/** The rows of the store that have the same keys. */
async function findStored(database: Kysely<Database>, { table, key }: MovedTable, rows: readonly MovedRow[]) {
  const [first, second] = key as [string, string?];
  const query = withAnyTable(database).selectFrom(table).selectAll();
  if (second === undefined)
    return query
      .where(
        first,
        "in",
        rows.map((row) => row[first]!),
      )
      .execute();
  const groups = Map.groupBy(rows, (row) => row[first]!);
  const found = [...groups].map(([value, group]) =>
    query
      .where(first, "=", value)
      .where(
        second,
        "in",
        group.map((row) => row[second]!),
      )
      .execute(),
  );
  return (await Promise.all(found)).flat();
}

/** Workspaces are found by their names on the command line. */
async function takenNames(database: Kysely<Database>, rows: readonly MovedRow[]): Promise<string[]> {
  const names = rows.map(({ name }) => name as string);
  const found = await database.selectFrom("workspaces").select(["id", "name"]).where("name", "in", names).execute();
  return found.map(
    ({ id, name }) => `workspaces: the name "${name}" belongs to another workspace here, ${id}: change one of them`,
  );
}

export async function writeRows(
  context: StoreContext,
  stream: AnyIterable<MovedRows>,
  { dryRun = false, different, entry }: WriteOptions,
): Promise<MovedResult> {
  const { database, keyring, clock } = context;
  const result: MovedResult = { counts: new Map(), conflicts: [] };

  /** Whether the stored row is the one that comes. Columns that an earlier version did not have do not count. */
  function isSame(moved: MovedTable, stored: MovedRow, row: MovedRow): boolean {
    const compared = moved.columns.filter(([column, use]) => use !== "usage" && row[column] !== undefined);
    try {
      const plain = decryptRow(keyring, moved, stored);
      return compared.every(([column]) => plain[column] === row[column]);
    } catch {
      return false;
    }
  }

  function encryptRow({ table, columns }: MovedTable, row: MovedRow): MovedRow {
    const known = columns.filter(([column]) => row[column] !== undefined);
    return rejectNul(
      Object.fromEntries(
        known.map(([column, use]) => {
          const value = row[column]!;
          if (use !== "secret" || value === null) return [column, value];
          return [column, keyring.encrypt(value as string, { table, id: row.id as string, column })];
        }),
      ),
    );
  }

  /** Sorts rows into new ones, which it returns, and those that exist. */
  async function newRows(on: Kysely<Database>, moved: MovedTable, rows: readonly MovedRow[]): Promise<MovedRow[]> {
    const count: MovedCount = result.counts.get(moved.table) ?? { new: 0, same: 0, different: 0 };
    result.counts.set(moved.table, count);
    const stored = new Map((await findStored(on, moved, rows)).map((row) => [keyOf(moved, row), row]));
    const found = rows.filter((row) => {
      const existing = stored.get(keyOf(moved, row));
      if (!existing) return true;
      const same = isSame(moved, existing, row);
      count[same ? "same" : "different"] += 1;
      const isElsewhere = workspaceOf(moved, existing) !== workspaceOf(moved, row);
      if (!same && (different === "refuse" || isElsewhere))
        result.conflicts.push(`${nameOf(moved, row)}: exists with another content`);
      return false;
    });
    count.new += found.length;
    if (moved.table === "workspaces" && found.length > 0) result.conflicts.push(...(await takenNames(on, found)));
    return found;
  }

  async function insert(transaction: Kysely<Database>, moved: MovedTable, rows: readonly MovedRow[]): Promise<void> {
    try {
      await withAnyTable(transaction)
        .insertInto(moved.table)
        .values(rows.map((row) => encryptRow(moved, row)))
        .execute();
    } catch (error) {
      // The messages of both databases name the columns, and no value.
      if (!/constraint/i.test((error as Error).message)) throw error;
      result.conflicts.push(`${moved.table}: ${(error as Error).message}`);
      throw new Refused();
    }
    if (moved.table === "webhooks")
      for (const { id } of rows) await addJob(transaction, clock, [id as string, "webhook", 0]);
    if (moved.table === "subscriptions")
      for (const { id, status } of rows)
        await addJob(transaction, clock, [id as string, "subscription", status === "paused" ? NEVER_MS : 0]);
  }

  async function write(on: Kysely<Database>): Promise<void> {
    // Also the first write, so that SQLite waits for other writers here, and nowhere later.
    if (!dryRun) await lockChain(on, null);
    const chains = new Map<string, Awaited<ReturnType<typeof lockChain>>>();
    for await (const { table, rows } of stream) {
      const moved = movedTables.find((known) => known.table === table);
      if (!moved) throw new Error(`there is no table ${table}`);
      const added = await newRows(on, moved, rows);
      if (dryRun || added.length === 0 || result.conflicts.length > 0) continue;
      for (const id of new Set(added.map((row) => workspaceOf(moved, row))))
        if (id !== undefined && !chains.has(id)) chains.set(id, await lockChain(on, id));
      await insert(on, moved, added);
    }
    if (result.conflicts.length > 0) throw new Refused();
    for (const [id, head] of chains) await appendAudit(on, context, head, entry(id));
  }

  try {
    if (dryRun) await write(database);
    else await database.transaction().execute(write);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
  const more = result.conflicts.length - MAX_CONFLICTS;
  if (more > 0) result.conflicts.splice(MAX_CONFLICTS, more, `and ${more} more`);
  return result;
}
