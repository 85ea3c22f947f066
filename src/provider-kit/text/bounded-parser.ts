import { Parser } from "htmlparser2";

/** Elements are not nested deeper than this: their content then belongs to the element around them. */
const MAX_ELEMENTS = 250;

/** The parser's work per tag grows with the number of open elements, so that number is bounded. */
export class BoundedParser extends Parser {
  openElements = 0;
  #isOpening = false;
  #isClosing = false;
  #isFlattened = false;

  override onopentagname(start: number, end: number): void {
    this.#isOpening = true;
    super.onopentagname(start, end);
    this.#isOpening = false;
  }

  override onclosetag(start: number, end: number): void {
    this.#isClosing = true;
    super.onclosetag(start, end);
    this.#isClosing = false;
  }

  protected override isVoidElement(name: string): boolean {
    if (this.#isOpening) this.#isFlattened = this.openElements >= MAX_ELEMENTS;
    return super.isVoidElement(name) || (this.#isFlattened && !this.#isClosing);
  }
}
