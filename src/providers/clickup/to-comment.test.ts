import { expect, test } from "vitest";
import { commentToMarkdown } from "./comment-text.ts";
import { markdownToComment } from "./to-comment.ts";

test.each([
  "one\n\ntwo",
  "# Title\n\ntext",
  "**bold** _italic_ ~~gone~~ `code`",
  "- one\n- two",
  "1. one\n2. two",
  "> quoted  \n> twice",
  "```\nif (a < b)\n  return;\n```",
  "[here](https://example.com/?a=1&b=2)",
])("the Markdown %j of a comment is the same after it was sent and read", (markdown) => {
  expect(commentToMarkdown(markdownToComment(markdown))).toBe(markdown);
});

test("a table of a comment is a code block with aligned columns, since comments have no tables", () => {
  const comment = markdownToComment("before\n\n| Name | Size |\n|-|-|\n| **a** | 1 |\n| bcdef |");
  expect(commentToMarkdown(comment)).toBe(
    ["before", "", "```", "Name  | Size", "------|-----", "a     | 1", "bcdef |", "```"].join("\n"),
  );
  expect(commentToMarkdown(markdownToComment("- a\n\n  |b|c|\n  |-|-|\n\n> |d|e|\n> |-|-|\n> - f"))).toBe(
    "- a\n\n```\nb | c\n--|--\n```\n\n> d | e\n>\n> \\- f",
  );
  const isCode = ({ attributes }: (typeof comment)[number]) => attributes?.["code-block"] !== undefined;
  expect(comment.filter(isCode)).toHaveLength(4);
});

test("a list that starts with another number than 1 keeps its numbers as text", () => {
  const comment = markdownToComment("7. a\n8. **b**");
  expect(comment.map(({ text }) => text).join("")).toBe("7. a\n8. b\n");
  expect(comment.some(({ attributes }) => attributes?.list)).toBe(false);
});

test("the format of a line is on its line break, and a link that is not a web address is only text", () => {
  expect(markdownToComment("- [a](javascript:x)")).toEqual([
    { text: "a", attributes: {} },
    { text: "\n", attributes: { list: { list: "bullet" } } },
  ]);
});
