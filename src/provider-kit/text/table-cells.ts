import type { Block, DocumentBuilder } from "./document.ts";

type Table = Extract<Block, { type: "table" }>;

/** No real table is wider or has cells that are larger. */
const MAX_COLUMNS = 100;
const MAX_ROWS = 1000;
/** How many empty cells a document gets for what its cells cover. After that, a cell has one place. */
const MAX_COVERED_CELLS = 1000;

const spanOf = (value: unknown, max: number) => Math.max(1, Math.min(Number.parseInt(String(value), 10) || 1, max));

/** The tables of one document, with cells that may span several columns and rows. */
export class TableCells {
  #document: DocumentBuilder;
  /** The open tables, and for each column of one, how many further rows a cell above covers. */
  #open: { table: Table; covered: number[] }[] = [];
  #coveredCells = 0;

  constructor(document: DocumentBuilder) {
    this.#document = document;
  }

  openTable(table: Omit<Table, "type" | "rows"> = {}): () => void {
    const document = this.#document;
    if (document.isDeepest) return () => document.endParagraph();
    const opened: Table = { ...table, type: "table", rows: [] };
    document.addBlock(opened);
    this.#open.push({ table: opened, covered: [] });
    return () => {
      document.endParagraph();
      this.#open.pop();
    };
  }

  startRow(): void {
    this.#open.at(-1)?.table.rows.push([]);
  }

  /** What a cell covers is empty, so that columns stay in line. */
  openCell(colspan: unknown, rowspan: unknown): () => void {
    const document = this.#document;
    const open = this.#open.at(-1);
    if (!open || document.isDeepest) return () => document.endParagraph();
    const { table, covered } = open;
    if (table.rows.length === 0) table.rows.push([]);
    const row = table.rows.at(-1)!;
    for (let rows = covered[row.length]; rows && this.#cover(row); rows = covered[row.length]) {
      covered[row.length - 1] = rows - 1;
    }
    const first = row.length;
    document.openChild(table);
    const end = first + spanOf(colspan, Math.max(1, MAX_COLUMNS - first));
    const furtherRows = spanOf(rowspan, MAX_ROWS) - 1;
    covered[first] = furtherRows;
    while (row.length < end && this.#cover(row)) covered[row.length - 1] = furtherRows;
    return () => document.close();
  }

  #cover(row: Table["rows"][number]): boolean {
    if (this.#coveredCells === MAX_COVERED_CELLS) return false;
    this.#coveredCells++;
    row.push([]);
    return true;
  }
}
