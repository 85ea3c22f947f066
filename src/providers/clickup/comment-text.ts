import { escapeHtml } from "../../provider-kit/text/escape.ts";
import { htmlToMarkdown } from "../../provider-kit/text/from-html.ts";

/**
 * A piece of a comment. Formats of words are attributes of the piece, those of a whole line are attributes of the line
 * break at its end. https://developer.clickup.com/docs/comment-formatting
 */
export interface CommentPiece {
  text?: string;
  attributes?: {
    bold?: boolean;
    italic?: boolean;
    strike?: boolean;
    code?: boolean;
    link?: string;
    header?: number;
    blockquote?: object | boolean;
    list?: { list?: string };
    "code-block"?: object | boolean;
  } | null;
}
type Attributes = NonNullable<CommentPiece["attributes"]>;

/** An address is written again for each line of its piece. One that would be most of the text is left out. */
const MAX_REPEATED = 5000;

/** A line as HTML, with the elements that its neighbors may share with it. */
interface Line {
  within: string;
  html: string;
}

function words(text: string, { code, bold, italic, strike, link }: Attributes): string {
  if (text === "") return "";
  let html = escapeHtml(text);
  if (code) html = `<code>${html}</code>`;
  if (bold) html = `<strong>${html}</strong>`;
  if (italic) html = `<em>${html}</em>`;
  if (strike) html = `<s>${html}</s>`;
  return link ? `<a href="${escapeHtml(link)}">${html}</a>` : html;
}

function lineOf(html: string, { list, header, blockquote, "code-block": codeBlock }: Attributes): Line {
  if (codeBlock) return { within: "pre", html: `${html}\n` };
  if (header) return { within: "", html: `<h${header}>${html}</h${header}>` };
  if (blockquote) return { within: "blockquote", html: `${html}<br>` };
  switch (list?.list) {
    case undefined:
      return { within: "", html: `${html}<br>` };
    case "ordered":
      return { within: "ol", html: `<li>${html}</li>` };
    case "checked":
      return { within: "ul", html: `<li><input type="checkbox" checked>${html}</li>` };
    case "unchecked":
      return { within: "ul", html: `<li><input type="checkbox">${html}</li>` };
    default:
      return { within: "ul", html: `<li>${html}</li>` };
  }
}

function linesOf(pieces: readonly CommentPiece[]): Line[] {
  const lines: Line[] = [];
  let html = "";
  for (const { text = "", attributes } of pieces) {
    const [first = "", ...further] = text.replaceAll("\r\n", "\n").split("\n");
    const { link, ...formats } = attributes ?? {};
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
  let open = "";
  for (const line of [...linesOf(pieces), { within: "", html: "" }]) {
    if (line.within !== open) {
      html += (open && `</${open}>`) + (line.within && `<${line.within}>`);
      open = line.within;
    }
    html += line.html;
  }
  return htmlToMarkdown(html);
}
