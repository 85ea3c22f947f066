import { expect, test } from "vitest";
import { awkwardTexts } from "../../emulator-kit/data.ts";
import { plainToMarkdown } from "./plain.ts";
import { markdownToPlain } from "./to-plain.ts";

test.each<[string, string, string | null]>([
  ["marks", "**a** _b_ ~~c~~ `d`", "a b c d"],
  ["paragraphs and line breaks", "a\nb\n\n\nc", "a\nb\n\nc"],
  ["a heading", "# a\nb", "a\n\nb"],
  [
    "links",
    "[a](https://a.example) <https://b.example> <me@a.example> [c](/d) ![e](https://e.example)",
    "a (https://a.example) https://b.example me@a.example c e (https://e.example)",
  ],
  ["lists", "- a\n  1. b\n  2. c\n- [x] d", "- a\n  1. b\n  2. c\n- ☑ d"],
  ["a list that starts with 0", "0. a\n1. b", "0. a\n1. b"],
  ["a quote", "> a\n>\n> b", "> a\n>\n> b"],
  ["a code block", "```ts\na\n  b\n```", "a\n  b"],
  ["a table", "| A | B |\n|-|-|\n| 1 | **2** |", "A | B\n1 | 2"],
  ["HTML", "a<br>b <b>c</b>\n\n<!-- d -->", "a\nb <b>c</b>"],
  ["entities and escapes", "&copy; \\*a\\*", "© *a*"],
  ["a rule", "a\n\n---\n\nb", "a\n\n———\n\nb"],
  ["nothing", " \n", null],
])("Markdown becomes plain text: %s", (_, markdown, expected) => {
  expect(markdownToPlain(markdown)).toBe(expected);
});

test.each(awkwardTexts.map((text) => [text]))("plain text is unchanged by way of Markdown: %j", (text) => {
  expect(markdownToPlain(plainToMarkdown(text))).toBe(text.trim() || null);
});
