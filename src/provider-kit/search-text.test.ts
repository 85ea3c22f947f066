import { expect, it } from "vitest";
import { bareWords, quotedWords } from "./search-text.ts";

it.each([
  ["Prüfung der Rechnung", '"Prüfung" "der" "Rechnung"'],
  ['say "hi" is:pr', '"say" "hi" "is:pr"'],
  ["back\\slash \\", '"back" "slash"'],
  ["100% (a*b) - 日本語", '"100%" "(a*b)" "日本語"'],
])("the words of %s cannot end their quotes", (text, quoted) => {
  expect(quotedWords(text)).toBe(quoted);
});

it.each([
  ["Prüfung_der-Rechnung.pdf OR *", "prüfung_der-rechnung.pdf or"],
  [`it's "filetype:docx" -a (b)`, "it s filetype docx a b"],
  ["NOT 日本語 🚀/x", "not 日本語 x"],
])("the words of %s have no other meaning", (text, words) => {
  expect(bareWords(text)).toBe(words);
});
