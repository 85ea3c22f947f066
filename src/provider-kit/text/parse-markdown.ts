import { decodeHTMLStrict } from "entities";
import { Lexer, type Token, Tokenizer, type Tokens } from "marked";
import { isWebAddress } from "./address.ts";

/** Longer texts than this are no provider's; the time for some of them grows with the square of their length. */
const MAX_LENGTH = 200_000;
const MAX_MARKS = 1000;
const MAX_ESCAPED_BRACKETS = 300;
const MAX_WORD = 3000;
const MAX_NESTING = 30;
const MAX_INDENT = 200;
const MAX_UNDERLINES = 200;
const MAX_TASK_WORK = 500_000;
/** Per character of a text, and for a short one. */
const MAX_ITEM_WORK = { factor: 200, base: 200_000 };
const MAX_BLOCK_WORK = { factor: 40, base: 20_000 };
const MAX_MARK_WORK = { factor: 60, base: 100_000 };
/** A line takes about as long as this many characters. */
const LINE_WORK = 8;
const MAX_REPEATED = { factor: 2, base: 10_000 };
const MAX_GROWTH = { factor: 10, base: 10_000 };
const MAX_MISSING_CELLS = 1000;
const LIST_ITEM = /^\s*(?:[-+*]|\d{1,9}[.)])(?:\s|$)/;
const MARKER = /^ {0,3}(?:[-+*]|\d{1,9}[.)]) +\S/;

const isOver = (work: number, { factor, base }: { factor: number; base: number }, length: number) =>
  work > factor * length + base;

const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

/**
 * Parsing time grows with the square of the length of a gap, the number of lines under headings or that of tasks.
 * Nobody means such text as Markdown, so it is taken as plain text.
 */
const isTooComplex = (markdown: string) =>
  markdown.length > MAX_LENGTH ||
  new RegExp(`[ \\t]{${MAX_INDENT}}`).test(markdown) ||
  countOf(markdown, /^[|: \t]*-[-|: \t]*$/gm) > MAX_UNDERLINES ||
  countOf(markdown, /\[[ xX]\]/g) * countOf(markdown, /\n/g) > MAX_TASK_WORK ||
  isOver(itemWork(markdown), MAX_ITEM_WORK, markdown.length);

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
    length = isBlank || MARKER.test(line) ? 0 : length + line.length + 1;
    if (isInList) work += length;
    isAfterBlank = isBlank;
  }
  return work;
}

class TooComplex extends Error {}

/** A use of a definition. The label is compared as marked does; one that is defined again means the first address. */
const usage = (label: string, address: string) =>
  `${label.trim().replace(/\s+/g, " ").toLowerCase().toUpperCase().toLowerCase()} ${address}`;

/** Bounds how much longer than its text the result can be, and how long the ends of marks are looked for. */
class BoundedTokenizer extends Tokenizer {
  #length: number;
  #missingCells = 0;
  #repeated = 0;
  #markWork = 0;
  #blockWork = 0;
  readonly used = new Set<string>();

  constructor(length: number) {
    super();
    this.#length = length;
  }

  /** Quotes in a row are read again for each that ends early, and for each level that a line has no sign for. */
  override blockquote(source: string): Tokens.Blockquote | undefined {
    const [found] = this.rules.block.blockquote.exec(source) ?? [];
    if (found === undefined) return undefined;
    this.countBlocks(found);
    return super.blockquote(source);
  }

  countBlocks(source: string): void {
    this.#blockWork += source.length + LINE_WORK * countOf(source, /\n/g);
    if (isOver(this.#blockWork, MAX_BLOCK_WORK, this.#length)) throw new TooComplex();
  }

  /** Rows are filled up to the columns of the header. A table that mostly consists of such cells is plain text. */
  override table(source: string): Tokens.Table | undefined {
    const [found, , underline = "", rows = ""] = this.rules.block.table.exec(source) ?? [];
    if (found === undefined) return undefined;
    const columns = underline.split("|").length;
    for (const row of rows.split("\n")) this.#missingCells += Math.max(0, columns - row.split("|").length);
    if (this.#missingCells <= MAX_MISSING_CELLS) return super.table(source);
    return plainParagraph(found.trimEnd()) as Token as Tokens.Table;
  }

  override link(source: string): Tokens.Link | Tokens.Image | undefined {
    return this.#withoutRepetition(super.link(source));
  }

  override emStrong(source: string, masked: string, previous?: string): Tokens.Em | Tokens.Strong | undefined {
    return this.#mark(source, /^[*_]/, () => super.emStrong(source, masked, previous));
  }

  override del(source: string, masked: string, previous?: string): Tokens.Del | undefined {
    return this.#mark(source, /^~/, () => super.del(source, masked, previous));
  }

  /** The end of a mark is looked for in the rest of the paragraph. If too many have none, signs are only text. */
  #mark<Mark extends Token>(source: string, sign: RegExp, read: () => Mark | undefined): Mark | undefined {
    if (!sign.test(source) || isOver(this.#markWork, MAX_MARK_WORK, this.#length)) return undefined;
    const mark = read();
    this.#markWork += mark ? mark.raw.length : source.length;
    return mark;
  }

  /** One that no link could lead to gets a tag that no reference can have. */
  override def(source: string): Tokens.Def | undefined {
    const token = super.def(source);
    return token && !isWebAddress(token.href) ? { ...token, tag: "" } : token;
  }

  /** An address that is defined once may be referred to by each word. */
  override reflink(source: string, links: Parameters<Tokenizer["reflink"]>[1]) {
    const token = super.reflink(source, links);
    if (token === undefined || token.type === "text") return token;
    this.#repeated += token.href.length;
    if (!isOver(this.#repeated, MAX_REPEATED, this.#length)) {
      const { reflink, nolink } = this.rules.inline;
      const [, text = "", label = ""] = reflink.exec(source) ?? nolink.exec(source) ?? [];
      this.used.add(usage(label || text, token.href));
      return this.#withoutRepetition(token);
    }
    return { type: "text", raw: token.raw, text: token.text } satisfies Tokens.Text;
  }

  /** Some formats repeat the address for each part of a label. */
  #withoutRepetition<Link extends Tokens.Link | Tokens.Image>(token: Link | undefined): Link | undefined {
    if (!token?.tokens) return token;
    this.#repeated += token.href.length * countOf(token.text, /[\n*_~`[<&\\]/g);
    if (isOver(this.#repeated, MAX_REPEATED, this.#length))
      token.tokens = [{ type: "escape", raw: token.text, text: token.text.replaceAll("\n", " ") }];
    return token;
  }
}

/**
 * Parsing time also grows with the square of the number of marks in a paragraph, and of the length of a word, in which
 * a mail address is looked for. Such a paragraph is taken as plain text, and so is a text that is nested too deeply.
 */
class BoundedLexer extends Lexer {
  #tokenizer: BoundedTokenizer;
  #blockDepth = 0;
  #inlineDepth = 0;

  constructor(length: number) {
    const tokenizer = new BoundedTokenizer(length);
    super({ gfm: true, breaks: true, tokenizer });
    this.#tokenizer = tokenizer;
  }

  read(text: string): Token[] {
    const tokens = this.lex(text);
    if (Object.keys(tokens.links).length === 0) return tokens;
    // What is left of the definitions is read without references.
    this.tokens.links = {};
    return this.#withoutDefinitions(tokens, "paragraph");
  }

  /** A definition that no reference uses is text, which continues with the text below it. */
  #withoutDefinitions(tokens: readonly Token[], type: "paragraph" | "text"): Token[] {
    const blocks: Token[] = [];
    let open: Token[] | undefined;
    for (const token of tokens) {
      const isDefinition = token.type === "def";
      if (isDefinition && this.#tokenizer.used.has(usage(token.tag, token.href))) continue;
      if (token.type === "blockquote") token.tokens = this.#withoutDefinitions(token.tokens ?? [], "paragraph");
      if (token.type === "list")
        for (const item of token.items)
          item.tokens = this.#withoutDefinitions(item.tokens, item.loose ? "paragraph" : "text");
      const inline = isDefinition ? this.inlineTokens(token.raw.trim()) : (token as Tokens.Paragraph).tokens;
      if (open && (isDefinition || token.type === "paragraph" || token.type === "text")) {
        open.push({ type: "br", raw: "\n" }, ...inline);
        continue;
      }
      blocks.push(isDefinition ? { type, raw: token.raw, text: token.raw, tokens: inline } : token);
      open = isDefinition ? inline : undefined;
    }
    return blocks;
  }

  override blockTokens(source: string, tokens: Token[] = [], isClipped = false): never {
    this.#tokenizer.countBlocks(source);
    this.#blockDepth++;
    if (this.#blockDepth > MAX_NESTING) throw new TooComplex();
    const read = super.blockTokens(source, tokens, isClipped);
    this.#blockDepth--;
    return read as never;
  }

  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    const isReadable =
      this.#inlineDepth < MAX_NESTING &&
      countOf(source, /[*_~`!]/g) <= MAX_MARKS &&
      countOf(source, /\\\[/g) <= MAX_ESCAPED_BRACKETS &&
      source.split(/\s/).every(({ length }) => length <= MAX_WORD);
    if (!isReadable) {
      tokens.push(...plainTokens(source));
      return tokens;
    }
    this.#inlineDepth++;
    const read = super.inlineTokens(source, tokens);
    this.#inlineDepth--;
    return read;
  }
}

const plainTokens = (text: string): Token[] =>
  text.split("\n").flatMap((line, index): Token[] => {
    const token: Tokens.Escape = { type: "escape", raw: line, text: line };
    return index === 0 ? [token] : [{ type: "br", raw: "\n" }, token];
  });

const plainParagraph = (text: string): Tokens.Paragraph => ({
  type: "paragraph",
  raw: text,
  text,
  tokens: plainTokens(text.trimEnd()),
});

const withLineEnds = (text: string) => text.replace(/\r\n?/g, "\n");

/** The blocks of a Markdown text. A line end is a line break, as in chats and comments. */
export function parseMarkdown(markdown: string): Token[] {
  const text = withLineEnds(markdown);
  try {
    if (!isTooComplex(text)) return new BoundedLexer(text.length).read(text);
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
  }
  return [plainParagraph(text)];
}

/** Text in a format in which each line of a deep list or quote has a prefix: if they are most of it, it is plain text. */
export function renderMarkdown(markdown: string, render: (blocks: Token[]) => string): string {
  const text = render(parseMarkdown(markdown));
  return isOver(text.length, MAX_GROWTH, markdown.length) ? render([plainParagraph(withLineEnds(markdown))]) : text;
}

/** The characters that a token without tokens of its own stands for. */
export const textOf = (token: Token): string => {
  const text = (token as Tokens.Text).text ?? "";
  return token.type === "text" ? decodeHTMLStrict(text) : text;
};

const isComment = (text: string): boolean => /^\s*<!--[\s\S]*-->\s*$/.test(text);

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
