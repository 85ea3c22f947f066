/** Marks of a span, as bits. */
export const STRONG = 1;
export const EM = 2;
export const DEL = 4;
export const CODE = 8;

/** A run of text with the same marks. A line end in it is a line break. */
export interface Span {
  text: string;
  marks: number;
  /** Where the text links to. */
  href?: string;
  /** The address of an image, whose description is the text. */
  image?: string;
}

export type Block =
  | { type: "paragraph"; spans: Span[] }
  | { type: "heading"; level: number; spans: Span[] }
  | { type: "code"; text: string; language: string }
  | { type: "rule" }
  | { type: "quote"; blocks: Block[] }
  | { type: "list"; start: number | null; items: Block[][] }
  | {
      type: "table";
      rows: Block[][][];
      /** It is a table for certain, and not a layout. */
      isData?: boolean;
    };

/** Deeper quotes, lists and tables are flattened into the level above: no reader can use them, and parsers overflow. */
export const MAX_DEPTH = 16;

interface Frame {
  blocks: Block[];
  /** The list or table whose item or cell this is. */
  parent?: Block;
}

/** Builds a document from the start and the end of its elements, in any order that a broken source may have. */
export class DocumentBuilder {
  #frames: Frame[] = [{ blocks: [] }];
  #spans: Span[] = [];
  /** The last character of the current paragraph; a line end if it has none yet. */
  lastCharacter = "\n";

  get #frame(): Frame {
    return this.#frames.at(-1)!;
  }

  /** How deep the current place is inside quotes, lists and tables. */
  get depth(): number {
    return this.#frames.length - 1;
  }

  /** The block that ended last at the current place. */
  get lastBlock(): Block | undefined {
    return this.#frame.blocks.at(-1);
  }

  get isDeepest(): boolean {
    return this.depth >= MAX_DEPTH;
  }

  add(added: Span): void {
    // There is no code without a character.
    const span = added.text.trim() === "" ? { ...added, marks: added.marks & ~CODE } : { ...added };
    this.lastCharacter = span.image === undefined ? (span.text.at(-1) ?? this.lastCharacter) : ")";
    const last = this.#spans.at(-1);
    if (last && isSameStyle(last, span)) last.text += span.text;
    else if (span.text || span.image) this.#spans.push(span);
  }

  /** Ends the current paragraph, or heading if a level is given. */
  endParagraph(level = 0): void {
    const spans = this.#spans;
    this.#spans = [];
    this.lastCharacter = "\n";
    if (level > 0) {
      const trimmed = trimSpans(spans);
      if (trimmed.length > 0) this.#frame.blocks.push({ type: "heading", level: Math.min(level, 6), spans: trimmed });
      return;
    }
    for (const paragraph of splitParagraphs(spans)) this.#frame.blocks.push({ type: "paragraph", spans: paragraph });
  }

  /** Adds a block without content of its own to open. */
  addBlock(block: Block): void {
    this.endParagraph();
    this.#frame.blocks.push(block);
  }

  openQuote(): void {
    this.endParagraph();
    const block: Block = { type: "quote", blocks: [] };
    this.#frame.blocks.push(block);
    this.#frames.push({ blocks: block.blocks });
  }

  /** Opens an item of a list, or a cell of a table that has a row. */
  openChild(parent: Block): void {
    this.endParagraph();
    const blocks: Block[] = [];
    if (parent.type === "list") parent.items.push(blocks);
    else if (parent.type === "table") parent.rows.at(-1)?.push(blocks);
    this.#frames.push({ blocks, parent });
  }

  /** Closes the innermost quote, item or cell. */
  close(): void {
    this.endParagraph();
    if (this.#frames.length > 1) this.#frames.pop();
  }

  end(): Block[] {
    while (this.#frames.length > 1) this.close();
    this.endParagraph();
    return this.#frame.blocks;
  }
}

const isSameStyle = (one: Span, other: Span) =>
  one.marks === other.marks && one.href === other.href && one.image === undefined && other.image === undefined;

/** Without space at both ends; nothing if nothing is left. */
export function trimSpans(spans: readonly Span[]): Span[] {
  let first = 0;
  let end = spans.length;
  while (first < end && isBlank(spans[first]!)) first++;
  while (end > first && isBlank(spans[end - 1]!)) end--;
  return spans.slice(first, end).map((span, index, kept) => ({
    ...span,
    text: trimEdges(span.text, index === 0, index === kept.length - 1),
  }));
}

const isBlank = ({ text, image }: Span) => image === undefined && text.trim() === "";

const trimEdges = (text: string, atStart: boolean, atEnd: boolean) => {
  const startTrimmed = atStart ? text.trimStart() : text;
  return atEnd ? startTrimmed.trimEnd() : startTrimmed;
};

/** Two line breaks in a row start a new paragraph, since a paragraph cannot contain an empty line. */
function splitParagraphs(spans: readonly Span[]): Span[][] {
  const paragraphs: Span[][] = [[]];
  let isAfterBreak = false;
  for (const span of spans) {
    if (span.image !== undefined) {
      paragraphs.at(-1)!.push(span);
      isAfterBreak = false;
      continue;
    }
    let text = "";
    for (const [index, line] of span.text.split("\n").entries()) {
      const isEmpty = line.trim() === "";
      if (index > 0) {
        if (isAfterBreak) {
          paragraphs.at(-1)!.push({ ...span, text });
          paragraphs.push([]);
          text = "";
        } else text += "\n";
        isAfterBreak = true;
      }
      if (!isEmpty) isAfterBreak = false;
      text += line;
    }
    paragraphs.at(-1)!.push({ ...span, text });
  }
  return paragraphs.map(trimSpans).filter((paragraph) => paragraph.length > 0);
}
