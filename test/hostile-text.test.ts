import { describe, expect, test } from "vitest";
import { replaceEmojiNames } from "../src/provider-kit/text/emoji.ts";
import { adfToMarkdown } from "../src/provider-kit/text/from-adf.ts";
import { htmlToMarkdown } from "../src/provider-kit/text/from-html.ts";
import { mrkdwnToMarkdown } from "../src/provider-kit/text/from-mrkdwn.ts";
import { taggedMarkdownToMarkdown } from "../src/provider-kit/text/from-tagged-markdown.ts";
import { plainToMarkdown } from "../src/provider-kit/text/plain.ts";
import { markdownToAdf } from "../src/provider-kit/text/to-adf.ts";
import { markdownToHtml } from "../src/provider-kit/text/to-html.ts";
import { markdownToMrkdwn } from "../src/provider-kit/text/to-mrkdwn.ts";

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

/** In milliseconds of the processor, which other processes hardly change. */
function timeOf(run: () => void): number {
  const start = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

/** Less than this is noise: the square of what is passed here takes minutes. */
const SHORT_MS = 2000;

/**
 * Four times the input takes about four times as long, and sixteen times if the time grows with the square.
 * Collected memory and late compilation can double a measurement, so it is made again before it counts.
 */
function expectLinear(run: (length: number) => void, length: number): void {
  for (let attempt = 1; ; attempt++) {
    const large = timeOf(() => run(length));
    if (large < SHORT_MS) return;
    const small = timeOf(() => run(length / 4));
    if (large < 12 * small) return;
    if (attempt === 3) expect({ small, large }).toBe("linear");
  }
}

describe.each(Object.entries(converters))("%s of hostile input", (name, convert) => {
  const readsHtml = name === "htmlToMarkdown" || name === "plainToMarkdown" || name === "markdownToHtml";
  test.each(Object.entries({ ...inputs, ...(readsHtml ? htmlInputs : {}) }))(
    `${name} of 1 MB of %s takes linear time`,
    (_, input) => expectLinear((length) => void convert(input(length)), 1_000_000),
  );
});

describe("text of the longest length that is parsed as Markdown", () => {
  test.each(Object.entries(inputs))("Markdown with %s is converted without effort", (_, input) =>
    expectLinear((length) => void markdownToHtml(input(length).slice(0, length)), 180_000),
  );
});
