import { type Block, CODE, DEL, DocumentBuilder, EM, type Span, STRONG } from "./document.ts";
import { emojiOf, emojiWithCode } from "./emoji.ts";
import { toText } from "./plain.ts";
import { TableCells } from "./table-cells.ts";
import { writeMarkdown } from "./write-markdown.ts";

/** A node of an Atlassian document. https://developer.atlassian.com/cloud/jira/platform/apis/document/structure/ */
interface AdfNode {
  type?: unknown;
  text?: unknown;
  content?: unknown;
  attrs?: Record<string, unknown> | null;
  marks?: unknown;
}

const MARKS = new Map<unknown, number>([
  ["strong", STRONG],
  ["em", EM],
  ["strike", DEL],
  ["code", CODE],
]);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const stringOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";

/** Converts an Atlassian document. A string, as older versions of the API have it, is taken as it is. */
export function adfToMarkdown(document: unknown): string | null {
  if (typeof document === "string") return toText(document);
  return isObject(document) ? writeMarkdown(new AdfReader().read(document)) : null;
}

type Step = { node: AdfNode; leave?: undefined } | { node?: undefined; leave: () => void };

/** Walks the document with a stack of its own, since a document may be nested deeper than functions may be. */
class AdfReader {
  #document = new DocumentBuilder();
  #lists: Extract<Block, { type: "list" }>[] = [];
  #tables = new TableCells(this.#document);

  read(root: AdfNode): Block[] {
    const steps: Step[] = [{ node: root }];
    for (let step = steps.pop(); step; step = steps.pop()) {
      if (step.leave) {
        step.leave();
        continue;
      }
      const leave = this.#enter(step.node!);
      if (leave) steps.push({ leave });
      if (leave === null) continue;
      const content = Array.isArray(step.node!.content) ? step.node!.content : [];
      for (const child of content.toReversed()) if (isObject(child)) steps.push({ node: child });
    }
    return this.#document.end();
  }

  /** Starts a node, and returns what to do at its end; null if its content is already read. */
  #enter(node: AdfNode): (() => void) | null | undefined {
    const document = this.#document;
    const attrs = isObject(node.attrs) ? node.attrs : {};
    const endParagraph = () => document.endParagraph();
    const inline = inlineSpan(node, attrs);
    if (inline) {
      document.add(inline);
      return null;
    }
    switch (node.type) {
      case "paragraph":
      case "caption":
        endParagraph();
        return endParagraph;
      case "heading":
        endParagraph();
        return () => document.endParagraph(Number(attrs.level) || 1);
      case "codeBlock":
        this.#code(node, attrs);
        return null;
      case "rule":
        document.addBlock({ type: "rule" });
        return null;
      case "blockquote":
      case "panel":
        if (document.isDeepest) return endParagraph;
        document.openQuote();
        return () => document.close();
      case "bulletList":
      case "decisionList":
      case "taskList":
        return this.#list(null);
      case "orderedList": {
        const order = Number(attrs.order ?? 1);
        return this.#list(Number.isInteger(order) && order >= 0 ? order : 1);
      }
      case "listItem":
      case "decisionItem":
        return this.#item("");
      case "taskItem":
      case "blockTaskItem":
        return this.#item(attrs.state === "DONE" ? "☑ " : "☐ ");
      case "table":
        return this.#tables.openTable({ isData: true });
      case "tableRow":
        this.#tables.startRow();
        return endParagraph;
      case "tableCell":
      case "tableHeader":
        return this.#tables.openCell(attrs.colspan, attrs.rowspan);
      case "expand":
      case "nestedExpand":
        endParagraph();
        document.add({ text: stringOf(attrs.title), marks: STRONG });
        endParagraph();
        return endParagraph;
      case "blockCard":
      case "embedCard": {
        endParagraph();
        const card = cardSpan(attrs);
        if (card) document.add(card);
        endParagraph();
        return null;
      }
      case "media":
      case "mediaSingle":
      case "mediaGroup":
        endParagraph();
        if (node.type === "media") document.add(mediaSpan(attrs));
        return endParagraph;
      default:
        // Atlassian adds new types of node now and then: one is known by its content, or else by its text.
        if (!Array.isArray(node.content) || node.content.length === 0)
          document.add({ text: stringOf(node.text) || stringOf(attrs.text), marks: 0 });
        return undefined;
    }
  }

  #list(start: number | null): () => void {
    const document = this.#document;
    if (document.isDeepest) return () => document.endParagraph();
    const list: Extract<Block, { type: "list" }> = { type: "list", start, items: [] };
    const outer = this.#lists.at(-1);
    // A task list has nested lists beside its items.
    const sibling = this.#itemDepths.at(-1) === document.depth ? undefined : outer?.items.at(-1);
    if (sibling) sibling.push(list);
    else document.addBlock(list);
    this.#lists.push(list);
    return () => {
      document.endParagraph();
      this.#lists.pop();
    };
  }

  /** The depths inside the open items. */
  #itemDepths: number[] = [];

  #item(text: string): () => void {
    const document = this.#document;
    const list = this.#lists.at(-1);
    if (!list || document.isDeepest) return () => document.endParagraph();
    document.openChild(list);
    this.#itemDepths.push(document.depth);
    document.add({ text, marks: 0 });
    return () => {
      document.close();
      this.#itemDepths.pop();
    };
  }

  #code({ content }: AdfNode, { language }: Record<string, unknown>): void {
    const nodes: unknown[] = Array.isArray(content) ? content : [];
    const text = nodes.map((node) => (isObject(node) ? stringOf(node.text) : "")).join("");
    if (text.trim() !== "") this.#document.addBlock({ type: "code", text, language: stringOf(language) });
  }
}

function inlineSpan(node: AdfNode, attrs: Record<string, unknown>): Span | undefined {
  const text = stringOf(attrs.text);
  switch (node.type) {
    case "text":
      return textSpan(node);
    case "hardBreak":
      return { text: "\n", marks: 0 };
    case "mention": {
      const name = text || stringOf(attrs.id);
      return { text: name && !name.startsWith("@") ? `@${name}` : name, marks: 0 };
    }
    case "emoji":
      return { text: text || emojiText(stringOf(attrs.shortName), stringOf(attrs.id)), marks: 0 };
    case "date":
      return { text: isoDay(attrs.timestamp), marks: 0 };
    case "status":
    case "placeholder":
      return { text, marks: 0 };
    case "inlineCard":
      return cardSpan(attrs) ?? { text: "", marks: 0 };
    case "mediaInline":
      return mediaSpan(attrs);
    default:
      return undefined;
  }
}

const emojiText = (name: string, id: string) => emojiWithCode(id) ?? emojiOf(name.replace(/^:|:$/g, "")) ?? name;

function textSpan({ text, marks }: AdfNode): Span {
  const span: Span = { text: stringOf(text), marks: 0 };
  for (const mark of Array.isArray(marks) ? marks : []) {
    if (!isObject(mark)) continue;
    span.marks |= MARKS.get(mark.type) ?? 0;
    const href = isObject(mark.attrs) ? mark.attrs.href : undefined;
    if (mark.type === "link" && typeof href === "string") span.href = href;
  }
  return span;
}

function cardSpan({ url, data }: Record<string, unknown>): Span | undefined {
  const address = stringOf(url) || (isObject(data) ? stringOf(data.url) : "");
  return address ? { text: address, marks: 0, href: address } : undefined;
}

/** Only an image from elsewhere has an address; one that was uploaded has an id. */
function mediaSpan({ url, alt }: Record<string, unknown>): Span {
  const span: Span = { text: stringOf(alt), marks: 0 };
  return typeof url === "string" ? { ...span, image: url } : span;
}

/** Milliseconds since 1970, as a string. */
function isoDay(timestamp: unknown): string {
  const date = new Date(Number(timestamp));
  return Number.isNaN(date.getTime()) ? "" : date.toISOString().slice(0, 10);
}
