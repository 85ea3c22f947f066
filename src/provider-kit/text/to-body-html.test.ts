import { Parser } from "htmlparser2";
import { expect, test } from "vitest";
import { awkwardTexts } from "../../emulator-kit/data.ts";
import { markdownToBodyHtml } from "./to-body-html.ts";

const lines = (...text: string[]) => text.join("\n");

/** The elements of a document, each with its parent. Fails if the document is no XML. */
function elementsOf(xml: string): [element: string, parent: string][] {
  const found: [string, string][] = [];
  const open: string[] = [];
  const parser = new Parser(
    {
      onopentag(name) {
        found.push([name, open.at(-1) ?? ""]);
        open.push(name);
      },
      onclosetag(name, isImplied) {
        expect(isImplied, `${name} is not closed`).toBe(false);
        open.pop();
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return found;
}

test.each<[string, string, string]>([
  ["bold in bold", "# a **b** _c_", "<strong>a b <em>c</em></strong>"],
  ["marks", "**a** _b_ ~~c~~ `d<`", "<strong>a</strong> <em>b</em> <s>c</s> <code>d&lt;</code>"],
  ["paragraphs and line breaks", "a\nb\n\nc", "a\nb\n\nc"],
  ["a heading", "# a\n\nb", "<strong>a</strong>\n\nb"],
  ["a link", "[a **b**](https://a.example/?b&c)", '<a href="https://a.example/?b&amp;c">a b</a>'],
  ["a link to a script", "[a](javascript:alert(1))", "a"],
  ["an image", '![a "b"](https://a.example/b.png)', '<a href="https://a.example/b.png">a &quot;b&quot;</a>'],
  ["lists", "- a\n  1. b\n- c\n\nd", "<ul><li>a<ol><li>b</li></ol></li><li>c</li></ul>d"],
  ["tasks", "- [x] a\n- [ ] b", "<ul><li>☑ a</li><li>☐ b</li></ul>"],
  ["a code block", "a\n\n```\nb < c\n```\n\nd", "a\n<pre>b &lt; c</pre>d"],
  ["a quote", "> a\n> - b", "<blockquote>a\n• b</blockquote>"],
  ["a list that starts with 0 in a quote", "> 0. a\n> 1. b", "<blockquote>0. a\n1. b</blockquote>"],
  ["a list that starts with 7", "a\n\n7. b **c**\n8. d\n   - e\n\nf", "a\n\n7. b <strong>c</strong>\n8. d\n• e\n\nf"],
  ["a list that starts with 7 in an item", "- a\n\n  7. b\n  8. c", "<ul><li>a\n7. b\n8. c</li></ul>"],
  [
    "blocks in an item",
    "- # a\n\n  > b\n\n  ```\n  c\n  ```",
    "<ul><li><strong>a</strong>\nb\n<code>c</code></li></ul>",
  ],
  ["a table", lines("| A | **B** |", "|-|-|", "| 1 | 2 |"), "<pre>A | B\n1 | 2</pre>"],
  ["HTML and entities", "<b>a</b> &copy; &lt;", "&lt;b&gt;a&lt;/b&gt; © &lt;"],
  ["control characters", "a\u0000\u0008b\ud800", "ab\ufffd"],
])("Markdown becomes Asana's rich text: %s", (_, markdown, expected) => {
  expect(markdownToBodyHtml(markdown)).toBe(`<body>${expected}</body>`);
});

test.each([null, undefined, "", "  \n", "<!-- a -->"])("nothing to show is null: %j", (markdown) => {
  expect(markdownToBodyHtml(markdown)).toBeNull();
});

test.each([
  "- > a\n  > - b\n- ```\n  c\n  ```\n- | d |\n  |-|",
  "> # a\n>\n> 1. b\n>    > c\n>\n> ```\n> d\n> ```",
  "# - a\n\n**b\n\nc**",
  ...awkwardTexts,
])("only what Asana accepts is written, where it accepts it: %j", (markdown) => {
  const allowed = ["body", "strong", "em", "u", "s", "code", "a", "ul", "ol", "li", "blockquote", "pre"];
  for (const [element, parent] of elementsOf(markdownToBodyHtml(markdown) ?? "")) {
    expect(allowed).toContain(element);
    if (["blockquote", "pre"].includes(element)) expect(parent).toBe("body");
    if (element === "li") expect(["ul", "ol"]).toContain(parent);
    if (["ul", "ol"].includes(element)) expect(["body", "li"]).toContain(parent);
  }
});
