const WORD = /[\p{L}\p{N}]/u;
const EDGE = /[\s\p{P}\p{S}]/u;

/** A letter or digit. */
export const isWord = (character: string): boolean => WORD.test(character);

export const isSpace = (character: string): boolean => character.trim() === "";

/** Space, punctuation, or the start or end of the text: what may be next to a mark on its outside. */
export const isEdge = (character: string): boolean => character === "" || EDGE.test(character);

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit < 0xdc00;
const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit < 0xe000;

/** The character before a position, which may consist of two code units; an empty string at the start. */
export function characterBefore(text: string, position: number): string {
  if (position <= 0) return "";
  const isPair =
    position > 1 && isLowSurrogate(text.charCodeAt(position - 1)) && isHighSurrogate(text.charCodeAt(position - 2));
  return text.slice(position - (isPair ? 2 : 1), position);
}

/** The character at a position; an empty string at the end. */
export function characterAt(text: string, position: number): string {
  const point = text.codePointAt(position);
  return point === undefined ? "" : String.fromCodePoint(point);
}

/** How many code units at the start of a text pass a test. */
export function countStart(text: string, test: (character: string) => boolean): number {
  let count = 0;
  while (count < text.length && test(characterAt(text, count))) count += characterAt(text, count).length;
  return count;
}

/** How many code units at the end of a text pass a test. A regular expression would try each position in turn. */
export function countEnd(text: string, test: (character: string) => boolean): number {
  let end = text.length;
  while (end > 0 && test(characterBefore(text, end))) end -= characterBefore(text, end).length;
  return text.length - end;
}
