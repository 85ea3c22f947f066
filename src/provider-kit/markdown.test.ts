import { describe, expect, test } from "vitest";
import { escapeEntities, type Flavor, toHtml, toMrkdwn } from "./markdown.ts";
import { awkwardTexts } from "./sandbox-data.ts";

const flavor: Flavor = { bullet: "•", escape: escapeEntities };
const mrkdwn = (markdown: string) => toMrkdwn(markdown, flavor);
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
    ["escaped marks", "\\*a\\* \\<b>", "*a* &lt;b&gt;"],
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
    ["a quote", "> a\n> **b**", "> a\n> *b*"],
    ["a quote in a quote", "> a\n>\n> > b", "> a\n>\n> > b"],
    ["only spaces", "   ", ""],
  ])("chat markup of %s", (_, markdown, expected) => {
    expect(mrkdwn(markdown)).toBe(expected);
  });

  test("chat markup of numbered lists, nested lists and task lists", () => {
    const markdown = lines("3. three", "4. four", "   - a", "     b", "   - [x] done", "   - [ ] **not**", "", "after");
    expect(mrkdwn(markdown)).toBe(
      lines("3. three", "4. four", "    • a", "    b".padStart(9), "    • ☑ done", "    • ☐ *not*", "", "after"),
    );
  });

  test("chat markup of a list of paragraphs", () => {
    expect(mrkdwn(lines("- a", "", "  b", "- c"))).toBe(lines("• a", "", "    b", "• c"));
  });

  test("a flavor chooses its own bullets and its own way to escape text", () => {
    const shouting: Flavor = { bullet: "-", escape: (text) => text.toUpperCase() };
    expect(toMrkdwn("* a **b** `c`", shouting)).toBe("- A *B* `C`");
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

describe("HTML", () => {
  test.each([
    ["marks", "**a** _b_ ~~c~~ `d<`", "<p><strong>a</strong> <em>b</em> <del>c</del> <code>d&lt;</code></p>"],
    ["line breaks", "a\nb", "<p>a<br>b</p>"],
    [
      "a link",
      "[a **b**](https://example.com/?a&b)",
      '<p><a href="https://example.com/?a&amp;b">a <strong>b</strong></a></p>',
    ],
    ["a javascript: link", "[a](javascript:alert(1))", "<p>a</p>"],
    ["a javascript: link with an entity in it", "[a](javascript&colon;alert(1))", "<p>a</p>"],
    ["a javascript: link with a tab in it", "[a](<java\tscript:alert(1)>)", "<p>a</p>"],
    ["a data: link", "[a](data:text/html,x)", "<p>a</p>"],
    [
      "an address that would break out",
      '[a](<https://example.com/"onx="y>)',
      '<p><a href="https://example.com/&quot;onx=&quot;y">a</a></p>',
    ],
    ["an image", "![cat](https://example.com/cat.png)", '<p><a href="https://example.com/cat.png">cat</a></p>'],
    [
      "an image with HTML in its text",
      "![<b>](https://example.com/)",
      '<p><a href="https://example.com/">&lt;b&gt;</a></p>',
    ],
    ["an HTML block", '<img src=x onerror="alert(1)">', "&lt;img src=x onerror=&quot;alert(1)&quot;&gt;"],
    ["inline HTML", "a <script>x</script>", "<p>a &lt;script&gt;x&lt;/script&gt;</p>"],
    ["a comment", "<!-- hidden -->", ""],
    [
      "a code block language that would break out",
      '```a"><script>\nx\n```',
      '<pre><code class="language-a&quot;&gt;&lt;script&gt;">x\n</code></pre>',
    ],
  ])("HTML of %s", (_, markdown, expected) => {
    expect(toHtml(markdown).trim()).toBe(expected);
  });

  test("HTML of headings, task lists, quotes and tables has no input elements", () => {
    const html = toHtml(lines("# a", "", "- [x] b", "", "> c", "", "| d |", "|-|", "| e |"));
    for (const part of ["<h1>a</h1>", "☑ b", "<blockquote>", "<th>d</th>", "<td>e</td>"]) expect(html).toContain(part);
    expect(html).not.toContain("<input");
  });
});

test.each([
  ["quotes in quotes", "> ".repeat(20_000)],
  ["quotes in lists", "- > 1. ".repeat(5000)],
  ["unclosed marks", "_a".repeat(20_000)],
  ["a wide gap", `**a${" ".repeat(39_000)}b**`],
])("text that would overload the parser is sent as plain text: %s", (_, text) => {
  expect(mrkdwn(text)).toBe(escapeEntities(text));
  expect(toHtml(text)).toContain(escapeEntities(text));
});

test("a long horizontal rule and a long list are still parsed as Markdown", () => {
  expect(mrkdwn(`**a**\n\n${"-".repeat(80)}`)).toBe("*a*\n\n———");
  expect(mrkdwn("- **a**\n".repeat(200))).toBe("• *a*\n".repeat(200).trimEnd());
});
