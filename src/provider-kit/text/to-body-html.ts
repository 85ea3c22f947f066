import type { Token, Tokens } from "marked";
import { isWebAddress } from "./address.ts";
import { escapeHtml } from "./escape.ts";
import { checkboxOf, htmlText, parseMarkdown, plainText, textOf } from "./parse-markdown.ts";

/**
 * Converts Markdown to Asana's rich text: XML with a few elements, where a line end is a line break. Only the elements
 * that every kind of object accepts are used. https://developers.asana.com/docs/rich-text
 */
export function markdownToBodyHtml(markdown: string | null | undefined): string | null {
  if (markdown === null || markdown === undefined) return null;
  const text = blocks(parseMarkdown(withoutControls(markdown)));
  return text ? `<body>${text}</body>` : null;
}

/** XML must not contain them, not even escaped. */
const withoutControls = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to remove.
  text.replace(/[\0-\x08\v\f\x0e-\x1f\ufffe\uffff]/g, "").toWellFormed();

/** Lists, quotes and code have lines of their own, so that text needs no line end after them. */
function blocks(tokens: readonly Token[]): string {
  let text = "";
  let isAfterText = false;
  for (const token of tokens) {
    const rendered = block(token);
    if (!rendered) continue;
    const isText = !/^<(?:ul|ol|blockquote|pre)>/.test(rendered);
    if (isAfterText) text += isText ? "\n\n" : "\n";
    text += rendered;
    isAfterText = isText;
  }
  return text;
}

function block(token: Token): string {
  switch (token.type) {
    case "space":
      return "";
    case "heading":
      return element("strong", inline(token.tokens ?? []));
    case "code":
      return element("pre", escapeHtml(token.text));
    case "blockquote":
      return element("blockquote", quoted(token.tokens ?? []));
    case "list":
      return isElement(token) ? list(token as Tokens.List) : itemLines(token as Tokens.List);
    case "table":
      return element("pre", escapeHtml(table(token as Tokens.Table)));
    case "hr":
      return "———";
    case "html":
      return escapeHtml(htmlText(token.text));
    default:
      return inline("tokens" in token && token.tokens ? token.tokens : [token]);
  }
}

/** An element inside one of the same name would say nothing more. */
const element = (name: string, content: string) =>
  content &&
  `<${name}>${INLINE.has(name) ? content.replaceAll(`<${name}>`, "").replaceAll(`</${name}>`, "") : content}</${name}>`;

const INLINE = new Set(["strong", "em", "s"]);

/** Quotes and items have no other blocks inside, except that items have lists. */
const quoted = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => {
      if (token.type === "list") return itemLines(token as Tokens.List);
      if (token.type === "blockquote") return quoted(token.tokens ?? []);
      if (token.type === "code") return element("code", escapeHtml(token.text));
      if (token.type === "table") return escapeHtml(table(token as Tokens.Table));
      return block(token);
    })
    .filter(Boolean)
    .join("\n");

const itemLines = ({ ordered, start, items }: Tokens.List): string =>
  items
    .map((item, index) => `${ordered ? `${Number(start) + index}.` : "•"} ${checkboxOf(item)}${quoted(item.tokens)}`)
    .join("\n");

/** Numbers of a list element start with 1: a list with others is lines of text. */
const isElement = (token: Token) => token.type === "list" && (token.start === "" || token.start === 1);

function list({ ordered, items }: Tokens.List): string {
  const rendered = items.map((item) => {
    const lists = item.tokens.filter(isElement);
    const others = item.tokens.filter((token) => !isElement(token));
    const text = checkboxOf(item) + quoted(others);
    return `<li>${text}${lists.map((nested) => list(nested as Tokens.List)).join("")}</li>`;
  });
  return element(ordered ? "ol" : "ul", rendered.join(""));
}

const table = ({ header, rows }: Tokens.Table) =>
  [header, ...rows]
    .map((cells) => cells.map((cell) => plainText(cell.tokens).replaceAll("\n", " ")).join(" | "))
    .join("\n");

const ELEMENTS: Record<string, string> = { strong: "strong", em: "em", del: "s" };

const inline = (tokens: readonly Token[]): string => tokens.map(span).join("");

function span(token: Token): string {
  const name = ELEMENTS[token.type];
  if (name !== undefined) return element(name, inline((token as Tokens.Strong).tokens));
  switch (token.type) {
    case "codespan":
      return element("code", escapeHtml(token.text));
    case "br":
      return "\n";
    case "checkbox":
      return "";
    case "html":
      return escapeHtml(htmlText(token.text));
    case "link":
    case "image": {
      const { href, tokens, text } = token as Tokens.Link;
      const label = escapeHtml(plainText(tokens ?? []) || text || href);
      return isWebAddress(href) ? `<a href="${escapeHtml(href)}">${label}</a>` : label;
    }
    default:
      return "tokens" in token && token.tokens ? inline(token.tokens) : escapeHtml(textOf(token));
  }
}
