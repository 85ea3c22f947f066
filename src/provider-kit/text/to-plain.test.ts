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
  [
    "a definition that is used",
    "see [a b][c] and [C]\n\n[c]: https://c.example",
    "see a b (https://c.example) and C (https://c.example)",
  ],
  ["an unused definition", "a\n\n[Docs]: https://c.example\n\nb", "a\n\n[Docs]: https://c.example\n\nb"],
  ["an unused definition in a list and a quote", "- [A]: b\n  c\n\n> [D]: e", "- [A]: b\n  c\n\n> [D]: e"],
  [
    "an unused definition above one that is used",
    "[a]: https://a.example\n[b]: https://b.example\n\n[b]",
    "[a]: https://a.example\n\nb (https://b.example)",
  ],
  [
    "a second definition of a label",
    "[a]\n\n[a]: https://a.example\n[a]: https://b.example",
    "a (https://a.example)\n\n[a]: https://b.example",
  ],
  [
    "a definition without a web address",
    "[ERROR]: timeout\nand more\n\n[ERROR]",
    "[ERROR]: timeout\nand more\n\n[ERROR]",
  ],
  ["a footnote", "[^1]: footnote\n\ntext[^1]", "[^1]: footnote\n\ntext[^1]"],
  ["nothing", " \n", null],
])("Markdown becomes plain text: %s", (_, markdown, expected) => {
  expect(markdownToPlain(markdown)).toBe(expected);
});

test.each(awkwardTexts.map((text) => [text]))("plain text is unchanged by way of Markdown: %j", (text) => {
  expect(markdownToPlain(plainToMarkdown(text))).toBe(text.trim() || null);
});
