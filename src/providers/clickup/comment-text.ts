import { emojiWithCode, escapeHtml, htmlToMarkdown } from "../../provider-kit/index.ts";

interface CommentFile {
  url?: string | null;
  title?: string | null;
  name?: string | null;
}

/**
 * A piece of a comment. Formats of words are attributes of the piece, those of a whole line are attributes of the line
 * break at its end. https://developer.clickup.com/docs/comment-formatting
 *
 * The page does not mention the other types and the short form of line formats (`list: "bullet"`), which are sent too.
 */
export interface CommentPiece {
  text?: string | null;
  type?: string;
  attributes?: {
    bold?: boolean;
    italic?: boolean;
    strike?: boolean;
    code?: boolean;
    link?: string;
    header?: number;
    blockquote?: object | boolean;
    list?: { list?: string } | string;
    indent?: number;
    "code-block"?: object | string | boolean;
  } | null;
  user?: { id?: number; username?: string | null; email?: string | null } | null;
  emoticon?: { code?: string | null } | null;
  link_mention?: { url?: string | null } | null;
  bookmark?: { url?: string | null } | null;
  task_mention?: { task_id?: string | null } | null;
  image?: CommentFile | null;
  attachment?: CommentFile | null;
  frame?: CommentFile | null;
  "table-embed"?: {
    rows?: unknown[];
    columns?: unknown[];
    /** By row and column, from 1: `"1:2"`. */
    cells?: Record<string, { content?: { insert?: unknown }[] | null } | undefined>;
  } | null;
}
type Attributes = NonNullable<CommentPiece["attributes"]>;

/** An address is written again for each line of its piece. One that would be most of the text is left out. */
const MAX_REPEATED = 5000;

/** A line as HTML, with the element that its neighbors may share with it. */
interface Line {
  within: string;
  /** How deep a list is inside others. */
  indent: number;
  html: string;
}

function words(text: string, { code, bold, italic, strike, link }: Attributes): string {
  if (text === "") return "";
  let html = escapeHtml(text);
  if (code) html = `<code>${html}</code>`;
  if (bold) html = `<strong>${html}</strong>`;
  if (italic) html = `<em>${html}</em>`;
  if (strike) html = `<s>${html}</s>`;
  return link ? anchor(link, html) : html;
}

const anchor = (address: string, html: string) => `<a href="${escapeHtml(address)}">${html}</a>`;

/** What is mentioned or embedded; undefined if it is only text. */
function embedded(piece: CommentPiece): string | undefined {
  const text = escapeHtml(piece.text ?? "");
  const address = piece.link_mention?.url ?? piece.bookmark?.url;
  if (address) return anchor(address, text || escapeHtml(address));
  const { task_id: task } = piece.task_mention ?? {};
  if (task) return anchor(`https://app.clickup.com/t/${task}`, text || escapeHtml(task));
  const emoji = emojiWithCode(piece.emoticon?.code ?? "");
  if (emoji) return emoji;
  if (piece.user && !text) return escapeHtml(`@${piece.user.username || piece.user.email || piece.user.id}`);
  if (piece["table-embed"]) return table(piece["table-embed"]);
  const file = piece.image ?? piece.attachment ?? piece.frame;
  if (!file?.url) return undefined;
  const name = escapeHtml(file.title || file.name || piece.text || file.url);
  return `<div>${piece.image ? `<img alt="${name}" src="${escapeHtml(file.url)}">` : anchor(file.url, name)}</div>`;
}

function table({ rows = [], columns = [], cells = {} }: NonNullable<CommentPiece["table-embed"]>): string {
  const cell = (row: number, column: number) => {
    const content = cells[`${row + 1}:${column + 1}`]?.content ?? [];
    return `<td>${escapeHtml(content.map(({ insert }) => (typeof insert === "string" ? insert : "")).join(""))}</td>`;
  };
  return `<table>${rows.map((_, row) => `<tr>${columns.map((_, column) => cell(row, column)).join("")}</tr>`).join("")}</table>`;
}

function lineOf(html: string, attributes: Attributes): Line {
  const { list, header, blockquote, indent = 0, "code-block": codeBlock } = attributes;
  const plain = { within: "", indent: 0 };
  if (codeBlock) return { ...plain, within: "pre", html: `${html}\n` };
  if (header) return { ...plain, html: `<h${header}>${html}</h${header}>` };
  if (blockquote) return { ...plain, within: "blockquote", html: `${html}<br>` };
  const kind = typeof list === "string" ? list : list?.list;
  if (!kind) return { ...plain, html: `${html}<br>` };
  const box = { checked: `<input type="checkbox" checked>`, unchecked: `<input type="checkbox">` }[kind] ?? "";
  return { within: kind === "ordered" ? "ol" : "ul", indent, html: `<li>${box}${html}</li>` };
}

function linesOf(pieces: readonly CommentPiece[]): Line[] {
  const lines: Line[] = [];
  let html = "";
  for (const piece of pieces) {
    const element = embedded(piece);
    if (element !== undefined) {
      html += element;
      continue;
    }
    const [first = "", ...further] = (piece.text ?? "").replaceAll("\r\n", "\n").split("\n");
    const { link, ...formats } = piece.attributes ?? {};
    const isRepeated = further.length * (link?.length ?? 0) > MAX_REPEATED;
    const ofWords = link === undefined || isRepeated ? formats : { ...formats, link };
    html += words(first, ofWords);
    for (const next of further) {
      lines.push(lineOf(html, formats));
      html = words(next, ofWords);
    }
  }
  return html === "" ? lines : [...lines, lineOf(html, {})];
}

/** The Markdown of a comment; null if it has no text. */
export function commentToMarkdown(pieces: readonly CommentPiece[]): string | null {
  let html = "";
  const open: string[] = [];
  const closeTo = (depth: number) => {
    while (open.length > depth) html += `</${open.pop()}>`;
  };
  for (const { within, indent, html: line } of linesOf(pieces)) {
    const depth = within ? Math.min(indent, open.length) + 1 : 0;
    closeTo(depth);
    if (open.length === depth && open.at(-1) !== within) closeTo(Math.max(0, depth - 1));
    if (open.length < depth) {
      open.push(within);
      html += `<${within}>`;
    }
    html += line;
  }
  closeTo(0);
  return htmlToMarkdown(html);
}
