import { expect, test } from "vitest";
import { taggedMarkdownToMarkdown } from "./from-tagged-markdown.ts";

const mentions = (id: string) => ({ "1": "jane_", "2": "general" })[id];

test.each<[string, string | null | undefined, string | null]>([
  ["Markdown", "**a** *b* [c](https://a.example) ~~d~~\n- e", "**a** *b* [c](https://a.example) ~~d~~\n- e"],
  ["mentions", "<@1> <@!1> <@&3> <#2> <#4>", "@jane\\_ @jane\\_ @3 #general #4"],
  ["emoji of the server", "<:pepe:99> <a:dance:99>", ":pepe: :dance:"],
  [
    "dates",
    "<t:1700000000> <t:1700000000:R> <t:99999999999999>",
    "2023-11-14T22:13:20.000Z 2023-11-14T22:13:20.000Z <t:99999999999999>",
  ],
  ["a command", "use </help:99>", "use /help"],
  ["a spoiler", "a ||b|| c", "a b c"],
  [
    "a spoiler with code and a spoiler with an address",
    "||a `b||` c|| ||https://a.example/b||",
    "a `b||` c https://a.example/b",
  ],
  ["a spoiler mark alone", "if (a || b) {}", "if (a || b) {}"],
  ["spoiler marks around nothing", "a |||| b", "a |||| b"],
  ["an address with spoiler marks", "https://a.example/?b||c||d ||e||", "https://a.example/?b||c||d e"],
  ["a quote", "> are *you*\n> coming?\nno\n> `a` b\n`c`\n\n> d", "> are *you*\n> coming?\n\nno\n> `a` b\n\n`c`\n\n> d"],
  ["a quote up to the end", ">>> a\nb", ">>> a  \nb"],
  ["what only looks like a quote", ">_< ouch\n>\n >>a\n>>>b", "\\>_< ouch  \n\\>  \n \\>>a  \n\\>>>b"],
  ["what looks like a quote in code", "```\n> a\nb\n>c\n```", "```\n> a\nb\n>c\n```"],
  ["small print", "a\n-# b", "a  \nb"],
  ["HTML, which is text", "<b>a</b> <!-- b --> a < b", "\\<b>a\\</b> \\<!-- b --> a < b"],
  ["an address without preview", "<https://a.example/b>", "<https://a.example/b>"],
  ["code", "`<@1> ||a||` ```\n<@1>\n``` ``a`<@1>``", "`<@1> ||a||` ```\n<@1>\n``` ``a`<@1>``"],
  ["a backtick alone", "` <@1>", "` @jane\\_"],
  ["an escaped mention", "\\<@1>", "\\<@1>"],
  ["line ends", "a\r\nb\n\nc\n`d`\n```\ne\nf\n```\ng", "a  \nb\n\nc  \n`d`\n```\ne\nf\n```\ng"],
  ["only an attachment", "", null],
  ["undefined", undefined, null],
])("Discord's text with %s becomes Markdown", (_, text, expected) => {
  expect(taggedMarkdownToMarkdown(text, { mentions })).toBe(expected);
});

test("ids stay if no names are known", () => {
  expect(taggedMarkdownToMarkdown("<@1> <#2>")).toBe("@1 #2");
});
