/** The attributes that are read, of any type of node. */
interface AdfAttributes {
  [name: string]: unknown;
  text?: string;
  id?: string;
  shortName?: string;
  timestamp?: string | number;
  order?: number;
  state?: string;
  title?: string;
  url?: string;
  data?: { url?: string };
  alt?: string;
}

/** A node of an Atlassian document. https://developer.atlassian.com/cloud/jira/platform/apis/document/structure/ */
export interface AdfNode {
  type?: string;
  text?: string;
  content?: AdfNode[];
  attrs?: AdfAttributes;
  marks?: { type?: string; attrs?: Record<string, unknown> }[];
}

type Render = (node: AdfNode) => string;

const INDENT = "  ";

const inline = renderers({
  text(node) {
    const href = node.marks?.find(({ type }) => type === "link")?.attrs?.href;
    const text = node.text ?? "";
    // A link whose text is its own address needs no address after it.
    return typeof href !== "string" || href === text || href === `mailto:${text}` ? text : `${text} (${href})`;
  },
  hardBreak: () => "\n",
  mention: ({ attrs }) => attrs?.text || (attrs?.id ? `@${attrs.id}` : ""),
  emoji: ({ attrs }) => attrs?.text || attrs?.shortName || "",
  // Milliseconds since 1970, as a string.
  date: ({ attrs }) => {
    const date = new Date(Number(attrs?.timestamp));
    return Number.isNaN(date.getTime()) ? "" : date.toISOString().slice(0, 10);
  },
  status: ({ attrs }) => attrs?.text ?? "",
  placeholder: ({ attrs }) => attrs?.text ?? "",
  inlineCard: cardUrl,
  mediaInline: altText,
});

const blocks = renderers({
  bulletList: (node) => list(node, () => "- "),
  orderedList: (node) => {
    const first = Number(node.attrs?.order ?? 1);
    return list(node, (_, index) => `${first + index}. `);
  },
  taskList: (node) => list(node, ({ attrs }) => (attrs?.state === "DONE" ? "[x] " : "[ ] ")),
  decisionList: (node) => list(node, () => "- "),
  blockquote: (node) => indent(renderContent(node), "> "),
  rule: () => "---",
  table: (node) => renderContent(node, "\n"),
  tableRow: (node) =>
    (node.content ?? []).map((cell) => renderContent(cell, " ").replace(/\s*\n\s*/g, " ")).join(" | "),
  expand: renderExpand,
  nestedExpand: renderExpand,
  blockCard: cardUrl,
  embedCard: cardUrl,
  media: altText,
});

/** An unknown node is rendered by its content: Atlassian adds new types of node now and then. */
const render: Render = (node) => {
  const known = inline.get(node.type ?? "") ?? blocks.get(node.type ?? "");
  if (known) return known(node);
  return node.content
    ? renderContent(node)
    : (node.text ?? (typeof node.attrs?.text === "string" ? node.attrs.text : ""));
};

/** The content of a node: inline nodes run together, blocks are separated. */
function renderContent({ content = [] }: AdfNode, separator = "\n\n"): string {
  const parts = content.map(render);
  if (content.some(({ type = "" }) => inline.has(type))) return parts.join("");
  return parts.filter(Boolean).join(separator);
}

/** One item per line. A nested list is a sibling of the items, or inside one of them. */
function list({ content = [] }: AdfNode, markerOf: (item: AdfNode, index: number) => string): string {
  let index = 0;
  return content
    .map((item) => {
      if (item.type?.endsWith("List")) return indent(render(item), INDENT);
      const marker = markerOf(item, index++);
      return marker + renderContent(item, "\n").replaceAll("\n", `\n${" ".repeat(marker.length)}`);
    })
    .join("\n");
}

const indent = (text: string, by: string) => text.replace(/^/gm, by);

function renderExpand(node: AdfNode): string {
  return [node.attrs?.title, renderContent(node)].filter(Boolean).join("\n\n");
}

function renderers(byType: Record<string, Render>): ReadonlyMap<string, Render> {
  return new Map(Object.entries(byType));
}

function cardUrl({ attrs }: AdfNode): string {
  return attrs?.url ?? attrs?.data?.url ?? "";
}

function altText({ attrs }: AdfNode): string {
  return attrs?.alt ?? "";
}

/** A document as plain text; null if there is none, or if it contains no text. */
export function adfToText(document: AdfNode | string | null | undefined): string | null {
  if (document === null || document === undefined) return null;
  const text = typeof document === "string" ? document : render(document);
  return text.trim() === "" ? null : text.trim();
}
