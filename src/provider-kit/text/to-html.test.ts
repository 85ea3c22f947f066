import { describe, expect, test } from "vitest";
import { escapeEntities } from "./escape.ts";
import { markdownToHtml } from "./to-html.ts";

const lines = (...text: string[]) => text.join("\n");

describe("HTML", () => {
  test.each([
    ["marks", "**a** _b_ ~~c~~ `d<`", "<p><strong>a</strong> <em>b</em> <del>c</del> <code>d&lt;</code></p>"],
    ["line breaks", "a\nb", "<p>a<br>b</p>"],
    ["line breaks as HTML", "a<br>b<br/>c", "<p>a<br>b<br>c</p>"],
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
    ["an unused definition", "[a]: b\n**c**", "<p>[a]: b<br><strong>c</strong></p>"],
    ["an image", "![cat](https://example.com/cat.png)", '<p><a href="https://example.com/cat.png">cat</a></p>'],
    [
      "an image with HTML in its text",
      "![<b>](https://example.com/)",
      '<p><a href="https://example.com/">&lt;b&gt;</a></p>',
    ],
    ["an HTML block", '<img src=x onerror="alert(1)">', "&lt;img src=x onerror=&quot;alert(1)&quot;&gt;"],
    ["inline HTML", "a <script>x</script>", "<p>a &lt;script&gt;x&lt;/script&gt;</p>"],
    ["a comment", "<!-- hidden -->", null],
    [
      "a code block language that would break out",
      '```a"><script>\nx\n```',
      '<pre><code class="language-a&quot;&gt;&lt;script&gt;">x\n</code></pre>',
    ],
  ])("Markdown becomes HTML: %s", (_, markdown, expected) => {
    expect(markdownToHtml(markdown)?.trim() ?? null).toBe(expected);
  });

  test("HTML of headings, task lists, quotes and tables has no input elements", () => {
    const html = markdownToHtml(lines("# a", "", "- [x] b", "", "> c", "", "| d |", "|-|", "| e |"));
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
  expect(markdownToHtml(text)).toContain(escapeEntities(text).trimEnd());
});
