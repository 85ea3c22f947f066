import { describe, expect, test } from "vitest";
import { replaceEmojiNames } from "./emoji.ts";
import { adfToMarkdown } from "./from-adf.ts";
import { htmlToMarkdown } from "./from-html.ts";
import { mrkdwnToMarkdown } from "./from-mrkdwn.ts";
import { taggedMarkdownToMarkdown } from "./from-tagged-markdown.ts";
import { plainToMarkdown } from "./plain.ts";
import { markdownToAdf } from "./to-adf.ts";
import { markdownToHtml } from "./to-html.ts";
import { markdownToMrkdwn } from "./to-mrkdwn.ts";

/** One for each parser: others share one of these. */
const converters: Record<string, (text: string) => unknown> = {
  htmlToMarkdown,
  mrkdwnToMarkdown,
  taggedMarkdownToMarkdown,
  adfToMarkdown: (text) =>
    adfToMarkdown({ type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text }] }] }),
  plainToMarkdown,
  replaceEmojiNames,
  markdownToAdf,
  markdownToHtml,
  markdownToMrkdwn,
};

const repeated = (unit: string) => (length: number) => unit.repeat(length / unit.length);
const inputs: Record<string, (length: number) => string> = {
  "opening angle brackets": repeated("<"),
  asterisks: repeated("*"),
  "opening brackets": repeated("["),
  colons: repeated(":"),
  backticks: repeated("`"),
  "exclamation marks": repeated("!"),
  letters: repeated("a"),
  "line ends": repeated("\n"),
  "nested quotes": repeated("> "),
  "nested items": repeated("- > 1. "),
  "open marks": repeated("*a _b ~c "),
  "links without an end": repeated("[a](<"),
  "mentions without an end": repeated("<@U1|"),
  "emoji names": repeated(":+1::a"),
  entities: repeated("&amp;&#x"),
  addresses: repeated("www.https://"),
  "lines of a list": (length) => `- ${repeated("a\n")(length)}`,
  "underlined lines": repeated("a\n-\n"),
  "a wide gap": (length) => `a${" ".repeat(length)}*b`,
  "rows of a table": repeated("|a|b|\n|-|-|\n"),
  "lines that are indented further and further": (length) => {
    const lines = Array.from({ length: Math.sqrt(length * 2) }, (_, index) => `${" ".repeat(index)}- a`);
    return lines.join("\n");
  },
};

const htmlInputs: typeof inputs = {
  "nested elements": repeated("<div>"),
  "nested lists": repeated("<ul><li>"),
  "nested tables": repeated("<table><tr><td>"),
  "unclosed tags": repeated("<a href='"),
  "end tags": repeated("<b></i>"),
  "small bold words": repeated("<b>a</b> "),
};

/** In milliseconds of the processor, which other processes do not change. */
function timeOf(run: () => void): number {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

describe.each(Object.entries(converters))("%s of hostile input", (name, convert) => {
  const readsHtml = name === "htmlToMarkdown" || name === "plainToMarkdown" || name === "markdownToHtml";
  test.each(Object.entries({ ...inputs, ...(readsHtml ? htmlInputs : {}) }))(
    `${name} of 1 MB of %s takes linear time`,
    (_, input) => {
      const large = input(1_000_000);
      const small = input(250_000);
      const before = timeOf(() => convert(small));
      const after = timeOf(() => convert(large));
      // Four times is linear, sixteen times is the square. Short times are all noise.
      expect(after).toBeLessThan(Math.max(12 * before, 600));
    },
  );
});

describe("text of the longest length that is parsed as Markdown", () => {
  test.each(Object.entries(inputs))("Markdown with %s is converted without effort", (_, input) => {
    const time = (length: number) => timeOf(() => markdownToHtml(input(length).slice(0, length)));
    const [before, after] = [time(45_000), time(180_000)];
    expect(after).toBeLessThan(Math.max(12 * before, 600));
  });
});
