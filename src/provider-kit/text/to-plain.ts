import type { Token, Tokens } from "marked";
import { isWebAddress } from "./address.ts";
import { checkboxOf, htmlText, renderMarkdown, textOf } from "./parse-markdown.ts";

/** Converts Markdown to text for fields without any formatting. Lists and quotes keep the marks that people write. */
export function markdownToPlain(markdown: string | null | undefined): string | null {
  if (markdown === null || markdown === undefined) return null;
  return renderMarkdown(markdown, (tokens) => blocks(tokens, "\n\n").trim()) || null;
}

const blocks = (tokens: readonly Token[], separator: string): string =>
  tokens.map(block).filter(Boolean).join(separator);

function block(token: Token): string {
  switch (token.type) {
    case "space":
      return "";
    case "code":
      return token.text;
    case "blockquote":
      return prefixLines(blocks(token.tokens ?? [], "\n\n"), "> ", "> ");
    case "list":
      return list(token as Tokens.List);
    case "table":
      return table(token as Tokens.Table);
    case "hr":
      return "———";
    case "html":
      return htmlText(token.text);
    default:
      return inline("tokens" in token && token.tokens ? token.tokens : [token]);
  }
}

const list = ({ ordered, start, items, loose }: Tokens.List) =>
  items
    .map((item, index) => {
      const marker = ordered ? `${Number(start) + index}. ` : "- ";
      return prefixLines(
        checkboxOf(item) + blocks(item.tokens, loose ? "\n\n" : "\n"),
        marker,
        " ".repeat(marker.length),
      );
    })
    .join(loose ? "\n\n" : "\n");

const table = ({ header, rows }: Tokens.Table) =>
  [header, ...rows]
    .map((cells) => cells.map((cell) => inline(cell.tokens).replaceAll("\n", " ")).join(" | "))
    .join("\n");

const prefixLines = (text: string, first: string, rest: string) =>
  text
    .split("\n")
    .map((line, index) => ((index === 0 ? first : rest) + line).trimEnd())
    .join("\n");

const inline = (tokens: readonly Token[]): string => tokens.map(span).join("");

function span(token: Token): string {
  switch (token.type) {
    case "br":
      return "\n";
    case "checkbox":
      return "";
    case "html":
      return htmlText(token.text);
    case "link":
    case "image": {
      const { href, tokens, text } = token as Tokens.Link;
      const label = inline(tokens ?? []) || text;
      return !isWebAddress(href) || label === href || `mailto:${label}` === href
        ? label
        : label
          ? `${label} (${href})`
          : href;
    }
    default:
      return "tokens" in token && token.tokens ? inline(token.tokens) : textOf(token);
  }
}
