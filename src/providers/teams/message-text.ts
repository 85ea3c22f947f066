import { htmlToMarkdown, plainToMarkdown, toText } from "../../provider-kit/index.ts";

/** What a message says, as far as it is read. */
export interface MessageContent {
  /** The title line of a post. */
  subject?: string | null;
  /** For notifications. */
  summary?: string | null;
  body?: { contentType?: string | null; content?: string | null };
  /** The content of a card is JSON. */
  attachments?: { content?: string | null }[] | null;
}

interface Card {
  title?: unknown;
  subtitle?: unknown;
  text?: unknown;
  /** Of a forwarded message. */
  originalMessageContent?: unknown;
}

/** Containers in an adaptive card are nested a few levels deep at most; each one is an object in an array. */
const MAX_DEPTH = 30;

/** Pasted pictures can only be loaded with a token, so that they say nothing to a reader. */
const PICTURES_ONLY = /^(?:!\[\]\([^)\n]*\)\s*)+$/;

function fromHtml(html: string | null | undefined): string | null {
  const text = htmlToMarkdown(html);
  return text !== null && PICTURES_ONLY.test(text) ? null : text;
}

const isText = (value: unknown): value is string => typeof value === "string";

/** https://adaptivecards.io/explorer/TextBlock.html */
function textBlocks(node: unknown, depth = 0): string[] {
  if (depth > MAX_DEPTH || typeof node !== "object" || node === null) return [];
  if (Array.isArray(node)) return node.flatMap((child) => textBlocks(child, depth + 1));
  const { type, text, body, items, columns } = node as Record<string, unknown>;
  return type === "TextBlock" && isText(text) ? [text] : textBlocks([body, items, columns], depth + 1);
}

function cardText(content: string | null | undefined): string | null {
  const card = parse(content);
  const { title, subtitle, text, originalMessageContent } = card as Card;
  const fields = [title, subtitle, text, originalMessageContent].filter(isText);
  return joinTexts([...fields.map((field) => htmlToMarkdown(field)), ...textBlocks(card).map(toText)]);
}

function parse(json: string | null | undefined): object {
  try {
    return Object(JSON.parse(json ?? "{}"));
  } catch {
    return {};
  }
}

const joinTexts = (texts: (string | null)[]): string | null => texts.filter(Boolean).join("\n\n") || null;

/** Where an attachment stands in the text. */
const MARKER = /<attachment id="[^"]*">\s*<\/attachment>/g;

/** The words of a message. Those of a bot are often in a card only. */
export function textOf({ subject, summary, body, attachments }: MessageContent): string | null {
  const title = plainToMarkdown(subject);
  const content =
    body?.contentType === "html" ? fromHtml(body.content) : plainToMarkdown(body?.content?.replace(MARKER, ""));
  const words =
    content ?? joinTexts((attachments ?? []).map((one) => cardText(one.content))) ?? plainToMarkdown(summary);
  return joinTexts([title && `**${title}**`, words]);
}
