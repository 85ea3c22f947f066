import { describe, expect, test } from "vitest";
import { adfToMarkdown } from "./from-adf.ts";

const text = (value: string, ...marks: (string | { type: string; attrs: object })[]) => ({
  type: "text",
  text: value,
  marks: marks.map((mark) => (typeof mark === "string" ? { type: mark } : mark)),
});
const link = (href: string) => ({ type: "link", attrs: { href } });
const node = (type: string, ...content: unknown[]) => ({ type, content });
const withAttrs = (type: string, attrs: object, ...content: unknown[]) => ({ type, attrs, content });
const p = (...content: unknown[]) => node("paragraph", ...content);
const li = (...content: unknown[]) => node("listItem", ...content);
const doc = (...content: unknown[]) => ({ version: 1, type: "doc", content });
const lines = (...all: string[]) => all.join("\n");

describe("Atlassian documents to Markdown", () => {
  test.each<[string, unknown, string | null]>([
    ["paragraphs", doc(p(text("a")), p(text("b"))), "a\n\nb"],
    [
      "marks",
      doc(
        p(
          text("a", "strong"),
          text(" "),
          text("b", "em"),
          text(" "),
          text("c", "strike"),
          text(" "),
          text("d", "code"),
          text(" "),
          text("e", "underline"),
        ),
      ),
      "**a** _b_ ~~c~~ `d` e",
    ],
    ["marks that overlap", doc(p(text("a ", "strong"), text("b", "strong", "em"))), "**a _b_**"],
    ["a link", doc(p(text("a", link("https://a.example/?a=1&b=2")))), "[a](https://a.example/?a=1&b=2)"],
    ["a link without an address", doc(p(text("Foo", link("")))), "Foo"],
    ["linked code", doc(p(text("foo()", "code", link("https://a.example")))), "[`foo()`](https://a.example)"],
    [
      "an address as its own text",
      doc(p(text("https://a.example/b", link("https://a.example/b")))),
      "<https://a.example/b>",
    ],
    [
      "headings",
      doc(withAttrs("heading", { level: 2 }, text("a")), withAttrs("heading", {}, text("b"))),
      "## a\n\n# b",
    ],
    ["a line break", doc(p(text("a"), { type: "hardBreak" }, text("b"))), "a  \nb"],
    [
      "a code block",
      doc(withAttrs("codeBlock", { language: "ts" }, text("a < b\n"), text("  c"))),
      "```ts\na < b\n  c\n```",
    ],
    ["a quote and a panel", doc(node("blockquote", p(text("a"))), node("panel", p(text("b")))), "> a\n\n> b"],
    ["a rule", doc(p(text("a")), { type: "rule" }, p(text("b"))), "a\n\n---\n\nb"],
    [
      "nested lists",
      doc(
        node(
          "bulletList",
          li(p(text("a")), withAttrs("orderedList", { order: 3 }, li(p(text("b"))), li(p(text("c"))))),
          li(p(text("d"))),
        ),
      ),
      "- a\n\n  3. b\n  4. c\n\n- d",
    ],
    [
      "tasks",
      doc(
        node(
          "taskList",
          withAttrs("taskItem", { state: "DONE" }, text("a")),
          withAttrs("taskItem", { state: "TODO" }, text("b")),
          node("taskList", withAttrs("taskItem", { state: "TODO" }, text("c"))),
        ),
      ),
      "- [x] a\n- [ ] b\n  - [ ] c",
    ],
    ["decisions", doc(node("decisionList", node("decisionItem", text("a")))), "- a"],
    [
      "a table",
      doc(
        node(
          "table",
          node("tableRow", node("tableHeader", p(text("A"))), node("tableHeader", p(text("B")))),
          node("tableRow", node("tableCell", p(text("1"))), node("tableCell", p(text("2")), p(text("3")))),
        ),
      ),
      lines("| A | B |", "| --- | --- |", "| 1 | 2 3 |"),
    ],
    [
      "a mention",
      doc(
        p(
          withAttrs("mention", { id: "1", text: "@Jane" }),
          text(" "),
          withAttrs("mention", { id: "2", text: "Joe" }),
          text(" "),
          withAttrs("mention", { id: "3" }),
        ),
      ),
      "@Jane @Joe @3",
    ],
    [
      "an emoji, a date and a status",
      doc(
        p(
          withAttrs("emoji", { shortName: ":smile:", text: "😄" }),
          withAttrs("emoji", { shortName: ":custom:" }),
          text(" "),
          withAttrs("date", { timestamp: "1582152559000" }),
          text(" "),
          withAttrs("status", { text: "DONE", color: "green" }),
        ),
      ),
      "😄:custom: 2020-02-19 DONE",
    ],
    [
      "emoji without a text",
      doc(
        p(
          withAttrs("emoji", { shortName: ":thumbsup:", id: "1f44d-1f3fd" }),
          withAttrs("emoji", { shortName: ":white_check_mark:" }),
          withAttrs("emoji", { shortName: ":our_logo:", id: "5fa3b0c2-91d4-4d5e-8f77-5b1f2d6f0a11" }),
        ),
      ),
      "👍🏽✅:our_logo:",
    ],
    [
      "a table with headings and code in its cells",
      doc(
        node(
          "table",
          node(
            "tableRow",
            node("tableHeader", withAttrs("heading", { level: 3 }, text("A"))),
            node("tableHeader", p()),
          ),
          node("tableRow", node("tableCell", node("codeBlock", text("x = 1\ny | 2"))), node("tableCell", p(text("b")))),
        ),
      ),
      "| **A** |  |\n| --- | --- |\n| `x = 1` `y \\| 2` | b |",
    ],
    [
      "cards",
      doc(
        p(withAttrs("inlineCard", { url: "https://a.example/b" })),
        withAttrs("blockCard", { data: { url: "https://a.example/c" } }),
      ),
      "<https://a.example/b>\n\n<https://a.example/c>",
    ],
    [
      "media",
      doc(
        node("mediaSingle", withAttrs("media", { type: "external", url: "https://a.example/b.png", alt: "c" })),
        node("mediaGroup", withAttrs("media", { type: "file", id: "1", alt: "d" })),
      ),
      "![c](https://a.example/b.png)\n\nd",
    ],
    ["an expand", doc(withAttrs("expand", { title: "More" }, p(text("a")))), "**More**\n\na"],
    [
      "layout columns",
      doc(node("layoutSection", node("layoutColumn", p(text("a"))), node("layoutColumn", p(text("b"))))),
      "a\n\nb",
    ],
    ["an unknown node with content", doc(node("future", p(text("a")))), "a"],
    ["an unknown node with text", doc(p(withAttrs("future", { text: "a" }), { type: "later", text: "b" })), "ab"],
    ["text that looks like Markdown", doc(p(text("# a *b* [c](d)"))), "\\# a \\*b\\* [c\\](d)"],
    ["right-to-left text", doc(p(text("שלום "), text("עולם", "strong"))), "שלום **עולם**"],
    ["an empty document", doc(), null],
    ["an empty paragraph", doc(p()), null],
    ["a string", "a\r\n*b*\n", "a\n*b*"],
    ["null", null, null],
    ["a number", 5, null],
    [
      "broken nodes",
      {
        type: "doc",
        content: [
          null,
          1,
          { type: 5 },
          { content: "x" },
          { type: "text", text: 3, marks: "x" },
          { type: "paragraph", content: { a: 1 } },
        ],
      },
      "3",
    ],
    [
      "items and cells without a list or table",
      doc(li(p(text("a"))), node("tableCell", p(text("b"))), node("tableRow")),
      "a\n\nb",
    ],
  ])("an Atlassian document with %s becomes Markdown", (_, document, expected) => {
    expect(adfToMarkdown(document)).toBe(expected);
  });

  test("a document that is nested 100,000 levels deep keeps its text", () => {
    let nested: unknown = p(text("deep"));
    for (let level = 0; level < 100_000; level++)
      nested = node(level % 2 ? "blockquote" : "bulletList", level % 2 ? nested : li(nested));
    expect(adfToMarkdown(doc(nested))).toContain("deep");
  });
});
