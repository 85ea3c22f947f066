import type { Block, Span } from "./document.ts";

/** How much longer than its words a text may become. */
const MAX_GROWTH = 10;
/** A short text may become this much longer in any case. */
const MIN_BOUND = 10_000;

/** The characters of a document, and those that are written more than once or for its structure alone. */
class Measure {
  words = 0;
  added = 0;
  #addresses = new Set<string>();

  blocks(blocks: readonly Block[], prefix: number): void {
    for (const block of blocks) this.#block(block, prefix);
  }

  #block(block: Block, prefix: number): void {
    switch (block.type) {
      case "paragraph":
      case "heading":
        this.#spans(block.spans, prefix);
        break;
      case "code":
        this.#text(block.text, prefix);
        break;
      case "quote":
        this.blocks(block.blocks, prefix + 2);
        break;
      case "list": {
        const marker = block.start === null ? 2 : String(block.start + block.items.length).length + 2;
        for (const item of block.items) this.blocks(item, prefix + marker);
        break;
      }
      case "table": {
        const columns = block.rows.reduce((most, cells) => Math.max(most, cells.length), 0);
        for (const cells of block.rows) {
          this.added += 3 * (columns - cells.length);
          for (const cell of cells) this.blocks(cell, prefix);
        }
      }
    }
  }

  #spans(spans: readonly Span[], prefix: number): void {
    this.added += prefix;
    let linked: string | undefined;
    for (const { text, href, image } of spans) {
      this.#text(text, prefix);
      if (href !== linked) this.#address(href);
      this.#address(image);
      linked = href;
    }
  }

  #text(text: string, prefix: number): void {
    this.words += text.length;
    if (prefix > 0) this.added += prefix * (text.split("\n").length - 1);
  }

  #address(address = ""): void {
    if (this.#addresses.has(address)) this.added += address.length;
    else {
      this.#addresses.add(address);
      this.words += address.length;
    }
  }
}

/**
 * The same document, or its words alone if prefixes of short lines in deep quotes and lists, missing cells of wide tables
 * and addresses of links over many paragraphs would be most of the text.
 */
export function boundGrowth(blocks: readonly Block[]): readonly Block[] {
  const measure = new Measure();
  measure.blocks(blocks, 0);
  return measure.added > MAX_GROWTH * measure.words + MIN_BOUND ? blocks.flatMap(wordsOf) : blocks;
}

function wordsOf(block: Block): Block[] {
  switch (block.type) {
    case "paragraph":
    case "heading":
      return [{ type: "paragraph", spans: block.spans.map(({ text }) => ({ text, marks: 0 })) }];
    case "quote":
      return block.blocks.flatMap(wordsOf);
    case "list":
      return block.items.flat().flatMap(wordsOf);
    case "table":
      return block.rows.flat(2).flatMap(wordsOf);
    default:
      return [block];
  }
}
