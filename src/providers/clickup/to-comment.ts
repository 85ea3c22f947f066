import {
  htmlText,
  isWebAddress,
  markdownToPlain,
  parseMarkdown,
  plainText,
  type Token,
  type Tokens,
  tableText,
  textOf,
} from "../../provider-kit/index.ts";
import type { CommentPiece } from "./comment-text.ts";

type Attributes = NonNullable<CommentPiece["attributes"]>;

const FORMATS: Record<string, Attributes> = { strong: { bold: true }, em: { italic: true }, del: { strike: true } };

const piece = (text: string, attributes: Attributes = {}): CommentPiece[] =>
  text === "" ? [] : [{ text, attributes }];

const inline = (tokens: readonly Token[], attributes: Attributes = {}): CommentPiece[] =>
  tokens.flatMap((token) => span(token, attributes));

function span(token: Token, attributes: Attributes): CommentPiece[] {
  const format = FORMATS[token.type];
  if (format) return inline((token as Tokens.Strong).tokens, { ...attributes, ...format });
  switch (token.type) {
    case "codespan":
      return piece(token.text, { ...attributes, code: true });
    case "br":
      return piece("\n");
    case "checkbox":
      return [];
    case "html":
      return piece(htmlText(token.text), attributes);
    case "link":
    case "image": {
      const { href, tokens, text } = token as Tokens.Link;
      return piece(
        plainText(tokens ?? []) || text || href,
        isWebAddress(href) ? { ...attributes, link: href } : attributes,
      );
    }
    default:
      return "tokens" in token && token.tokens ? inline(token.tokens, attributes) : piece(textOf(token), attributes);
  }
}

/** A line with its break, which has the format of the line. */
const line = (content: CommentPiece[], attributes: Attributes = {}): CommentPiece[] => [
  ...content,
  ...piece("\n", attributes),
];

/** What an item cannot contain is below it. */
const OWN_LINES = new Set(["list", "table", "blockquote"]);

/**
 * Items of a list inside a list are on the same level: the format has no others. Its numbers start with 1, so that a list
 * with others is lines of text.
 */
function list({ ordered, start, items }: Tokens.List): CommentPiece[] {
  return items.flatMap((item, index) => {
    const kind = item.task ? (item.checked ? "checked" : "unchecked") : ordered ? "ordered" : "bullet";
    const others = item.tokens.filter(({ type }) => !OWN_LINES.has(type));
    const blocks = item.tokens.filter(({ type }) => OWN_LINES.has(type));
    const own =
      kind === "ordered" && start !== 1
        ? line([...piece(`${Number(start) + index}. `), ...inline(others)])
        : line(inline(others), { list: { list: kind } });
    return [...own, ...blocks.flatMap(block)];
  });
}

const codeBlock = (text: string): CommentPiece[] =>
  text.split("\n").flatMap((content) => line(piece(content), { "code-block": { "code-block": "plain" } }));

function block(token: Token): CommentPiece[] {
  switch (token.type) {
    case "space":
      return [];
    case "heading":
      return line(inline(token.tokens ?? []), { header: (token as Tokens.Heading).depth });
    case "code":
      return codeBlock(token.text);
    case "table":
      return codeBlock(tableText(token as Tokens.Table));
    case "blockquote":
      return (markdownToPlain(token.text) ?? "").split("\n").flatMap((text) => line(piece(text), { blockquote: {} }));
    case "list":
      return list(token as Tokens.List);
    case "html":
      return line(piece(htmlText(token.text)));
    default:
      return line(inline("tokens" in token && token.tokens ? token.tokens : [token]));
  }
}

/** Converts Markdown to the pieces of a comment: https://developer.clickup.com/docs/comment-formatting */
export function markdownToComment(markdown: string): CommentPiece[] {
  const blocks = parseMarkdown(markdown).filter(({ type }) => type !== "space");
  return blocks.flatMap((token, index) => {
    // Paragraphs have a blank line between them.
    const isSecond = token.type === "paragraph" && blocks[index - 1]?.type === "paragraph";
    return [...(isSecond ? piece("\n") : []), ...block(token)];
  });
}
