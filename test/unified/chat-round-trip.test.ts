// What is sent as Markdown is read back as Markdown with the same meaning, whatever markup the chat itself has.
import { parse } from "marked";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operations } from "../../src/categories/index.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import { createClient } from "../conformance/client.ts";
import { startService, type TestService } from "../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const operation = (name: string) => operations.find(({ id }) => id === `chat.${name}`)!;

/** What a reader sees: chats join lines and paragraphs in different ways, so white space between blocks does not count. */
const rendered = (markdown: string) =>
  parse(markdown, { async: false, breaks: true, gfm: true })
    .replaceAll("<br>", "\n")
    .replace(/<\/?p>/g, "\n")
    .replace(/ class="[^"]*"/g, "")
    .replace(/\u200b/g, "")
    .replace(/\s*\n\s*/g, "\n")
    .trim();

const TEXTS = {
  "bold, italic, struck and code": "**bold**, *italic*, ~~struck~~, **_both_** and `code`",
  "a link, an address and a mail address":
    "[the report](https://example.com/x?a=1&b=2) https://example.com/y a@example.com",
  "characters that are markup elsewhere":
    "5 < 6 & 7 > 4, a_b_c, 2 \\* 3 \\* 4, \\# no title, 100 %, [brackets], x|y, ~10",
  "HTML as text": "\\<b>not bold\\</b> and &amp;lt;",
  "an unordered list": "Before\n\n- one\n- two **bold**\n- three\n\nAfter",
  "an ordered list": "1. one\n2. two\n3. three",
  "a quote": "> quoted\n> twice\n\nnot quoted",
  "a block of code": "```\nconst a = 1 < 2 && b; // *not italic*\n```",
  "other scripts and emoji": "Grüße 日本語 مرحبا 👩‍👩‍👧 🎉",
  "lines and paragraphs": "one\ntwo\n\nthree",
};

const chats = providers.filter(({ categories }) => categories.some(({ category }) => category === "chat"));

describe.each(chats.map((provider) => [provider.manifest.id, provider] as const))("%s", (id, provider) => {
  test.each(Object.entries(TEXTS))(
    `a message sent to ${id} is read back with the same meaning: %s`,
    async (_, text) => {
      const client = createClient(service, provider);
      const params = await client.sampleParams(operation("sendMessage"), operations);
      expect((await client.call(operation("sendMessage"), params, {}, {}, { text })).status).toBe(200);
      const { data } = (await client.call(operation("listMessages"), params, { limit: 1 })).body.response;
      expect(rendered(data[0].text)).toBe(rendered(text));
    },
  );
});
