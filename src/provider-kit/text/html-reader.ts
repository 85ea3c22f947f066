import { defined } from "../optional.ts";
import { type Block, DocumentBuilder } from "./document.ts";
import {
  type Attributes,
  EMOJI_ONLY,
  firstNumber,
  HIDDEN,
  INLINE,
  INVISIBLE,
  isHidden,
  isPixel,
  languageOf,
  MARKS,
  mentionedUser,
} from "./html-elements.ts";
import { TableCells } from "./table-cells.ts";
import { isWordMarker, WordLists, wordListLevel } from "./word-lists.ts";

export interface HtmlOptions {
  /** The name of a mentioned user whose element has no text. */
  mentions?(id: string): string | undefined;
  /** Whether line ends count, as in Asana's documents, which are recognized by their `<body>`. */
  keepsLineEnds?: boolean;
}

/** Reads the events of the parser, which closes every element that it opens. */
export class HtmlReader {
  #document = new DocumentBuilder();
  #options: HtmlOptions;
  /** What to do at the end of each open element. */
  #closers: (() => void)[] = [];
  #marks = new Map<number, number>();
  #hidden = 0;
  #preformatted: { text: string; language: string } | null = null;
  #links: (string | undefined)[] = [];
  #lists: Extract<Block, { type: "list" }>[] = [];
  #tables = new TableCells(this.#document);
  #wordLists = new WordLists();
  #isInMarker = false;
  #marker = "";
  #keepsLineEnds: boolean;

  constructor(options: HtmlOptions) {
    this.#options = options;
    this.#keepsLineEnds = options.keepsLineEnds ?? false;
  }

  end(): Block[] {
    return this.#document.end();
  }

  close(): void {
    this.#closers.pop()?.();
  }

  text(text: string): void {
    if (this.#isInMarker) this.#marker += text;
    if (this.#hidden > 0) return;
    const normalized = text.replace(/\r\n?/g, "\n").replace(INVISIBLE, "");
    if (this.#preformatted) this.#preformatted.text += normalized;
    else if (this.#keepsLineEnds) this.#add(normalized.replaceAll("\u00a0", " "));
    else {
      const collapsed = normalized.replace(/[ \t\n\f\u00a0]+/g, " ");
      const last = this.#document.lastCharacter;
      this.#add(last === " " || last === "\n" ? collapsed.trimStart() : collapsed);
    }
  }

  #add(text: string): void {
    let marks = 0;
    for (const [mark, count] of this.#marks) if (count > 0) marks |= mark;
    const href = this.#links.at(-1);
    this.#document.add(href === undefined ? { text, marks } : { text, marks, href });
  }

  open(name: string, attributes: Attributes): void {
    this.#closers.push(this.#hidden > 0 ? () => {} : this.#enter(name, attributes));
  }

  /** Starts an element, and returns what to do at its end. */
  #enter(name: string, attributes: Attributes): () => void {
    if (HIDDEN.has(name) || isHidden(attributes)) {
      this.#hidden++;
      return () => this.#hidden--;
    }
    if (isWordMarker(attributes)) {
      this.#hidden++;
      this.#isInMarker = true;
      return () => {
        this.#hidden--;
        this.#isInMarker = false;
      };
    }
    if (this.#preformatted) return this.#enterInCode(name, attributes);
    const mark = MARKS.get(name);
    if (mark !== undefined) return this.#mark(mark);
    if (INLINE.has(name)) return this.#enterInline(name, attributes);
    return this.#enterBlock(name, attributes);
  }

  #enterInCode(name: string, attributes: Attributes): () => void {
    const code = this.#preformatted!;
    if (name === "br") code.text += "\n";
    if (name === "code" && code.language === "") code.language = languageOf(attributes);
    return () => {};
  }

  #mark(mark: number): () => void {
    this.#marks.set(mark, (this.#marks.get(mark) ?? 0) + 1);
    return () => this.#marks.set(mark, this.#marks.get(mark)! - 1);
  }

  #enterInline(name: string, attributes: Attributes): () => void {
    switch (name) {
      case "a":
        return this.#enterLink(attributes);
      case "at":
        return this.#enterMention(attributes.id);
      case "emoji":
        this.#add(attributes.alt ?? "");
        return () => {};
      case "customemoji":
        // Unlike the others, it has only a name.
        if (attributes.alt) this.#add(`:${attributes.alt}:`);
        return () => {};
      case "img":
        this.#image(attributes);
        return () => {};
      case "input":
        if (attributes.type === "checkbox") this.#add("checked" in attributes ? "☑ " : "☐ ");
        return () => {};
      default:
        return () => {};
    }
  }

  #enterLink(attributes: Attributes): () => void {
    const user = mentionedUser(attributes);
    if (user !== undefined) return this.#enterMention(user);
    this.#links.push(attributes.href?.trim());
    return () => this.#links.pop();
  }

  #isInMention = false;

  /** A mention has the name as its text, with or without the sign. */
  #enterMention(id: string | undefined): () => void {
    const outer = this.#document;
    if (this.#isInMention) return () => {};
    this.#isInMention = true;
    const name = new DocumentBuilder();
    this.#document = name;
    this.#links.push(undefined);
    return () => {
      this.#isInMention = false;
      this.#links.pop();
      this.#document = outer;
      const text = name
        .end()
        .flatMap((block) => ("spans" in block ? block.spans : []))
        .map((span) => span.text)
        .join(" ");
      const known = text || (id === undefined ? undefined : (this.#options.mentions?.(id) ?? id));
      if (known) this.#add(known.startsWith("@") ? known : `@${known}`);
    };
  }

  #image(attributes: Attributes): void {
    if (isPixel(attributes)) return;
    const { alt = "", src = "" } = attributes;
    const text = alt.replace(/\s+/g, " ").trim();
    const href = this.#links.at(-1);
    if (!/^https?:/i.test(src) || EMOJI_ONLY.test(text)) this.#add(text);
    else this.#document.add({ text, marks: 0, image: src.trim(), ...defined({ href }) });
  }

  #enterBlock(name: string, attributes: Attributes): () => void {
    const document = this.#document;
    if (name === "br") {
      this.#add("\n");
      return () => {};
    }
    document.endParagraph();
    switch (name) {
      case "hr":
        document.addBlock({ type: "rule" });
        return () => {};
      case "h1":
      case "h2":
      case "h3":
      case "h4":
      case "h5":
      case "h6":
        return () => document.endParagraph(Number(name[1]));
      case "pre":
      case "codeblock":
        // Mozilla's clients have signatures and quotes of plain text in such elements.
        if (/(?:^|\s)moz-/.test(attributes.class ?? "")) return this.#enterLines();
        return this.#enterCodeBlock(languageOf(attributes, name));
      case "blockquote":
        if (document.isDeepest) return () => document.endParagraph();
        document.openQuote();
        return () => document.close();
      case "ul":
      case "ol":
        return this.#enterList(name === "ol" ? firstNumber(attributes) : null);
      case "li":
        return this.#enterItem();
      case "table":
        return this.#tables.openTable();
      case "tr":
        this.#tables.startRow();
        return () => document.endParagraph();
      case "td":
      case "th":
        return this.#tables.openCell(attributes.colspan, attributes.rowspan);
      default: {
        const level = wordListLevel(attributes);
        return level === undefined || document.isDeepest ? () => document.endParagraph() : this.#enterWordItem(level);
      }
    }
  }

  #enterCodeBlock(language: string): () => void {
    const code = { text: "", language };
    this.#preformatted = code;
    return () => {
      this.#preformatted = null;
      const text = code.text.replace(/^\n/, "").trimEnd();
      if (text.trim() !== "") this.#document.addBlock({ type: "code", text, language: code.language });
    };
  }

  #enterList(start: number | null): () => void {
    const document = this.#document;
    if (document.isDeepest) return () => document.endParagraph();
    const list: Extract<Block, { type: "list" }> = { type: "list", start, items: [] };
    // A list directly inside a list belongs to the item before it.
    const outer = this.#lists.at(-1);
    const lastItem = this.#isInItem ? undefined : outer?.items.at(-1);
    if (lastItem) lastItem.push(list);
    else document.addBlock(list);
    this.#lists.push(list);
    const wasInItem = this.#isInItem;
    this.#isInItem = false;
    return () => {
      document.endParagraph();
      this.#lists.pop();
      this.#isInItem = wasInItem;
    };
  }

  #isInItem = false;

  #enterItem(): () => void {
    const document = this.#document;
    const list = this.#lists.at(-1);
    if (!list || document.isDeepest) return () => document.endParagraph();
    document.openChild(list);
    const wasInItem = this.#isInItem;
    this.#isInItem = true;
    return () => {
      document.close();
      this.#isInItem = wasInItem;
    };
  }

  #enterWordItem(level: number): () => void {
    const end = this.#wordLists.openItem(this.#document, level);
    this.#marker = "";
    return () => end(this.#marker);
  }

  /** Text whose line ends count. */
  #enterLines(): () => void {
    const before = this.#keepsLineEnds;
    this.#keepsLineEnds = true;
    return () => {
      this.#keepsLineEnds = before;
      this.#document.endParagraph();
    };
  }
}
