import fc from "fast-check";
import { Parser } from "htmlparser2";
import { marked } from "marked";
import { describe, expect, test } from "vitest";
import { adfToMarkdown } from "./from-adf.ts";
import { htmlToMarkdown } from "./from-html.ts";
import { mrkdwnToMarkdown } from "./from-mrkdwn.ts";
import { plainToMarkdown } from "./plain.ts";
import { markdownToAdf } from "./to-adf.ts";
import { markdownToBodyHtml } from "./to-body-html.ts";
import { markdownToHtml } from "./to-html.ts";
import { markdownToMrkdwn } from "./to-mrkdwn.ts";
import { markdownToPlain } from "./to-plain.ts";

const formats: Record<string, (markdown: string) => string | null> = {
  HTML: (markdown) => htmlToMarkdown(markdownToHtml(markdown)),
  "Atlassian documents": (markdown) => adfToMarkdown(markdownToAdf(markdown)),
  "Slack's markup": (markdown) => mrkdwnToMarkdown(markdownToMrkdwn(markdown)),
  "Asana's rich text": (markdown) => htmlToMarkdown(markdownToBodyHtml(markdown)),
};

/**
 * What a reader of rendered Markdown sees: elements and text, however the Markdown is written. In what we write, line
 * breaks are seen without `breaks`, as CommonMark demands.
 */
function meaning(markdown: string | null, breaks = false): string {
  let seen = "";
  const parser = new Parser({
    onopentag(name, { href, src, alt, start, checked, type }) {
      if (name === "p") return;
      if (name === "input") seen += `<${type} ${checked !== undefined}>`;
      else seen += `<${[name, href, src, alt, start].filter((part) => part !== undefined).join(" ")}>`;
    },
    onclosetag(name, isImplied) {
      if (!isImplied) seen += name === "p" ? "\n" : `</${name}>`;
    },
    ontext: (text) => {
      seen += text;
    },
  });
  parser.end(marked.parse(markdown ?? "", { async: false, breaks }));
  // Space next to an element that has lines of its own is not seen.
  return seen
    .replace(/\s*(<\/?(?:ul|ol|li|blockquote|pre|h\d|hr|table|thead|tbody|tr|th|td)[^>]*>)\s*/g, "$1")
    .replace(/\s+/g, " ")
    .trim();
}

const lossless: [string, string][] = [
  ["escaped marks", "\\*a\\* \\_b\\_ \\`c\\` \\# d"],
  ["escaped marks next to marks", "**a\\* b** \\_c _d\\_ e_ \\~f ~~g~~ \\`h `i`"],
  ["signs that are no marks", "snake_case 2 * 3 ~5 a\\*b \\_\\_init\\_\\_"],
  ["text", "a & b < c > d"],
  ["marks", "**a** _b_ ~~c~~ `d`"],
  ["marks in marks", "**a _b ~~c~~_** d"],
  ["bold inside a word", "un**believ**able"],
  ["punctuation", '(**a**), "_b_"!'],
  ["a line that looks like a heading", "\\# a"],
  ["line breaks", "a\nb\n_c_\n\n> d\n> e\n\n- f\n  g"],
  ["paragraphs", "a\n\nb"],
  ["a link", "[a b](https://a.example/?b=1&c=2) c"],
  ["an address", "see https://a.example/b now"],
  ["a list", "- a\n- b **c**"],
  ["nested lists", "- a\n  - b\n    - c\n- d"],
  ["a numbered list", "1. a\n2. b"],
  ["a list in a numbered list", "1. a\n   - b\n2. c"],
  ["tasks", "- [x] a\n- [ ] b"],
  ["a quote", "> a\n> **b**\n\nc"],
  ["a code block", "a\n\n```\nif (a < b) {\n  **c**\n}\n```\n\nd"],
  ["right-to-left text", "**שלום** עולם"],
  ["emoji", "a 🎉 👩‍👩‍👧 b"],
  ["HTML as text", "\\<b>a\\</b>"],
  ["an entity as text", "\\&amp; \\&copy;"],
];
const richer: [string, string][] = [
  ["headings", "# a\n\n### b _c_"],
  ["a rule", "a\n\n---\n\nb"],
  ["a table", "| A | B |\n| - | - |\n| **1** | 2 \\| 3 |"],
  ["code with a language", "```ts\na\n```"],
  ["a list that starts with 3", "3. a\n4. b"],
  ["a linked word in bold", "[a **b**](https://a.example)"],
  ["a list of paragraphs", "- a\n\n  b\n- c"],
];

describe.each(Object.entries(formats))("Markdown by way of %s", (format, convert) => {
  // The others have no such thing.
  const isRich = format === "HTML" || format === "Atlassian documents";
  test.each(isRich ? [...lossless, ...richer] : lossless)(`${format} keeps %s`, (_, markdown) => {
    expect(meaning(convert(markdown)), convert(markdown) ?? "").toBe(meaning(markdown, true));
  });

  test(`${format} keeps any plain text`, () => {
    // Slack has no way to escape these.
    const marks = ["*", "_", "~", "`", ...(format === "Slack's markup" ? [] : ["> ", ":"])];
    const part = fc.constantFrom(
      ...marks,
      ..."a;b ;é;字;א;🎉;#;- ;1. ;[a](b);<b>;</b>;&amp;;&lt;;\\;|; ;\n;\n\n;@U1;!;https://a.example/b ;(c)".split(";"),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const markdown = plainToMarkdown(parts.join("")) ?? "";
        const words = (text: string | null) => (markdownToPlain(text) ?? "").replace(/\s+/g, " ");
        expect(words(convert(markdown)), `${markdown}\n=>\n${convert(markdown)}`).toBe(words(markdown));
      }),
      { numRuns: 500, seed: 14 },
    );
  });
});
