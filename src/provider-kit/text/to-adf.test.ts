import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Ajv } from "ajv";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { awkwardTexts } from "../../emulator-kit/data.ts";
import { adfToMarkdown } from "./from-adf.ts";
import { markdownToAdf } from "./to-adf.ts";

const schemaFile = createRequire(import.meta.url).resolve("@atlaskit/adf-schema/json-schema/v1/full.json");
// Ajv knows later drafts only; this schema uses nothing that changed.
const { $schema: _, ...schema } = JSON.parse(readFileSync(schemaFile, "utf8"));
const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);

const expectValid = (document: unknown) => {
  const isValid = validate(document);
  expect(isValid, JSON.stringify({ errors: validate.errors?.slice(0, 3), document })).toBe(true);
};
const lines = (...text: string[]) => text.join("\n");
const text = (value: string, ...marks: object[]) =>
  marks.length > 0 ? { type: "text", text: value, marks } : { type: "text", text: value };
const p = (...content: object[]) => ({ type: "paragraph", content });
const li = (...content: object[]) => ({ type: "listItem", content });

describe("Markdown to Atlassian documents", () => {
  test.each<[string, string, object[]]>([
    [
      "code with a language and more",
      '```ts title="a.ts"\nb\n```',
      [{ type: "codeBlock", attrs: { language: "ts" }, content: [text("b")] }],
    ],
    [
      "a table in a list",
      "- a\n\n  | b | **c** |\n  |-|-|\n  | d | e |",
      [
        {
          type: "bulletList",
          content: [
            li(
              p(text("a")),
              p(text("b"), text(" | "), text("c", { type: "strong" })),
              p(text("d"), text(" | "), text("e")),
            ),
          ],
        },
      ],
    ],
    [
      "a paragraph",
      "a **b** _c_ ~~d~~ `e`",
      [
        p(
          text("a "),
          text("b", { type: "strong" }),
          text(" "),
          text("c", { type: "em" }),
          text(" "),
          text("d", { type: "strike" }),
          text(" "),
          text("e", { type: "code" }),
        ),
      ],
    ],
    ["a line break", "a\nb", [p(text("a"), { type: "hardBreak" }, text("b"))]],
    ["a heading", "## a", [{ type: "heading", attrs: { level: 2 }, content: [text("a")] }]],
    [
      "a link",
      "[a](https://a.example/?b&c)",
      [p(text("a", { type: "link", attrs: { href: "https://a.example/?b&c" } }))],
    ],
    ["a link to a script", "[a](javascript:alert(1))", [p(text("a"))]],
    ["bold code", "**`a`**", [p(text("a", { type: "code" }))]],
    [
      "an image",
      "![a](https://a.example/b.png)",
      [p(text("a", { type: "link", attrs: { href: "https://a.example/b.png" } }))],
    ],
    ["a code block", "```ts\na < b\n```", [{ type: "codeBlock", attrs: { language: "ts" }, content: [text("a < b")] }]],
    [
      "lists",
      "- a\n\n  3. b",
      [
        {
          type: "bulletList",
          content: [li(p(text("a")), { type: "orderedList", attrs: { order: 3 }, content: [li(p(text("b")))] })],
        },
      ],
    ],
    ["a list that starts with 0", "0. a", [{ type: "orderedList", attrs: { order: 0 }, content: [li(p(text("a")))] }]],
    ["tasks", "- [x] a", [{ type: "bulletList", content: [li(p(text("☑ "), text("a")))] }]],
    ["a quote", "> # a\n> > b", [{ type: "blockquote", content: [p(text("a", { type: "strong" })), p(text("b"))] }]],
    [
      "entities and escapes",
      "&copy; \\*a\\* <b>",
      [p(text("© "), text("*"), text("a"), text("*"), text(" "), text("<b>"))],
    ],
  ])("Markdown becomes an Atlassian document: %s", (_name, markdown, content) => {
    const document = markdownToAdf(markdown);
    expect(document).toEqual({ version: 1, type: "doc", content });
    expectValid(document);
  });

  test("a table has a header and cells", () => {
    const document = markdownToAdf(lines("| A | B |", "| - | - |", "| 1 | |"));
    expectValid(document);
    expect(adfToMarkdown(document)).toBe(lines("| A | B |", "| --- | --- |", "| 1 |  |"));
  });

  test.each([null, undefined, "", " \n ", "<!-- a -->"])("nothing to show is null: %j", (markdown) => {
    expect(markdownToAdf(markdown)).toBeNull();
  });

  test.each([
    "- > quote in an item\n- # heading in an item\n- ---\n- | a | b |\n  | - | - |\n  | 1 | 2 |",
    "> - list\n>\n> ```\n> code\n> ```\n>\n> | a |\n> | - |\n>\n> ---",
    "- - a\n- \n- [ ] \n  - b",
    "# **a** `b` [c](https://a.example)\n\n[`d`](https://a.example) **[e](https://a.example)**",
    "1. a\n\n   b\n2. ```\n   c\n   ```",
    "```\n\n```\n\n#\n\n>\n\n-\n\n||\n|-|",
    "<div>\na\n</div>\n\n[a]: https://a.example\n\n[a] ![][a]",
    ...awkwardTexts,
    "_a".repeat(5000),
  ])("every document is valid by Atlassian's schema: %j", (markdown) => {
    expectValid(markdownToAdf(markdown) ?? { version: 1, type: "doc", content: [] });
  });

  test("a table that mostly consists of missing cells is plain text, and the rest of the text is not", () => {
    const table = (columns: number, rows: number) =>
      `${"|a".repeat(columns)}|\n${"|-".repeat(columns)}|\n${"|b|\n".repeat(rows)}`;
    const types = (markdown: string) => markdownToAdf(markdown)!.content.map(({ type }) => type);
    expect(types(`**a**\n\n${table(20, 20)}`)).toEqual(["paragraph", "table"]);
    expect(types(`# a\n\n${table(100, 20)}\n- b`)).toEqual(["heading", "paragraph", "bulletList"]);
    expect(types(`${table(20, 40)}\n`.repeat(3))).toEqual(["table", "paragraph", "paragraph"]);
  });

  test("the document of any Markdown is valid by Atlassian's schema", () => {
    const parts = fc.constantFrom(
      ..."a;b ;\n;\n\n;- ;1. ;  ;    ;> ;# ;**;_;~~;`;```\n;[a](https://a.example);![;|;|-|-|\n;---\n;<b>;&amp;;\\;[ ] ;[x] ".split(
        ";",
      ),
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 30 }), (all) => {
        expectValid(markdownToAdf(all.join("")) ?? { version: 1, type: "doc", content: [] });
      }),
      { numRuns: 1000, seed: 14 },
    );
  });
});
