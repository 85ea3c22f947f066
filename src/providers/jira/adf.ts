/** A node of an Atlassian document. https://developer.atlassian.com/cloud/jira/platform/apis/document/structure/ */
export interface AdfNode {
  type?: string;
  text?: string;
  content?: AdfNode[];
  attrs?: Record<string, any>;
  marks?: { type?: string; attrs?: Record<string, any> }[];
}

type Render = (node: AdfNode) => string;

const INDENT = "  ";

/** Nodes within a line. */
const inline = renderers({
  text(node) {
    const href = node.marks?.find(({ type }) => type === "link")?.attrs?.href;
    const text = node.text ?? "";
    // An address that is typed out stands for itself.
    return typeof href !== "string" || href === text || href === `mailto:${text}` ? text : `${text} (${href})`;
  },
  hardBreak: () => "\n",
  mention: ({ attrs }) => attrs?.text || (attrs?.id ? `@${attrs.id}` : ""),
  emoji: ({ attrs }) => attrs?.text || attrs?.shortName || "",
  // Milliseconds since 1970, as text.
  date: ({ attrs }) => {
    const date = new Date(Number(attrs?.timestamp));
    return Number.isNaN(date.getTime()) ? "" : date.toISOString().slice(0, 10);
  },
  status: ({ attrs }) => attrs?.text ?? "",
  placeholder: ({ attrs }) => attrs?.text ?? "",
  inlineCard: cardOf,
  mediaInline: altOf,
});

const blocks = renderers({
  bulletList: (node) => list(node, () => "- "),
  orderedList: (node) => {
    const first = Number(node.attrs?.order ?? 1);
    return list(node, (_, index) => `${first + index}. `);
  },
  taskList: (node) => list(node, ({ attrs }) => (attrs?.state === "DONE" ? "[x] " : "[ ] ")),
  decisionList: (node) => list(node, () => "- "),
  blockquote: (node) => indent(inside(node), "> "),
  rule: () => "---",
  table: (node) => inside(node, "\n"),
  tableRow: (node) => (node.content ?? []).map((cell) => inside(cell, " ").replace(/\s*\n\s*/g, " ")).join(" | "),
  expand: titled,
  nestedExpand: titled,
  blockCard: cardOf,
  embedCard: cardOf,
  media: altOf,
});

/** What is not known is told by what it contains: new kinds of nodes appear now and then. */
const render: Render = (node) => {
  const known = inline.get(node.type ?? "") ?? blocks.get(node.type ?? "");
  if (known) return known(node);
  return node.content ? inside(node) : (node.text ?? (typeof node.attrs?.text === "string" ? node.attrs.text : ""));
};

/** What a node holds: parts of a line as they follow each other, blocks apart from each other. */
function inside({ content = [] }: AdfNode, between = "\n\n"): string {
  const parts = content.map(render);
  if (content.some(({ type = "" }) => inline.has(type))) return parts.join("");
  return parts.filter(Boolean).join(between);
}

/** Items under each other; a list within the list stands beside its items, or in one of them. */
function list({ content = [] }: AdfNode, markOf: (item: AdfNode, index: number) => string): string {
  let index = 0;
  return content
    .map((item) => {
      if (item.type?.endsWith("List")) return indent(render(item), INDENT);
      const mark = markOf(item, index++);
      return mark + inside(item, "\n").replaceAll("\n", `\n${" ".repeat(mark.length)}`);
    })
    .join("\n");
}

const indent = (text: string, by: string) => text.replace(/^/gm, by);

function titled(node: AdfNode): string {
  return [node.attrs?.title, inside(node)].filter(Boolean).join("\n\n");
}

function renderers(byType: Record<string, Render>): ReadonlyMap<string, Render> {
  return new Map(Object.entries(byType));
}

function cardOf({ attrs }: AdfNode): string {
  return attrs?.url ?? attrs?.data?.url ?? "";
}

function altOf({ attrs }: AdfNode): string {
  return attrs?.alt ?? "";
}

/** A document as plain text; null where there is none, or nothing in it that can be told in words. */
export function adfToText(document: AdfNode | string | null | undefined): string | null {
  if (document === null || document === undefined) return null;
  const text = typeof document === "string" ? document : render(document);
  return text.trim() === "" ? null : text.trim();
}
