import type { Token, Tokens } from "marked";
import { isWebAddress } from "./address.ts";
import { checkboxOf, htmlText, parseMarkdown, textOf } from "./parse-markdown.ts";

interface Mark {
  type: string;
  attrs?: { href: string };
}
interface Node {
  type: string;
  text?: string;
  attrs?: Record<string, unknown>;
  marks?: Mark[];
  content?: Node[];
}
export interface AdfDocument {
  version: 1;
  type: "doc";
  content: Node[];
}

/**
 * Converts Markdown to an Atlassian document; null if it is blank.
 * https://developer.atlassian.com/cloud/jira/platform/apis/document/structure/
 */
export function markdownToAdf(markdown: string | null | undefined): AdfDocument | null {
  if (markdown === null || markdown === undefined) return null;
  const content = blocks(parseMarkdown(markdown), ANYWHERE);
  return content.length === 0 ? null : { version: 1, type: "doc", content };
}

/** Which blocks may be somewhere: others are replaced by what they contain. */
type Allowed = ReadonlySet<string>;
const ANYWHERE: Allowed = new Set(["heading", "rule", "codeBlock", "blockquote", "bulletList", "orderedList", "table"]);
const IN_ITEM: Allowed = new Set(["codeBlock", "bulletList", "orderedList"]);
const IN_QUOTE: Allowed = IN_ITEM;

const blocks = (tokens: readonly Token[], allowed: Allowed): Node[] => tokens.flatMap((token) => block(token, allowed));

function block(token: Token, allowed: Allowed): Node[] {
  switch (token.type) {
    case "space":
      return [];
    case "heading":
      return heading(token as Tokens.Heading, allowed);
    case "code":
      return codeBlock(token.text, token.lang);
    case "blockquote": {
      const isAllowed = allowed.has("blockquote");
      const content = blocks(token.tokens ?? [], isAllowed ? IN_QUOTE : allowed);
      return isAllowed && content.length > 0 ? [{ type: "blockquote", content }] : content;
    }
    case "list":
      return list(token as Tokens.List);
    case "table":
      return table(token as Tokens.Table, allowed);
    case "hr":
      return allowed.has("rule") ? [{ type: "rule" }] : [];
    case "html":
      return paragraph(textNodes(htmlText(token.text), []));
    default:
      return paragraph(inline("tokens" in token && token.tokens ? token.tokens : [token], []));
  }
}

const paragraph = (content: Node[]): Node[] => (content.length === 0 ? [] : [{ type: "paragraph", content }]);

function heading({ depth, tokens }: Tokens.Heading, allowed: Allowed): Node[] {
  if (!allowed.has("heading")) return paragraph(inline(tokens, [{ type: "strong" }]));
  const content = inline(tokens, []);
  return content.length === 0 ? [] : [{ type: "heading", attrs: { level: depth }, content }];
}

function codeBlock(text: string, info = ""): Node[] {
  if (text === "") return [];
  // What follows the language, such as a file name, is for other readers.
  const [language] = info.split(/\s/);
  const node: Node = { type: "codeBlock", content: [{ type: "text", text }] };
  return [language ? { ...node, attrs: { language } } : node];
}

function list({ ordered, start, items }: Tokens.List): Node[] {
  const content = items.flatMap((item): Node[] => {
    const nodes = withBox(checkboxOf(item), blocks(item.tokens, IN_ITEM));
    // An item has to start with text or code.
    const first = nodes[0]?.type.endsWith("List") ? [{ type: "paragraph", content: [] }] : [];
    return nodes.length === 0 ? [] : [{ type: "listItem", content: [...first, ...nodes] }];
  });
  if (content.length === 0) return [];
  if (!ordered) return [{ type: "bulletList", content }];
  return [{ type: "orderedList", attrs: { order: Number(start) }, content }];
}

function withBox(box: string, nodes: Node[]): Node[] {
  if (box === "") return nodes;
  const [first, ...others] = nodes;
  const text: Node = { type: "text", text: box };
  if (first?.type === "paragraph") return [{ ...first, content: [text, ...(first.content ?? [])] }, ...others];
  return [{ type: "paragraph", content: [text] }, ...nodes];
}

function table({ header, rows }: Tokens.Table, allowed: Allowed): Node[] {
  const cell =
    (type: string) =>
    ({ tokens }: Tokens.TableCell): Node => ({
      type,
      content: [{ type: "paragraph", content: inline(tokens, []) }],
    });
  const content: Node[] = [
    { type: "tableRow", content: header.map(cell("tableHeader")) },
    ...rows.map((cells) => ({ type: "tableRow", content: cells.map(cell("tableCell")) })),
  ];
  if (allowed.has("table")) return [{ type: "table", content }];
  // A line per row.
  const separator: Node = { type: "text", text: " | " };
  return [header, ...rows].flatMap((cells) =>
    paragraph(cells.flatMap(({ tokens }, index) => [...(index > 0 ? [separator] : []), ...inline(tokens, [])])),
  );
}

const MARKS: Record<string, string> = { strong: "strong", em: "em", del: "strike" };

const inline = (tokens: readonly Token[], marks: Mark[]): Node[] => tokens.flatMap((token) => span(token, marks));

function span(token: Token, marks: Mark[]): Node[] {
  const type = MARKS[token.type];
  if (type !== undefined) return inline((token as Tokens.Strong).tokens, withMark(marks, { type }));
  switch (token.type) {
    case "codespan":
      // Code has no other marks, but may be linked.
      return textNodes(token.text, [...marks.filter((mark) => mark.type === "link"), { type: "code" }]);
    case "br":
      return [{ type: "hardBreak" }];
    case "checkbox":
      return [];
    case "html":
      return textNodes(htmlText(token.text), marks);
    case "link":
    case "image": {
      const { href, tokens, text } = token as Tokens.Link;
      const linked = isWebAddress(href) ? withMark(marks, { type: "link", attrs: { href } }) : marks;
      return tokens?.length ? inline(tokens, linked) : textNodes(text || href, linked);
    }
    default:
      return "tokens" in token && token.tokens ? inline(token.tokens, marks) : textNodes(textOf(token), marks);
  }
}

const withMark = (marks: Mark[], mark: Mark): Mark[] =>
  marks.some(({ type }) => type === mark.type) ? marks : [...marks, mark];

/** A line end in text is a line break, as in chats and comments. */
function textNodes(text: string, marks: Mark[]): Node[] {
  return text.split("\n").flatMap((line, index) => {
    const node: Node = marks.length > 0 ? { type: "text", text: line, marks } : { type: "text", text: line };
    return [...(index > 0 ? [{ type: "hardBreak" }] : []), ...(line === "" ? [] : [node])];
  });
}
