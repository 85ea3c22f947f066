import type { Block, DocumentBuilder } from "./document.ts";
import type { Attributes } from "./html-elements.ts";

type List = Extract<Block, { type: "list" }>;

/** Word has nine levels. */
const LEVEL = /(?:^|;)\s*mso-list\s*:\s*l\d+ level([1-9])(?!\d)/i;

/** The level of the list whose item a paragraph of Word or Outlook is; undefined if it is none. */
export const wordListLevel = ({ style = "" }: Attributes): number | undefined => {
  const found = LEVEL.exec(style);
  return found ? Number(found[1]) : undefined;
};

/** Whether an element has the bullet or number of an item, which is text in Word. */
export const isWordMarker = ({ style = "" }: Attributes): boolean => /(?:^|;)\s*mso-list\s*:\s*ignore/i.test(style);

/** Word writes the items of a list as paragraphs that follow one another. */
export class WordLists {
  /** The lists that the last item is in, from the outermost one. */
  #open: { list: List; level: number }[] = [];

  /** Opens an item. Returns what to do with the text of its marker at its end. */
  openItem(document: DocumentBuilder, level: number): (marker: string) => void {
    document.endParagraph();
    if (document.lastBlock !== this.#open[0]?.list) this.#open = [];
    while (this.#open.length > 1 && this.#open.at(-1)!.level > level) this.#open.pop();
    const outer = this.#open.at(-1);
    let list = outer?.list;
    if (!outer || outer.level < level) {
      list = { type: "list", start: null, items: [] };
      if (outer) outer.list.items.at(-1)!.push(list);
      else document.addBlock(list);
      this.#open.push({ list, level });
    }
    const isFirst = list!.items.length === 0;
    document.openChild(list!);
    return (marker) => {
      document.close();
      const number = /^\s*\(?(?:(\d{1,9})|[a-z]{1,4})[.)]/i.exec(marker);
      if (isFirst && number) list!.start = Number(number[1] ?? 1);
    };
  }
}
