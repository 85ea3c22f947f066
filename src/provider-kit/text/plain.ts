import { escapeText, writeLines } from "./escape.ts";

/** Text that already is Markdown: with `\n` line ends, without space at its end, and null if it is blank. */
export function toText(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  return text.replace(/\r\n?/g, "\n").trimEnd() || null;
}

/** What Markdown could read as markup, or as the start of an address or of a line that is no paragraph. */
const POSSIBLE_MARKUP = /^[\s\d+\-#>|:=]|[\\*_`~<&[\]!\r\n]|:\/\/|www\./i;

/** Escapes whatever Markdown would read as markup, so that it renders as the same characters. */
export function plainToMarkdown(text: string | null | undefined): string | null {
  // Most texts are a line of plain words.
  if (text && !POSSIBLE_MARKUP.test(text)) return text.trimEnd();
  const lines = toText(text)
    ?.split("\n")
    .map((line) => line.trimEnd());
  if (!lines) return null;
  // Four spaces at the start of a paragraph would make it code.
  const paragraphs = lines.map((line, index) => (lines[index - 1] ? line : line.trimStart()));
  return writeLines(escapeText(paragraphs.join("\n"))).trimStart();
}
