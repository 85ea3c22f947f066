import {
  checkboxOf,
  defined,
  htmlText,
  isWebAddress,
  markdownToPlain,
  parseMarkdown,
  type Token,
  type Tokens,
  textOf,
} from "../../provider-kit/index.ts";

interface Style {
  bold?: true;
  italic?: true;
  strikethrough?: true;
  code?: true;
  href?: string;
}
interface Piece extends Style {
  content: string;
}

/** A piece of text as Notion takes it: https://developers.notion.com/reference/rich-text */
export interface RichTextRequest {
  text: { content: string; link?: { url: string } };
  annotations?: Omit<Style, "href">;
}

/** https://developers.notion.com/reference/request-limits */
const MAX_PIECE = 2_000;
const MAX_PIECES = 100;

/**
 * Converts Markdown to Notion's text of one property or comment, which has lines but neither lists nor headings. If its
 * formats change too often for Notion, it is written without them.
 */
export function markdownToRichText(markdown: string): RichTextRequest[] {
  const pieces = joinEqual(joinBlocks(parseMarkdown(markdown), "\n\n")).flatMap(toRequests);
  return pieces.length <= MAX_PIECES ? pieces : toRequests({ content: markdownToPlain(markdown) ?? "" });
}

const styleOf = ({ content: _, ...style }: Piece) => JSON.stringify(style);

/** Neighbors in the same style become one piece. */
function joinEqual(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last && styleOf(last) === styleOf(piece)) last.content += piece.content;
    else joined.push({ ...piece });
  }
  return joined;
}

/** Two halves of a surrogate pair stay together. */
const PARTS = new RegExp(`[\\s\\S]{1,${MAX_PIECE}}`, "gu");

const toRequests = ({ content, href, ...annotations }: Piece): RichTextRequest[] =>
  (content.match(PARTS) ?? []).flatMap(halve).map((part) => ({
    text: defined({ content: part, link: href ? { url: href } : undefined }),
    ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
  }));

/** The limit counts UTF-16 units, of which a character has at most two. */
function halve(part: string): string[] {
  if (part.length <= MAX_PIECE) return [part];
  const characters = [...part];
  return [characters.slice(0, MAX_PIECE / 2).join(""), characters.slice(MAX_PIECE / 2).join("")];
}

function joinBlocks(tokens: readonly Token[], separator: string): Piece[] {
  return tokens
    .map(block)
    .filter((pieces) => pieces.some(({ content }) => content.trim() !== ""))
    .flatMap((pieces, index) => (index === 0 ? pieces : [{ content: separator }, ...pieces]));
}

function block(token: Token): Piece[] {
  switch (token.type) {
    case "space":
      return [];
    case "heading":
      return inline((token as Tokens.Heading).tokens, { bold: true });
    case "code":
      return [{ content: token.text, code: true }];
    case "list":
      return list(token as Tokens.List);
    case "blockquote":
    case "table":
    case "hr":
    case "html":
      return [{ content: markdownToPlain(token.raw) ?? "" }];
    default:
      return inline("tokens" in token && token.tokens ? token.tokens : [token], {});
  }
}

function list({ ordered, start, items }: Tokens.List): Piece[] {
  return items.flatMap((item, index) => {
    const marker = ordered ? `${Number(start) + index}. ` : "• ";
    const pieces = [{ content: marker + checkboxOf(item) }, ...joinBlocks(item.tokens, "\n")];
    const indented = pieces.map((piece) => ({ ...piece, content: piece.content.replaceAll("\n", "\n  ") }));
    return index === 0 ? indented : [{ content: "\n" }, ...indented];
  });
}

const STYLES: Record<string, Style> = { strong: { bold: true }, em: { italic: true }, del: { strikethrough: true } };

const inline = (tokens: readonly Token[], style: Style): Piece[] => tokens.flatMap((token) => span(token, style));

function span(token: Token, style: Style): Piece[] {
  const own = STYLES[token.type];
  if (own) return inline((token as Tokens.Strong).tokens, { ...style, ...own });
  switch (token.type) {
    case "codespan":
      return [{ content: token.text, ...style, code: true }];
    case "br":
      return [{ content: "\n", ...style }];
    case "checkbox":
      return [];
    case "html":
      return [{ content: htmlText(token.text), ...style }];
    case "link":
    case "image": {
      const { href, tokens, text } = token as Tokens.Link;
      const linked = isWebAddress(href) ? { ...style, href } : style;
      return tokens?.length ? inline(tokens, linked) : [{ content: text || href, ...linked }];
    }
    default:
      return "tokens" in token && token.tokens ? inline(token.tokens, style) : [{ content: textOf(token), ...style }];
  }
}
