import type { Block, DocumentBuilder } from "./document.ts";

export type Table = Extract<Block, { type: "table" }>;

/** No real table is wider or has cells that are larger. */
const MAX_COLUMNS = 100;
const MAX_ROWS = 1000;

/** For each column of a table, how many further rows a cell above covers. */
const coveredRows = new WeakMap<Table, number[]>();

const spanOf = (value: unknown, max: number) => Math.max(1, Math.min(Number.parseInt(String(value), 10) || 1, max));

/** Opens a cell, which may span several columns and rows. What it covers is empty, so that columns stay in line. */
export function openCell(document: DocumentBuilder, table: Table, colspan: unknown, rowspan: unknown): void {
  if (table.rows.length === 0) table.rows.push([]);
  const row = table.rows.at(-1)!;
  const covered = coveredRows.get(table) ?? [];
  coveredRows.set(table, covered);
  for (let rows = covered[row.length]; rows; rows = covered[row.length]) {
    covered[row.length] = rows - 1;
    row.push([]);
  }
  const first = row.length;
  document.openChild(table);
  const end = first + spanOf(colspan, Math.max(1, MAX_COLUMNS - first));
  while (row.length < end) row.push([]);
  const furtherRows = spanOf(rowspan, MAX_ROWS) - 1;
  for (let column = first; column < end; column++) covered[column] = furtherRows;
}
