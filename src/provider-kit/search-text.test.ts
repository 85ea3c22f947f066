import { expect, it } from "vitest";
import { quotedWords } from "./search-text.ts";

it.each([
  ["Prüfung der Rechnung", '"Prüfung" "der" "Rechnung"'],
  ['say "hi" is:pr', '"say" "hi" "is:pr"'],
  ["back\\slash \\", '"back" "slash"'],
  ["100% (a*b) - 日本語", '"100%" "(a*b)" "日本語"'],
])("the words of %s cannot end their quotes", (text, quoted) => {
  expect(quotedWords(text)).toBe(quoted);
});
