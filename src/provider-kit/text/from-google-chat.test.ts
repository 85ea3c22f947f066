import { expect, test } from "vitest";
import { googleChatToMarkdown } from "./from-google-chat.ts";

const userName = (id: string) => ({ "123": "Jane" })[id];

test.each<[string, string | null | undefined, string | null]>([
  [
    "a link",
    "Created a <https://a.example/b|database for ideas> that",
    "Created a [database for ideas](https://a.example/b) that",
  ],
  ["marks", "*a* _b_ ~c~ `d`", "**a** _b_ ~~c~~ `d`"],
  ["signs in an address", "*see* https://a.example/b_c_d*e*f", "**see** <https://a.example/b_c_d*e*f>"],
  ["a list", "* a\n* *b*\n- c", "- a\n- **b**\n- c"],
  ["a code block", "```\na < b && *c*\n```", "```\na < b && *c*\n```"],
  ["text that is not escaped", "a &amp; b < c", "a \\&amp; b < c"],
  ["mentions", "<users/123> <users/456> <users/all>", "@Jane @456 @all"],
  ["nothing", " ", null],
  ["undefined", undefined, null],
])("Google Chat's markup with %s becomes Markdown", (_, text, expected) => {
  expect(googleChatToMarkdown(text, { userName })).toBe(expected);
});

test("Google Chat's Markdown is left alone except for mentions outside of code", () => {
  const text = "**a** <users/123> `<users/123>`\r\n```\n<users/123>\n```\n";
  expect(googleChatToMarkdown(text, { userName, syntax: "markdown" })).toBe(
    "**a** @Jane `<users/123>`\n```\n<users/123>\n```",
  );
  expect(googleChatToMarkdown(null, { syntax: "markdown" })).toBeNull();
});
