import type { Tokens } from "marked";
import { plainText } from "./parse-markdown.ts";

/** A longer cell is not filled up to in the other rows: it would be repeated as spaces in each of them. */
const MAX_WIDTH = 40;

const lengthOf = (text: string) => [...text].length;

/** Columns aligned with spaces, for code blocks of formats that have no tables. */
export function tableText({ header, rows }: Tokens.Table): string {
  const lines = [header, ...rows].map((cells) => cells.map((cell) => plainText(cell.tokens).replaceAll("\n", " ")));
  const widths = header.map((_, column) =>
    lines.reduce((width, cells) => Math.max(width, Math.min(lengthOf(cells[column] ?? ""), MAX_WIDTH)), 0),
  );
  const renderRow = (cells: string[]) =>
    cells
      .map((cell, column) => cell + " ".repeat(Math.max(0, widths[column]! - lengthOf(cell))))
      .join(" | ")
      .trimEnd();
  const [first = [], ...others] = lines;
  return [renderRow(first), widths.map((width) => "-".repeat(width)).join("-|-"), ...others.map(renderRow)].join("\n");
}
