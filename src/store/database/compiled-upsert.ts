import { type CompiledQuery, type Kysely, type RawBuilder, sql } from "kysely";
import type { Database } from "./schema.ts";

const MAX_KEPT_ROWS = 20;

/**
 * Inserts rows; of those whose keys are there already, `newValue` says what each other column becomes. The statement is
 * built once for each number of rows: building it takes longer than running it. All rows have the same columns in the
 * same order.
 */
export function compiledUpsert<Row extends object>(
  database: Kysely<Database>,
  table: keyof Database,
  keys: (keyof Row & string)[],
  newValue: (column: string) => RawBuilder<unknown>,
) {
  const kept: CompiledQuery[] = [];
  const list = (columns: string[]) => sql.join(columns.map((column) => sql.ref(column)));
  const build = (rows: readonly Row[]) => {
    const columns = Object.keys(rows[0]!);
    const values = rows.map((row) => sql`(${sql.join(Object.values(row))})`);
    const others = columns.filter((column) => !(keys as string[]).includes(column));
    const changes = others.map((column) => sql`${sql.ref(column)} = ${newValue(column)}`);
    const insert = sql`insert into ${sql.table(table)} (${list(columns)}) values ${sql.join(values)}`;
    return sql`${insert} on conflict (${list(keys)}) do update set ${sql.join(changes)}`.compile(database);
  };
  return (rows: readonly Row[]): CompiledQuery => {
    const query = kept[rows.length] ?? build(rows);
    if (rows.length <= MAX_KEPT_ROWS) kept[rows.length] = query;
    return { ...query, parameters: rows.flatMap((row) => Object.values(row)) };
  };
}
