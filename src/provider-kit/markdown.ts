import { lexer, Marked, type Token, type Tokens } from "marked";

/** What differs between the chat markups that write `*bold*`, `_italic_`, `~struck~` and `<address|text>`. */
export interface Flavour {
  /** What stands before an item of a list without numbers. */
  bullet: string;
  /** Makes text harmless: nothing in it may start a link, a mention or the like. */
  escape(text: string): string;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
export const escapeEntities = (text: string): string => text.replace(/[&<>]/g, (character) => entities[character]!);

/**
 * Parsing takes time with the square of the marks or of a gap, and quotes in lists in quotes end the stack. Nobody
 * means such text as Markdown, so it is sent as it is.
 */
const MAX_MARKS = 1000;
const DEEP = /^[ \t]*(?:>[ \t]*|(?:[-+*]|\d{1,9}[.)])[ \t]+){30}/m;
const WIDE = /[ \t]{1000}/;
const isTangled = (markdown: string) =>
  (markdown.match(/[*_~`]/g)?.length ?? 0) > MAX_MARKS || DEEP.test(markdown) || WIDE.test(markdown);

/** Markdown as the markup of a chat. */
export function toMrkdwn(markdown: string, flavour: Flavour): string {
  if (isTangled(markdown)) return flavour.escape(markdown);
  return blocks(lexer(markdown), flavour);
}

const WORD_END = /[\p{L}\p{N}]$/u;
const WORD_START = /^[\p{L}\p{N}]/u;
const ZERO_WIDTH_SPACE = "\u200b";
const FENCE = "```";

/** Blocks one below the other: lists and headings close to what follows, the rest as far apart as in the source. */
function blocks(tokens: Token[], flavour: Flavour): string {
  let text = "";
  for (const token of tokens) {
    if (token.type === "space") {
      if (text) text += "\n\n";
      continue;
    }
    const written = block(token, flavour);
    if (!written) continue;
    if (text && !text.endsWith("\n")) text += "\n";
    text += written;
  }
  return text.replace(/\n{3,}/g, "\n\n").trimEnd();
}

function block(token: Token, flavour: Flavour): string {
  switch (token.type) {
    case "heading":
      return wrap("*", inline(token.tokens ?? [], flavour, "*"));
    case "code":
      return codeBlock(flavour.escape(token.text));
    case "blockquote":
      return prefixLines(blocks(token.tokens ?? [], flavour), "> ", "> ");
    case "list":
      return list(token as Tokens.List, flavour);
    case "table":
      return codeBlock(flavour.escape(table(token as Tokens.Table)));
    case "hr":
      return "———";
    case "html":
      return html(token.text, flavour);
    case "paragraph":
    case "text":
      return inline(token.tokens ?? [token], flavour);
    default:
      return "";
  }
}

function list({ ordered, start, items }: Tokens.List, flavour: Flavour): string {
  return items
    .map((item, index) => {
      const task = item.task ? `${item.checked ? "☑" : "☐"} ` : "";
      const mark = `${ordered ? `${Number(start || 1) + index}.` : flavour.bullet} `;
      return prefixLines(task + blocks(item.tokens, flavour), mark, "    ");
    })
    .join("\n");
}

const prefixLines = (text: string, first: string, rest: string) =>
  text
    .split("\n")
    .map((line, index) => ((index === 0 ? first : rest) + line).trimEnd())
    .join("\n");

/** The fence of a block inside it would end it. */
const codeBlock = (text: string) => `${FENCE}\n${text.replaceAll(FENCE, `\`${ZERO_WIDTH_SPACE}\`\``)}\n${FENCE}`;

/** Columns kept apart by spaces: chats know no tables, but they know text of equal width. */
function table({ header, rows }: Tokens.Table): string {
  const lines = [header, ...rows].map((cells) => cells.map((cell) => plain(cell.tokens)));
  const widths = header.map((_, column) => Math.max(...lines.map((cells) => [...(cells[column] ?? "")].length)));
  const write = (cells: string[]) =>
    cells
      .map((cell, column) => cell + " ".repeat(widths[column]! - [...cell].length))
      .join(" | ")
      .trimEnd();
  const [first = [], ...others] = lines;
  return [write(first), widths.map((width) => "-".repeat(width)).join("-|-"), ...others.map(write)].join("\n");
}

/** `within` holds the marks that are open already: they must not be written again. */
function inline(tokens: Token[], flavour: Flavour, within = ""): string {
  let text = "";
  let wasMarked = false;
  for (const token of tokens) {
    const [written, isMarked] = span(token, flavour, within);
    // A mark counts at the edge of a word only, so one inside a word gets an edge that nobody sees.
    const glued = (isMarked && WORD_END.test(text)) || (wasMarked && WORD_START.test(written));
    text += glued ? ZERO_WIDTH_SPACE + written : written;
    wasMarked = isMarked;
  }
  return text;
}

const MARKS: Record<string, string> = { strong: "*", em: "_", del: "~" };

/** One span, and whether marks stand around it. */
function span(token: Token, flavour: Flavour, within: string): [text: string, isMarked: boolean] {
  const mark = MARKS[token.type];
  if (mark !== undefined) {
    const isOpen = within.includes(mark);
    const content = inline((token as Tokens.Strong).tokens, flavour, within + mark);
    return isOpen ? [content, false] : [wrap(mark, content), true];
  }
  switch (token.type) {
    case "codespan":
      return [`\`${flavour.escape(token.text)}\``, true];
    case "link":
    case "image":
      return [link(token as Tokens.Link, flavour), false];
    case "br":
      return ["\n", false];
    case "html":
      return [html(token.text, flavour), false];
    case "checkbox":
      return ["", false];
    case "text":
      return token.tokens
        ? [inline(token.tokens, flavour, within), false]
        : [flavour.escape(decodeEntities(token.text)), false];
    default:
      return [flavour.escape((token as Tokens.Text).text ?? ""), false];
  }
}

/** Marks do not reach over the end of a line, nor do they count next to a space. */
const wrap = (mark: string, text: string) =>
  text
    .split("\n")
    .map((line) => {
      const words = line.trim();
      return words && line.replace(words, () => mark + words + mark);
    })
    .join("\n");

function link({ href, tokens, text }: Tokens.Link, flavour: Flavour): string {
  const label = plain(tokens ?? []) || text || href;
  if (!isWebAddress(href)) return flavour.escape(label);
  const address = flavour.escape(href.replace(/[<>|\s]/g, encodeURIComponent));
  if (label === href || `mailto:${label}` === href) return `<${address}>`;
  return `<${address}|${flavour.escape(label).replace(/\s+/g, " ")}>`;
}

const withoutComment = (text: string) => (/^<!--.*-->\s*$/s.test(text) ? "" : text.trimEnd());

const html = (text: string, flavour: Flavour) =>
  /^<br\s*\/?>\s*$/i.test(text) ? "\n" : flavour.escape(withoutComment(text));

const plain = (tokens: Token[]): string =>
  tokens
    .map((token) => {
      if (token.type === "br") return " ";
      if ("tokens" in token && token.tokens) return plain(token.tokens);
      const text = (token as Tokens.Text).text ?? "";
      return token.type === "text" ? decodeEntities(text) : text;
    })
    .join("");

const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };

/** The entities that people write in Markdown; any other stays as it is. */
function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name) return named[name] ?? whole;
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
    // A picture from anywhere would tell its server who read the message: a link leaves that to the reader.
    image: ({ href, text }) => anchor(href, escapeHtml(text || href)),
    checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
  },
});

/** Markdown as HTML: what is HTML in it becomes text, and links lead to the web or to a mail address alone. */
export function toHtml(markdown: string): string {
  if (isTangled(markdown)) return `<p>${escapeHtml(markdown).replaceAll("\n", "<br>")}</p>\n`;
  return safeHtml.parse(markdown, { async: false });
}
