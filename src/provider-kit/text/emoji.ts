import { characterBefore, isWord } from "./characters.ts";
import { emojiNames } from "./emoji-names.gen.ts";
import { outsideCode } from "./outside-code.ts";

let characters: Map<string, string> | undefined;

/** Read at the first use: most processes never meet a name. */
function load(): Map<string, string> {
  const loaded = new Map<string, string>();
  for (const line of emojiNames.split("\n")) {
    const [character = "", ...names] = line.split(" ");
    for (const name of names) loaded.set(name, character);
  }
  return loaded;
}

const NAME = /:([a-z\d_+'&.-]{1,80}):(?::skin-tone-([2-6]):)?/gi;
const SKIN_TONES = ["🏻", "🏼", "🏽", "🏾", "🏿"];

/** The character of an emoji by its name without colons; undefined for a name that is not in Unicode. */
export function emojiOf(name: string, skinTone?: string): string | undefined {
  characters ??= load();
  const character = characters.get(name.toLowerCase());
  if (character === undefined || !skinTone) return character;
  return character.replace("\ufe0f", "") + SKIN_TONES[Number(skinTone) - 2];
}

/** Replaces the names in text that has no code. A short one inside a word, as in `a:b:c`, is none. */
export const replaceNames = (text: string): string => {
  let replaced = "";
  let position = 0;
  NAME.lastIndex = 0;
  for (let found = NAME.exec(text); found; found = NAME.exec(text)) {
    const isInWord = found[1]!.length < 3 && isWord(characterBefore(text, found.index));
    const character = isInWord ? undefined : emojiOf(found[1]!, found[2]);
    if (character === undefined) {
      // The colon at its end may be the start of the next name.
      NAME.lastIndex = found.index + found[1]!.length + 1;
      continue;
    }
    replaced += text.slice(position, found.index) + character;
    position = NAME.lastIndex;
  }
  return replaced + text.slice(position);
};

/** Replaces names such as `:tada:` in Markdown with their characters, except in code. */
export const replaceEmojiNames = (text: string): string =>
  text.includes(":") ? outsideCode(text, replaceNames) : text;
