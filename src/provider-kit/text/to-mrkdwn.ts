import type { Token, Tokens } from "marked";
import { isWebAddress } from "./address.ts";
import { escapeEntities } from "./escape.ts";
import { escapeLiterals, literally } from "./mrkdwn-literals.ts";
import { checkboxOf, htmlText, plainText, renderMarkdown, textOf } from "./parse-markdown.ts";
import { tableText } from "./table-text.ts";

/** Converts Markdown to Slack's markup. https://docs.slack.dev/messaging/formatting-message-text */
export function markdownToMrkdwn(markdown: string | null | undefined): string | null {
  if (markdown === null || markdown === undefined) return null;
  return renderMarkdown(markdown, (tokens) => escapeLiterals(blocks(tokens))) || null;
}

const WORD_END = /[\p{L}\p{N}]$/u;
const WORD_START = /^[\p{L}\p{N}]/u;
const ZERO_WIDTH_SPACE = "\u200b";
const FENCE = "```";

/** Joins blocks with the blank lines that they have in the source. */
function blocks(tokens: Token[]): string {
  let text = "";
  for (const token of tokens) {
    if (token.type === "space") {
      if (text) text += "\n\n";
      continue;
    }
    const rendered = block(token);
    if (!rendered) continue;
    if (text && !text.endsWith("\n")) text += "\n";
    text += rendered;
  }
  return text.replace(/\n{3,}/g, "\n\n").trimEnd();
}

function block(token: Token): string {
  switch (token.type) {
    case "heading":
      return wrap("*", inline(token.tokens ?? [], "*"));
    case "code":
      return codeBlock(escapeEntities(token.text));
    case "blockquote":
      return prefixLines(blocks(token.tokens ?? []), "> ", "> ");
    case "list":
      return list(token as Tokens.List);
    case "table":
      return codeBlock(escapeEntities(tableText(token as Tokens.Table)));
    case "hr":
      return "———";
    case "html":
      return plain(htmlText(token.text));
    case "paragraph":
    case "escape":
    case "text":
      return inline("tokens" in token && token.tokens ? token.tokens : [token]);
    default:
      return "";
  }
}

function list({ ordered, start, items }: Tokens.List): string {
  return items
    .map((item, index) => {
      const marker = `${ordered ? `${Number(start) + index}.` : "•"} `;
      return prefixLines(checkboxOf(item) + blocks(item.tokens), marker, "    ");
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

/** `openMarks` are the marks around these tokens: they must not be written again. */
function inline(tokens: Token[], openMarks = ""): string {
  let text = "";
  let wasMarked = false;
  for (const token of tokens) {
    const [rendered, isMarked] = span(token, openMarks);
    // Marks only work at the edge of a word, so a mark inside a word gets an invisible space.
    const isInsideWord = (isMarked && WORD_END.test(text.slice(-2))) || (wasMarked && WORD_START.test(rendered));
    text += isInsideWord ? ZERO_WIDTH_SPACE + rendered : rendered;
    wasMarked = isMarked;
  }
  return text;
}

const plain = (text: string) => literally(escapeEntities(text));

const MARKS: Record<string, string> = { strong: "*", em: "_", del: "~" };

/** One span, and whether it has marks around it. */
function span(token: Token, openMarks: string): [text: string, isMarked: boolean] {
  const mark = MARKS[token.type];
  if (mark !== undefined) {
    const isOpen = openMarks.includes(mark);
    const content = inline((token as Tokens.Strong).tokens, openMarks + mark);
    return isOpen ? [content, false] : [wrap(mark, content), true];
  }
  switch (token.type) {
    case "codespan":
      // Code that contains a backtick would end there.
      return token.text.includes("`") ? [plain(token.text), false] : [`\`${escapeEntities(token.text)}\``, true];
    case "link":
    case "image":
      return [link(token as Tokens.Link), false];
    case "br":
      return ["\n", false];
    case "html":
      return [plain(htmlText(token.text)), false];
    case "checkbox":
      return ["", false];
    case "text":
      return [token.tokens ? inline(token.tokens, openMarks) : plain(textOf(token)), false];
    default:
      return [plain(textOf(token)), false];
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

function link({ href, tokens, text }: Tokens.Link): string {
  const label = plainText(tokens ?? []) || text || href;
  if (!isWebAddress(href)) return plain(label);
  const encoded = href.replace(/[<>|\s]/g, encodeURIComponent);
  const address = escapeEntities(encoded);
  if (label === encoded || `mailto:${label}` === encoded) return `<${address}>`;
  return `<${address}|${escapeEntities(label).replace(/\s+/g, " ")}>`;
}
