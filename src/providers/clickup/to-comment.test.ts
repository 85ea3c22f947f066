import { expect, test } from "vitest";
import { commentToMarkdown } from "./comment-text.ts";
import { markdownToComment } from "./to-comment.ts";

test.each([
  "one\n\ntwo",
  "# Title\n\ntext",
  "**bold** _italic_ ~~gone~~ `code`",
  "- one\n- two",
  "1. one\n2. two",
  "> quoted",
  "```\nif (a < b)\n  return;\n```",
  "[here](https://example.com/?a=1&b=2)",
])("the Markdown %j of a comment is the same after it was sent and read", (markdown) => {
  expect(commentToMarkdown(markdownToComment(markdown))).toBe(markdown);
});

test("a table is sent as lines of code, which keep its cells", () => {
  expect(commentToMarkdown(markdownToComment("| A | **B** |\n|-|-|\n| 1 | 2 |"))).toBe("```\nA | B\n1 | 2\n```");
});

test("the format of a line is on its line break, and a link that is not a web address is only text", () => {
  expect(markdownToComment("- [a](javascript:x)")).toEqual([
    { text: "a", attributes: {} },
    { text: "\n", attributes: { list: { list: "bullet" } } },
  ]);
});
