import { readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "..", "node_modules", "emojibase-data", "en");
const read = (file: string) => JSON.parse(readFileSync(join(folder, file), "utf8"));

/** Names of Slack and Mattermost first, since they also use a few of the others' names for another emoji. */
const SETS = ["iamcal", "github", "joypixels"];

/** Asks for a colored picture, of a character that is one anyway. */
const UNNEEDED = /^(\p{Emoji_Presentation})\ufe0f$/u;

/** The data file of `replaceEmojiNames`: a line per emoji, with the character and its names. */
export function emojiNames(): string {
  const names = new Map<string, string[]>();
  const taken = new Set<string>();
  for (const set of SETS) {
    const byCode: Record<string, string | string[]> = read(`shortcodes/${set}.json`);
    for (const [code, found] of Object.entries(byCode)) {
      const free = [found].flat().filter((name) => !taken.has(name) && !/_tone\d/.test(name));
      for (const name of free) taken.add(name);
      names.set(code, [...(names.get(code) ?? []), ...free]);
    }
  }
  const characters: { hexcode: string; unicode: string }[] = read("compact.json");
  const lines = characters
    .filter(({ hexcode }) => names.get(hexcode)?.length)
    .map(({ hexcode, unicode }) => [unicode.replace(UNNEEDED, "$1"), ...names.get(hexcode)!].join(" "));
  return `${lines.join("\n")}\n`;
}
