// Texts in the manner of real mails, tickets and messages, and what they are converted to: a change of a converter shows
// here in whole texts. After an intended one, look at the difference and accept it with `npx vitest run test/text/real-texts --update`.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { adfToMarkdown } from "../../../src/provider-kit/text/from-adf.ts";
import { googleChatToMarkdown } from "../../../src/provider-kit/text/from-google-chat.ts";
import { htmlToMarkdown } from "../../../src/provider-kit/text/from-html.ts";
import { mrkdwnToMarkdown } from "../../../src/provider-kit/text/from-mrkdwn.ts";
import { markdownToAdf } from "../../../src/provider-kit/text/to-adf.ts";
import { markdownToBodyHtml } from "../../../src/provider-kit/text/to-body-html.ts";
import { markdownToHtml } from "../../../src/provider-kit/text/to-html.ts";
import { markdownToMrkdwn } from "../../../src/provider-kit/text/to-mrkdwn.ts";
import { markdownToPlain } from "../../../src/provider-kit/text/to-plain.ts";

/** A text starts after a line `=== ` with its title. */
const textsOf = (file: string) =>
  readFileSync(join(import.meta.dirname, file), "utf8")
    .split(/^=== /m)
    .slice(1)
    .map((part) => /^(.*)\n([\s\S]*)\n$/.exec(part)!.slice(1) as [title: string, text: string]);

test.each<[from: string, to: string, convert: (text: string) => string | null, count: number]>([
  ["html.txt", "from-html.txt", (text) => htmlToMarkdown(text), 200],
  ["adf.txt", "from-adf.txt", (text) => adfToMarkdown(JSON.parse(text)), 200],
  ["slack.txt", "from-slack.txt", (text) => mrkdwnToMarkdown(text), 200],
  ["google-chat.txt", "from-google-chat.txt", (text) => googleChatToMarkdown(text), 200],
  ["markdown.txt", "to-html.txt", markdownToHtml, 200],
  ["markdown.txt", "to-adf.txt", (text) => JSON.stringify(markdownToAdf(text)), 200],
  ["markdown.txt", "to-mrkdwn.txt", markdownToMrkdwn, 200],
  ["markdown.txt", "to-body-html.txt", markdownToBodyHtml, 200],
  ["markdown.txt", "to-plain.txt", markdownToPlain, 200],
])("the texts of %s are converted to those of expected/%s", async (from, to, convert, count) => {
  const texts = textsOf(from);
  expect(texts.length).toBeGreaterThanOrEqual(count);
  const converted = texts.map(([title, text]) => `=== ${title}\n${convert(text)}\n`).join("");
  await expect(converted).toMatchFileSnapshot(`./expected/${to}`);
});
