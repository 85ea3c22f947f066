import type { CompiledQuery } from "kysely";
import { BoundedMap } from "../../runtime/bounded-map.ts";

const MAX_KEPT = 20;

/**
 * An insert that Kysely builds once for each number of rows: building it takes longer than running it. All rows have the
 * same columns in the same order.
 */
export function compiledInsert<Row extends object>(build: (rows: readonly Row[]) => { compile(): CompiledQuery }) {
  const kept = new BoundedMap<CompiledQuery>(MAX_KEPT);
  return (rows: readonly Row[]): CompiledQuery => {
    const size = String(rows.length);
    let query = kept.get(size);
    if (!query) {
      query = build(rows).compile();
      kept.set(size, query);
    }
    return { ...query, parameters: rows.flatMap((row) => Object.values(row)) };
  };
}
