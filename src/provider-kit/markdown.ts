import { lexer, Marked, type Token, type Tokens } from "marked";

/** What differs between chat markups with `*bold*`, `_italic_`, `~struck~` and `<address|text>`. */
export interface Flavor {
  /** Marks an item of an unordered list. */
  bullet: string;
  /** Escapes text, so that nothing in it can start a link, a mention or other markup. */
  escape(text: string): string;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
export const escapeEntities = (text: string): string => text.replace(/[&<>]/g, (character) => entities[character]!);

/**
 * Parsing time grows with the square of the number of marks or the length of a gap, and deeply nested quotes and lists
 * overflow the stack. Nobody means such text as Markdown, so it is sent as plain text.
 */
const MAX_MARKS = 1000;
const DEEP_NESTING = /^[ \t]*(?:>[ \t]*|(?:[-+*]|\d{1,9}[.)])[ \t]+){30}/m;
const WIDE_GAP = /[ \t]{1000}/;
const isTooComplex = (markdown: string) =>
  (markdown.match(/[*_~`]/g)?.length ?? 0) > MAX_MARKS || DEEP_NESTING.test(markdown) || WIDE_GAP.test(markdown);

/** Converts Markdown to a chat's markup. */
export function toMrkdwn(markdown: string, flavor: Flavor): string {
  if (isTooComplex(markdown)) return flavor.escape(markdown);
  return blocks(lexer(markdown), flavor);
}

const WORD_END = /[\p{L}\p{N}]$/u;
const WORD_START = /^[\p{L}\p{N}]/u;
const ZERO_WIDTH_SPACE = "\u200b";
const FENCE = "```";

/** Joins blocks with the blank lines that they have in the source. */
function blocks(tokens: Token[], flavor: Flavor): string {
  let text = "";
  for (const token of tokens) {
    if (token.type === "space") {
      if (text) text += "\n\n";
      continue;
    }
    const rendered = block(token, flavor);
    if (!rendered) continue;
    if (text && !text.endsWith("\n")) text += "\n";
    text += rendered;
  }
  return text.replace(/\n{3,}/g, "\n\n").trimEnd();
}

function block(token: Token, flavor: Flavor): string {
  switch (token.type) {
    case "heading":
      return wrap("*", inline(token.tokens ?? [], flavor, "*"));
    case "code":
      return codeBlock(flavor.escape(token.text));
    case "blockquote":
      return prefixLines(blocks(token.tokens ?? [], flavor), "> ", "> ");
    case "list":
      return list(token as Tokens.List, flavor);
    case "table":
      return codeBlock(flavor.escape(table(token as Tokens.Table)));
    case "hr":
      return "———";
    case "html":
      return html(token.text, flavor);
    case "paragraph":
    case "text":
      return inline(token.tokens ?? [token], flavor);
    default:
      return "";
  }
}

function list({ ordered, start, items }: Tokens.List, flavor: Flavor): string {
  return items
    .map((item, index) => {
      const task = item.task ? `${item.checked ? "☑" : "☐"} ` : "";
      const marker = `${ordered ? `${Number(start || 1) + index}.` : flavor.bullet} `;
      return prefixLines(task + blocks(item.tokens, flavor), marker, "    ");
    })
    .join("\n");
}

const prefixLines = (text: string, first: string, rest: string) =>
  text
    .split("\n")
    .map((line, index) => ((index === 0 ? first : rest) + line).trimEnd())
    .join("\n");

/** A fence inside the text would end the block, so it is broken up. */
const codeBlock = (text: string) => `${FENCE}\n${text.replaceAll(FENCE, `\`${ZERO_WIDTH_SPACE}\`\``)}\n${FENCE}`;

/** Columns aligned with spaces, for a code block: chats have monospace text but no tables. */
function table({ header, rows }: Tokens.Table): string {
  const lines = [header, ...rows].map((cells) => cells.map((cell) => plain(cell.tokens)));
  const widths = header.map((_, column) => Math.max(...lines.map((cells) => [...(cells[column] ?? "")].length)));
  const renderRow = (cells: string[]) =>
    cells
      .map((cell, column) => cell + " ".repeat(widths[column]! - [...cell].length))
      .join(" | ")
      .trimEnd();
  const [first = [], ...others] = lines;
  return [renderRow(first), widths.map((width) => "-".repeat(width)).join("-|-"), ...others.map(renderRow)].join("\n");
}

/** `openMarks` are the marks around these tokens: they must not be written again. */
function inline(tokens: Token[], flavor: Flavor, openMarks = ""): string {
  let text = "";
  let wasMarked = false;
  for (const token of tokens) {
    const [rendered, isMarked] = span(token, flavor, openMarks);
    // Marks only work at the edge of a word, so a mark inside a word gets an invisible space.
    const isInsideWord = (isMarked && WORD_END.test(text)) || (wasMarked && WORD_START.test(rendered));
    text += isInsideWord ? ZERO_WIDTH_SPACE + rendered : rendered;
    wasMarked = isMarked;
  }
  return text;
}

const MARKS: Record<string, string> = { strong: "*", em: "_", del: "~" };

/** One span, and whether it has marks around it. */
function span(token: Token, flavor: Flavor, openMarks: string): [text: string, isMarked: boolean] {
  const mark = MARKS[token.type];
  if (mark !== undefined) {
    const isOpen = openMarks.includes(mark);
    const content = inline((token as Tokens.Strong).tokens, flavor, openMarks + mark);
    return isOpen ? [content, false] : [wrap(mark, content), true];
  }
  switch (token.type) {
    case "codespan":
      return [`\`${flavor.escape(token.text)}\``, true];
    case "link":
    case "image":
      return [link(token as Tokens.Link, flavor), false];
    case "br":
      return ["\n", false];
    case "html":
      return [html(token.text, flavor), false];
    case "checkbox":
      return ["", false];
    case "text":
      return token.tokens
        ? [inline(token.tokens, flavor, openMarks), false]
        : [flavor.escape(decodeEntities(token.text)), false];
    default:
      return [flavor.escape((token as Tokens.Text).text ?? ""), false];
  }
}

/** Marks each line by itself and without outer spaces: marks do not span lines, and do not work next to a space. */
const wrap = (mark: string, text: string) =>
  text
    .split("\n")
    .map((line) => {
      const words = line.trim();
      return words && line.replace(words, () => mark + words + mark);
    })
    .join("\n");

function link({ href, tokens, text }: Tokens.Link, flavor: Flavor): string {
  const label = plain(tokens ?? []) || text || href;
  if (!isWebAddress(href)) return flavor.escape(label);
  const address = flavor.escape(href.replace(/[<>|\s]/g, encodeURIComponent));
  if (label === href || `mailto:${label}` === href) return `<${address}>`;
  return `<${address}|${flavor.escape(label).replace(/\s+/g, " ")}>`;
}

const withoutComment = (text: string) => (/^<!--.*-->\s*$/s.test(text) ? "" : text.trimEnd());

const html = (text: string, flavor: Flavor) =>
  /^<br\s*\/?>\s*$/i.test(text) ? "\n" : flavor.escape(withoutComment(text));

const plain = (tokens: Token[]): string =>
  tokens
    .map((token) => {
      if (token.type === "br") return " ";
      if ("tokens" in token && token.tokens) return plain(token.tokens);
      const text = (token as Tokens.Text).text ?? "";
      return token.type === "text" ? decodeEntities(text) : text;
    })
    .join("");

const namedEntities = new Map(Object.entries({ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" }));

/** Decodes the entities that people write in Markdown; any other is left unchanged. */
function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name) return namedEntities.get(name) ?? whole;
    const point = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}

function isWebAddress(href: string): boolean {
  const protocol = URL.parse(href)?.protocol;
  return protocol === "http:" || protocol === "https:" || protocol === "mailto:";
}

const escapeHtml = (text: string) => escapeEntities(text).replaceAll('"', "&quot;").replaceAll("'", "&#39;");

const anchor = (href: string, label: string) =>
  isWebAddress(href) ? `<a href="${escapeHtml(href)}">${label}</a>` : label;

const safeHtml = new Marked({
  breaks: true,
  renderer: {
    html: ({ text }) => escapeHtml(withoutComment(text)),
    link({ href, tokens }) {
      return anchor(href, this.parser.parseInline(tokens));
    },
    // Loading an image would tell its server who reads the message, so it becomes a link.
    image: ({ href, text }) => anchor(href, escapeHtml(text || href)),
    checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
  },
});

/** Converts Markdown to safe HTML: HTML in it becomes text, and only web and mail links stay links. */
export function toHtml(markdown: string): string {
  if (isTooComplex(markdown)) return `<p>${escapeHtml(markdown).replaceAll("\n", "<br>")}</p>\n`;
  return safeHtml.parse(markdown, { async: false });
}
