import { decodeHTMLStrict } from "entities";
import { Lexer, type Token, type Tokens } from "marked";

/** Longer texts than this are no provider's; the time for some of them grows with the square of their length. */
const MAX_LENGTH = 200_000;
const MAX_MARKS = 1000;
const MAX_WORD = 3000;
const MAX_INDENT = 200;
const MAX_UNDERLINES = 200;
const MAX_ITEM_WORK = 10_000_000;
const LIST_ITEM = /^\s*(?:[-+*]|\d{1,9}[.)])(?:\s|$)/;
const BULLET = /^ {0,3}[-+*] +\S/;
const DEEP_NESTING = /^[ \t]*(?:>[ \t]*|(?:[-+*]|\d{1,9}[.)])[ \t]+){30}/m;

/**
 * Parsing time grows with the square of the length of a gap or the number of lines under headings, and deeply nested
 * quotes and lists overflow the stack. Nobody means such text as Markdown, so it is taken as plain text.
 */
const isTooComplex = (markdown: string) =>
  markdown.length > MAX_LENGTH ||
  new RegExp(`[ \\t]{${MAX_INDENT}}`).test(markdown) ||
  DEEP_NESTING.test(markdown) ||
  (markdown.match(/^[|: \t]*-[-|: \t]*$/gm)?.length ?? 0) > MAX_UNDERLINES ||
  itemWork(markdown) > MAX_ITEM_WORK;

/** For each line of an item, the parser reads the lines up to the next item or empty line. */
function itemWork(markdown: string): number {
  let isInList = false;
  let isAfterBlank = true;
  let length = 0;
  let work = 0;
  for (const line of markdown.split("\n")) {
    const isBlank = line.trim() === "";
    if (LIST_ITEM.test(line)) isInList = true;
    else if (isAfterBlank && /^\S/.test(line)) isInList = false;
    length = isBlank || BULLET.test(line) ? 0 : length + line.length + 1;
    if (isInList) work += length;
    isAfterBlank = isBlank;
  }
  return work;
}

/**
 * Parsing time also grows with the square of the number of marks in a paragraph, and of the length of a word, in which
 * a mail address is looked for. Such a paragraph is taken as plain text.
 */
class BoundedLexer extends Lexer {
  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    const marks = source.match(/[*_~`!]/g)?.length ?? 0;
    if (marks <= MAX_MARKS && source.split(/\s/).every(({ length }) => length <= MAX_WORD))
      return super.inlineTokens(source, tokens);
    tokens.push(...plainTokens(source));
    return tokens;
  }
}

const plainTokens = (text: string): Token[] =>
  text.split("\n").flatMap((line, index): Token[] => {
    const token: Tokens.Escape = { type: "escape", raw: line, text: line };
    return index === 0 ? [token] : [{ type: "br", raw: "\n" }, token];
  });

/** The blocks of a Markdown text. A line end is a line break, as in chats and comments. */
export function parseMarkdown(markdown: string): Token[] {
  const text = markdown.replace(/\r\n?/g, "\n");
  if (!isTooComplex(text)) return new BoundedLexer({ gfm: true, breaks: true }).lex(text);
  const paragraph: Tokens.Paragraph = { type: "paragraph", raw: text, text, tokens: plainTokens(text.trimEnd()) };
  return [paragraph];
}

/** The characters that a token without tokens of its own stands for. */
export const textOf = (token: Token): string => {
  const text = (token as Tokens.Text).text ?? "";
  return token.type === "text" ? decodeHTMLStrict(text) : text;
};

export const isComment = (text: string): boolean => /^\s*<!--[\s\S]*-->\s*$/.test(text);

/** HTML in Markdown is only text, except for comments and line breaks. */
export function htmlText(text: string): string {
  if (isComment(text)) return "";
  return /^<br\s*\/?>\s*$/i.test(text) ? "\n" : text.trimEnd();
}

/** The text of inline tokens, without any markup. */
export const plainText = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => {
      if (token.type === "br") return "\n";
      if (token.type === "html") return htmlText(token.text);
      if (token.type === "checkbox") return "";
      return "tokens" in token && token.tokens ? plainText(token.tokens) : textOf(token);
    })
    .join("");

export const checkboxOf = ({ task, checked }: Tokens.ListItem): string => (task ? `${checked ? "☑" : "☐"} ` : "");
