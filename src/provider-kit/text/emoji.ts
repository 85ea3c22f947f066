import { readFileSync } from "node:fs";
import { join } from "node:path";
import { characterBefore, isWord } from "./characters.ts";
import { outsideCode } from "./outside-code.ts";

let characters: Map<string, string> | undefined;

/** Read at the first use: most processes never meet a name. The file is written by `npm run gen`. */
function load(): Map<string, string> {
  const loaded = new Map<string, string>();
  for (const line of readFileSync(join(import.meta.dirname, "emoji-names.txt"), "utf8").split("\n")) {
    const [character = "", ...names] = line.split(" ");
    for (const name of names) loaded.set(name, character);
  }
  return loaded;
}

const NAME = /:([a-z\d_+'&.-]{1,80}):(?::skin-tone-([2-6]):)?/iy;
const SKIN_TONES = ["🏻", "🏼", "🏽", "🏾", "🏿"];

/** The character of an emoji by its name without colons; undefined for a name that is not in Unicode. */
export function emojiOf(name: string, skinTone?: string): string | undefined {
  characters ??= load();
  const character = characters.get(name.toLowerCase());
  if (character === undefined || !skinTone) return character;
  // The first of joined characters is the person.
  const [first = "", ...rest] = character;
  if (rest[0] === "\ufe0f") rest.shift();
  return first + SKIN_TONES[Number(skinTone) - 2] + rest.join("");
}

/** The character with these code points, as in `1f44d-1f3fb`. */
export const emojiWithCode = (code: string): string | undefined =>
  /^[\da-f]{2,5}(?:-[\da-f]{2,5}){0,9}$/i.test(code)
    ? String.fromCodePoint(...code.split("-").map((point) => Number.parseInt(point, 16)))
    : undefined;

/** The emoji whose name starts with the colon at an index. A short one inside a word, as in `a:b:c`, is none. */
export function emojiAt(text: string, index: number): { character: string; length: number } | undefined {
  NAME.lastIndex = index;
  const found = NAME.exec(text);
  if (!found || (found[1]!.length < 3 && isWord(characterBefore(text, index)))) return undefined;
  const character = emojiOf(found[1]!, found[2]);
  return character === undefined ? undefined : { character, length: found[0].length };
}

/** Replaces the names in text that has no code. */
export function replaceNames(text: string): string {
  let replaced = "";
  let position = 0;
  for (let colon = text.indexOf(":"); colon >= 0; ) {
    const emoji = emojiAt(text, colon);
    if (emoji) {
      replaced += text.slice(position, colon) + emoji.character;
      position = colon + emoji.length;
    }
    // The colon at the end of what is no name may be the start of the next one.
    colon = text.indexOf(":", emoji ? position : colon + 1);
  }
  return replaced + text.slice(position);
}

/** Replaces names such as `:tada:` in Markdown with their characters, except in code. */
export const replaceEmojiNames = (text: string): string =>
  text.includes(":") ? outsideCode(text, replaceNames) : text;
