import { isWord } from "./characters.ts";
import { type Block, CODE, DEL, DocumentBuilder, EM, MAX_DEPTH, type Span, STRONG } from "./document.ts";
import { emojiAt } from "./emoji.ts";
import { writeMarkdown } from "./write-markdown.ts";

/** What differs between chat markups with `*bold*`, `_italic_`, `~struck~` and `<address|text>`. */
export interface ChatMarkup {
  /** Decodes text that is not markup. */
  decode(text: string): string;
  /** What stands between angle brackets; undefined if it is only text. */
  reference(content: string): Span | undefined;
}

const FENCE = "```";
const NUMBERED = /^ *\d/;
const MARKS = new Map([
  ["*", STRONG],
  ["_", EM],
  ["~", DEL],
]);
const QUOTE = /^(?:>|&gt;) ?/;
const QUOTE_TO_END = /^(?:>>>|&gt;&gt;&gt;) ?/;
const ITEM = /^( *)(?:([•◦▪‣*-]\ufe0e?)|(\d{1,9})[.)]) +(?=\S)/;
/** `markdownToMrkdwn` puts it around marks inside a word, and into fences inside code. */
const INVISIBLE = "\u200b";

export function chatMarkupToMarkdown(text: string | null | undefined, markup: ChatMarkup): string | null {
  if (text === null || text === undefined || text.trim() === "") return null;
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  return writeMarkdown(readBlocks(lines, markup, 0));
}

function readBlocks(lines: readonly string[], markup: ChatMarkup, depth: number): Block[] {
  const document = new DocumentBuilder();
  const canNest = depth < MAX_DEPTH;
  let index = 0;
  // A number that does not continue a list directly above is text, since Markdown would count on.
  let numberedEnd = -1;
  while (index < lines.length) {
    const line = lines[index]!;
    if (canNest && QUOTE_TO_END.test(line)) {
      const quoted = [line.replace(QUOTE_TO_END, ""), ...lines.slice(index + 1)];
      document.addBlock({ type: "quote", blocks: readBlocks(quoted, markup, MAX_DEPTH) });
      break;
    }
    if (canNest && QUOTE.test(line)) {
      const end = endOf(lines, index, (other) => QUOTE.test(other));
      const quoted = lines.slice(index, end).map((other) => other.replace(QUOTE, ""));
      document.addBlock({ type: "quote", blocks: readBlocks(quoted, markup, depth + 1) });
      index = end;
    } else if (canNest && ITEM.test(line) && !(index === numberedEnd && NUMBERED.test(line))) {
      index = readList(lines, index, markup, depth, document);
      if (NUMBERED.test(line)) numberedEnd = index;
    } else if (line.includes(FENCE)) index = readFence(lines, index, markup, document);
    else {
      for (const span of readLine(line, markup)) document.add(span);
      document.add({ text: "\n", marks: 0 });
      index++;
    }
  }
  return document.end();
}

function endOf(lines: readonly string[], index: number, belongs: (line: string) => boolean): number {
  let end = index;
  while (end < lines.length && belongs(lines[end]!)) end++;
  return end;
}

const indentOf = (line: string) => line.length - line.trimStart().length;

/** Reads a list of one kind and indentation. What is indented further belongs to the item before it. */
function readList(
  lines: readonly string[],
  first: number,
  markup: ChatMarkup,
  depth: number,
  document: DocumentBuilder,
): number {
  const [, indent = "", , number] = ITEM.exec(lines[first]!)!;
  const isInside = (line: string) => line.trim() !== "" && indentOf(line) > indent.length;
  const items: Block[][] = [];
  let index = first;
  while (index < lines.length) {
    const found = ITEM.exec(lines[index]!);
    if (!found || found[1] !== indent || !isNext(number, items.length, found[3])) break;
    const content = [lines[index]!.slice(found[0].length)];
    index++;
    while (index < lines.length) {
      const line = lines[index]!;
      const isGap = line.trim() === "" && index + 1 < lines.length && isInside(lines[index + 1]!);
      if (!isInside(line) && !isGap) break;
      content.push(dedent(line, indent.length + 4));
      index++;
    }
    items.push(readBlocks(content, markup, depth + 1));
  }
  document.addBlock({ type: "list", start: number === undefined ? null : Number(number), items });
  return index;
}

const isNext = (first: string | undefined, count: number, number: string | undefined) =>
  first === undefined || number === undefined ? first === number : Number(number) === Number(first) + count;

const dedent = (line: string, columns: number) => line.slice(Math.min(columns, indentOf(line)));

/** Code between fences, which may start and end inside a line. */
function readFence(lines: readonly string[], index: number, markup: ChatMarkup, document: DocumentBuilder): number {
  const line = lines[index]!;
  const start = line.indexOf(FENCE);
  const code: string[] = [line.slice(start + FENCE.length)];
  let last = index;
  while (!code.at(-1)!.includes(FENCE)) {
    last++;
    if (last >= lines.length) {
      // Without an end it is only text.
      for (const other of lines.slice(index)) {
        for (const span of readLine(other, markup)) document.add(span);
        document.add({ text: "\n", marks: 0 });
      }
      return lines.length;
    }
    code.push(lines[last]!);
  }
  const end = code.at(-1)!.indexOf(FENCE);
  const rest = code.at(-1)!.slice(end + FENCE.length);
  code[code.length - 1] = code.at(-1)!.slice(0, end);
  for (const span of readLine(line.slice(0, start), markup)) document.add(span);
  const text = markup.decode(code.join("\n")).replaceAll(`\`${INVISIBLE}\``, "``").replace(/^\n/, "").trimEnd();
  if (text.trim() !== "") document.addBlock({ type: "code", text, language: "" });
  if (rest.trim() !== "") {
    for (const span of readLine(rest, markup)) document.add(span);
    document.add({ text: "\n", marks: 0 });
  }
  return last + 1;
}

type Piece =
  | { type: "text" | "mark" | "code"; text: string; index: number }
  | { type: "span"; span: Span; index: number };

// Each part of the expression ends at the next sign: an attempt must not read the rest of the line several times.
const PIECE = /<([^<>\n]*)>|(?<!`)`(?!\s*`)([^`\n]+)`(?!`)|https?:\/\/[^\s<>]*[^\s<>*_~]|([*_~])|:/g;

/** The spans of a line. Marks apply within a line only. */
function readLine(line: string, markup: ChatMarkup): Span[] {
  const pieces = split(line, markup);
  const paired = pairMarks(line, pieces);
  const spans: Span[] = [];
  let marks = 0;
  for (const [index, piece] of pieces.entries()) {
    if (piece.type === "span") spans.push({ ...piece.span, marks });
    else if (piece.type === "code") spans.push({ text: markup.decode(piece.text), marks: marks | CODE });
    else if (piece.type === "text") {
      const text = withoutInvisible(piece.text, pieces[index - 1], pieces[index + 1]);
      spans.push({ text: markup.decode(text), marks });
    } else if (paired.has(piece.index)) marks ^= MARKS.get(piece.text)!;
    else spans.push({ text: piece.text, marks });
  }
  return spans;
}

/** The positions of the marks that have an effect. Of two that could start, the later one does: `~5 or ~6~`. */
function pairMarks(line: string, pieces: readonly Piece[]): Set<number> {
  const paired = new Set<number>();
  const starts = new Map<string, number>();
  /** Where the last character was that is no mark. */
  let lastContent = -1;
  for (const piece of pieces) {
    if (piece.type !== "mark") {
      lastContent = piece.index;
      continue;
    }
    const start = starts.get(piece.text);
    if (start !== undefined && lastContent > start && canEnd(line, piece.index)) {
      paired.add(start).add(piece.index);
      starts.delete(piece.text);
    } else if (canStart(line, piece.index)) starts.set(piece.text, piece.index);
  }
  return paired;
}

function withoutInvisible(text: string, previous: Piece | undefined, next: Piece | undefined): string {
  const start = previous && text.startsWith(INVISIBLE) ? 1 : 0;
  const end = next && text.endsWith(INVISIBLE) ? text.length - 1 : text.length;
  return text.slice(start, Math.max(start, end));
}

function split(line: string, markup: ChatMarkup): Piece[] {
  const pieces: Piece[] = [];
  let position = 0;
  const addText = (end: number) => {
    if (end > position) pieces.push({ type: "text", text: line.slice(position, end), index: position });
  };
  for (const { index, 0: whole, 1: reference, 2: code, 3: mark } of line.matchAll(PIECE)) {
    // It belongs to the name of an emoji.
    if (index < position) continue;
    const emoji = whole === ":" ? emojiAt(line, index) : undefined;
    const span = emoji ? { text: emoji.character, marks: 0 } : reference && markup.reference(reference);
    // The signs in a bare address are no marks.
    if (!span && !code && !mark) continue;
    addText(index);
    if (span) pieces.push({ type: "span", span, index });
    else if (code) pieces.push({ type: "code", text: code, index });
    else pieces.push({ type: "mark", text: mark!, index });
    position = index + (emoji?.length ?? whole.length);
  }
  addText(line.length);
  return pieces;
}

const isBlank = (character: string | undefined) => character === undefined || character.trim() === "";

/** A doubled mark, as in `__init__`, is text. */
const isDoubled = (line: string, index: number) => line[index - 1] === line[index] || line[index + 1] === line[index];

const canStart = (line: string, index: number) =>
  !/[\p{L}\p{N}\\^)\]}]/u.test(line[index - 1] ?? "") && !isBlank(line[index + 1]) && !isDoubled(line, index);

const canEnd = (line: string, index: number) =>
  !isBlank(line[index - 1]) && !isDoubled(line, index) && !isWord(line[index + 1] ?? "");
