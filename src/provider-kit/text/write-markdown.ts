import type { Block, Span } from "./document.ts";
import { CODE, STRONG, trimSpans } from "./document.ts";
import { writeLines } from "./escape.ts";
import { boundGrowth } from "./growth.ts";
import { fenceFor, writeSpans } from "./write-spans.ts";

type List = Extract<Block, { type: "list" }>;

/** Writes a document as Markdown; null if it contains nothing. */
export const writeMarkdown = (blocks: readonly Block[]): string | null =>
  writeBlocks(boundGrowth(blocks), "\n\n") || null;

function writeBlocks(blocks: readonly Block[], separator: string): string {
  const written: string[] = [];
  let previous: Block | undefined;
  let isSecondMarker = false;
  for (const block of blocks) {
    // Two lists in a row would become one, unless their markers differ.
    isSecondMarker = isSameKind(previous, block) && !isSecondMarker;
    const text = block.type === "list" ? writeList(block, isSecondMarker) : writeBlock(block);
    if (text === "") continue;
    previous = block;
    written.push(text);
  }
  return written.join(separator);
}

const isSameKind = (one: Block | undefined, other: Block) =>
  one?.type === "list" && other.type === "list" && (one.start === null) === (other.start === null);

function writeBlock(block: Exclude<Block, List>): string {
  switch (block.type) {
    case "paragraph":
      return writeLines(writeSpans(block.spans));
    case "heading": {
      const text = writeSpans(oneLine(block.spans));
      // Number signs at the end would count as the end of the heading.
      return text && `${"#".repeat(block.level)} ${text.endsWith("#") ? `${text.slice(0, -1)}\\#` : text}`;
    }
    case "code": {
      const fence = fenceFor(block.text, 3);
      return `${fence}${block.language.replace(/[\s`]+/g, "")}\n${block.text}\n${fence}`;
    }
    case "rule":
      return "---";
    case "quote": {
      const text = writeBlocks(block.blocks, "\n\n");
      return text && prefixLines(text, "> ", "> ");
    }
    case "table":
      return writeTable(block.rows, block.isData);
  }
}

const oneLine = (spans: readonly Span[]): Span[] =>
  trimSpans(spans).map((span) => ({ ...span, text: span.text.replaceAll("\n", " ") }));

const prefixLines = (text: string, first: string, rest: string) =>
  text
    .split("\n")
    .map((line, index) => {
      const prefix = index === 0 ? first : rest;
      return line === "" ? prefix.trimEnd() : prefix + line;
    })
    .join("\n");

function writeList({ start, items }: List, isSecondMarker: boolean): string {
  // Without an empty line before it, a list that does not start with 1 would be text.
  const isTight = items.every((blocks) =>
    blocks.slice(1).every((block) => block.type === "list" && (block.start ?? 1) === 1),
  );
  const separator = isTight ? "\n" : "\n\n";
  return items
    .map((blocks) => writeBlocks(blocks, separator))
    .filter((text) => text !== "")
    .map((text, index) => {
      const marker = start === null ? bullet(isSecondMarker) : `${(start + index) % 1e9}${isSecondMarker ? ")" : "."} `;
      return prefixLines(withCheckbox(text), marker, " ".repeat(marker.length));
    })
    .join(separator);
}

const bullet = (isSecondMarker: boolean) => (isSecondMarker ? "* " : "- ");

/** A checkbox at the start of an item is that of a task; what looks like one in the text is not. */
const withCheckbox = (text: string) =>
  text
    .replace(/^\[(?=[ xX]\](?:\s|$))/, "\\[")
    .replace(/^(?:([☑☒✅])|☐)\s\s*/u, (_, done?: string) => (done ? "[x] " : "[ ] "));

function writeTable(rows: readonly Block[][][], isData = false): string {
  const columns = rows.reduce((most, cells) => Math.max(most, cells.length), 0);
  // A table around whole documents is a layout, as in mails, and so is one row, as in signatures.
  const isLayout =
    columns < 2 ||
    (!isData && (rows.length < 2 || rows.some((cells) => cells.some((blocks) => blocks.some(isLayoutBlock)))));
  if (isLayout) return writeBlocks(rows.flat(2), "\n\n");
  const [header = "", ...others] = rows.map((cells) => writeRow(cells, columns));
  return [header, `|${" --- |".repeat(columns)}`, ...others].join("\n");
}

const isLayoutBlock = ({ type }: Block) => type === "table" || type === "heading" || type === "code";

function writeRow(cells: readonly Block[][], columns: number): string {
  const written = cells.map((blocks) => writeSpans(oneLine(cellSpans(blocks))).replaceAll("|", "\\|"));
  return `| ${written.join(" | ")} |${"  |".repeat(columns - cells.length)}`;
}

/** A cell is one line of text. */
function cellSpans(blocks: readonly Block[]): Span[] {
  const parts = blocks.flatMap((block): Span[][] => {
    if (block.type === "list") return block.items.map((item) => [{ text: "• ", marks: 0 }, ...cellSpans(item)]);
    if (block.type === "quote") return [cellSpans(block.blocks)];
    if (block.type === "table") return block.rows.flat().map(cellSpans);
    if (block.type === "code") return block.text.split("\n").map((text) => [{ text, marks: CODE }]);
    if (block.type === "heading") return [block.spans.map((span) => ({ ...span, marks: span.marks | STRONG }))];
    return block.type === "paragraph" ? [block.spans] : [];
  });
  return parts.flatMap((spans, index) => (index === 0 ? spans : [{ text: " ", marks: 0 }, ...spans]));
}
