import { describe, expect, test } from "vitest";
import { awkwardTexts } from "../../emulator-kit/data.ts";
import { escapeEntities } from "./escape.ts";
import { markdownToMrkdwn } from "./to-mrkdwn.ts";

const mrkdwn = markdownToMrkdwn;
const lines = (...text: string[]) => text.join("\n");

describe("chat markup", () => {
  test.each([
    ["bold", "**a** __b__", "*a* *b*"],
    ["italic", "*a* _b_", "_a_ _b_"],
    ["strikethrough", "~~a~~", "~a~"],
    ["nested", "**a _b ~~c~~_**", "*a _b ~c~_*"],
    ["bold and italic at once", "***a***", "_*a*_"],
    ["bold in bold", "**a __b__ c**", "*a b c*"],
    ["bold over two lines", "**a\nb**", "*a*\n*b*"],
    ["bold inside a word", "un**believ**able", "un\u200b*believ*\u200bable"],
    ["bold next to punctuation", "(**a**).", "(*a*)."],
    ["underscores inside words", "snake_case_name", "snake_case_name"],
    ["code", "`a * b < c`", "`a * b &lt; c`"],
    ["escaped marks", "\\*a\\* \\<b>", "<!date^00000000^{_}|*>a* &lt;b&gt;"],
    ["an escaped mark that no other could end", "\\*a \\~b \\`c", "*a ~b `c"],
    ["an escaped mark inside a mark", "**a\\* b**", "*a<!date^00000000^{_}|*> b*"],
    ["code with a backtick", "`` a`b ``", "a`b"],
    ["code with a backtick and a sign", "``a ` < b``", "a ` &lt; b"],
    ["entities", "a &amp; b &lt; c &#39;d&#x27;", "a &amp; b &lt; c 'd'"],
    ["an entity named like a member of every object", "&constructor; &toString;", "&amp;constructor; &amp;toString;"],
    ["an invalid entity", "&#0; &#1114112; &nope;", "\ufffd \ufffd &amp;nope;"],
    ["special characters", "a & b < c > d", "a &amp; b &lt; c &gt; d"],
    ["a link", "[text](https://example.com/?a=1&b=2)", "<https://example.com/?a=1&amp;b=2|text>"],
    ["a link with marks in its text", "[a **b**](https://example.com)", "<https://example.com|a b>"],
    ["a bold link", "**[a](https://example.com)**", "*<https://example.com|a>*"],
    ["a bare address", "see https://example.com now", "see <https://example.com> now"],
    ["a mail address", "<me@example.com>", "<mailto:me@example.com>"],
    ["an address that would break out", "[a](<https://example.com/|b\\> c>)", "<https://example.com/%7Cb%3E%20c|a>"],
    ["a javascript: link", "[a](javascript:alert(1))", "a"],
    ["a relative link", "[a](/relative)", "a"],
    ["an image", "![cat](https://example.com/cat.png)", "<https://example.com/cat.png|cat>"],
    ["an image without text", "![](https://example.com/cat.png)", "<https://example.com/cat.png>"],
    ["a heading", "# Big **news** _now_", "*Big news _now_*"],
    ["a heading directly above text", "## Head\ntext", "*Head*\ntext"],
    ["an underlined heading", "Head\n===\n\ntext", "*Head*\n\ntext"],
    ["a line break", "a  \nb<br>c\nd", "a\nb\nc\nd"],
    ["paragraphs", "a\n\n\n\nb", "a\n\nb"],
    ["a horizontal rule", "a\n\n---\n\nb", "a\n\n———\n\nb"],
    ["inline HTML", "<b>a</b>", "&lt;b&gt;a&lt;/b&gt;"],
    ["an HTML block", "<div>\na\n</div>", "&lt;div&gt;\na\n&lt;/div&gt;"],
    ["a comment", "a\n\n<!-- hidden -->\n\nb", "a\n\nb"],
    ["something like a mention", "<@U123> <!channel>", "&lt;@U123&gt; &lt;!channel&gt;"],
    ["a list that starts with 0", "0. a\n1. b", "0. a\n1. b"],
    ["a quote", "> a\n> **b**", "> a\n> *b*"],
    ["a quote in a quote", "> a\n>\n> > b", "> a\n>\n> > b"],
    ["only spaces", "   ", null],
  ])("Markdown becomes chat markup: %s", (_, markdown, expected) => {
    expect(mrkdwn(markdown)).toBe(expected);
  });

  test("numbered lists, nested lists and task lists become chat markup", () => {
    const markdown = lines("3. three", "4. four", "   - a", "     b", "   - [x] done", "   - [ ] **not**", "", "after");
    expect(mrkdwn(markdown)).toBe(
      lines("3. three", "4. four", "    • a", "    b".padStart(9), "    • ☑ done", "    • ☐ *not*", "", "after"),
    );
  });

  test("a list of paragraphs becomes chat markup", () => {
    expect(mrkdwn(lines("- a", "", "  b", "- c"))).toBe(lines("• a", "", "    b", "• c"));
  });

  test("chat markup of a code block keeps its text, which cannot end the block", () => {
    expect(mrkdwn(lines("```ts", "if (a < b && **c**) {", "  x", "}", "```"))).toBe(
      lines("```", "if (a &lt; b &amp;&amp; **c**) {", "  x", "}", "```"),
    );
    expect(mrkdwn(lines("````", "```", "````"))).toBe(lines("```", "`\u200b``", "```"));
  });

  test("chat markup of a table is a code block with aligned columns", () => {
    expect(mrkdwn(lines("| Name | Größe |", "|-|-:|", "| **a** & b | 1 |", "| 👩‍👩‍👧 |"))).toMatch(/^```\nName /);
    expect(mrkdwn(lines("| Name | Größe |", "|-|-:|", "| **a** & b | 1 |", "| c |"))).toBe(
      lines("```", "Name  | Größe", "------|------", "a &amp; b | 1", "c     |", "```"),
    );
  });

  test.each(awkwardTexts.map((text) => [text]))("plain text is unchanged in chat markup: %j", (text) => {
    expect(mrkdwn(text)).toBe(escapeEntities(text));
  });
});

test.each([
  ["quotes in quotes", "> ".repeat(20_000)],
  ["quotes in lists", "- > 1. ".repeat(5000)],
  ["unclosed marks", "_a".repeat(20_000)],
  ["a wide gap", `_a${" ".repeat(39_000)}b`],
])("text that would overload the parser is sent as plain text: %s", (_, text) => {
  expect(mrkdwn(text)).toBe(escapeEntities(text).trimEnd());
});

test("a long horizontal rule and a long list are still parsed as Markdown", () => {
  expect(mrkdwn(`**a**\n\n${"-".repeat(80)}`)).toBe("*a*\n\n———");
  expect(mrkdwn("- **a**\n".repeat(200))).toBe("• *a*\n".repeat(200).trimEnd());
  const numbered = Array.from({ length: 1000 }, (_, index) => `${index + 1}. a line of **text**`);
  expect(mrkdwn(lines(...numbered))).toBe(lines(...numbered).replaceAll("**", "*"));
});
