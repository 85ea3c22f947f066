import type { ChatMessage } from "@microsoft/microsoft-graph-types";
import { expect, test } from "vitest";
import { type MessageContent, textOf } from "./message-text.ts";

const message = (fields: ChatMessage): MessageContent => fields as ChatMessage & MessageContent;
const html = (content: string) => ({ body: { contentType: "html", content } }) satisfies ChatMessage;
const card = (content: unknown, contentType = "application/vnd.microsoft.card.thumbnail") => ({
  ...html('<attachment id="1"></attachment>'),
  attachments: [{ id: "1", contentType, content: typeof content === "string" ? content : JSON.stringify(content) }],
});

// The first four are examples of Microsoft's documentation and recorded messages.
test.each([
  ["a mention", html('Hello World <at id="0">Jane Smith</at>'), "Hello World @Jane Smith"],
  [
    "an emoji and a space that does not break",
    html('<p>I am looking&nbsp;<emoji id="1f440_eyes" alt="👀" title="Eyes"></emoji></p>'),
    "I am looking 👀",
  ],
  ["HTML without tags", html("Hello from Nango test"), "Hello from Nango test"],
  ["text, which is not HTML", { body: { contentType: "text", content: "5 &lt; 6\r\n*x*" } }, "5 \\&lt; 6  \n\\*x\\*"],
  [
    "text with an attachment",
    {
      body: { contentType: "text", content: '<attachment id="17"></attachment>\na <attachment id=""> </attachment>b' },
    },
    "a b",
  ],
  ["an empty body", html("<div>&nbsp;</div>"), null],
  ["no body", {}, null],
  ["an attached file alone", card(""), null],
  [
    "an image alone",
    html('<div><span><img src="https://graph.microsoft.com/v1.0/x/$value" width="9"></span></div>'),
    null,
  ],
  [
    "text with an image",
    html('<p>Look: <img src="https://x.example/a.png" alt="A"></p>'),
    "Look: ![A](https://x.example/a.png)",
  ],
] as const)("the text of a message is mapped: %s", (_, fields, text) => {
  const found = textOf(message(fields as ChatMessage));
  expect(found === null ? null : found.replaceAll("\u00a0", " ")).toBe(text);
});

test("the subject of a post is the first line of its text", () => {
  expect(textOf(message({ subject: "Release *2*", ...html("<p>It is live.</p>") } as ChatMessage))).toBe(
    "**Release \\*2\\***\n\nIt is live.",
  );
  expect(textOf(message({ subject: "", ...html("<p>It is live.</p>") } as ChatMessage))).toBe("It is live.");
});

test.each([
  [
    "a card",
    { title: "Build 7", subtitle: "<h3>CI</h3>", text: "It <b>failed</b>.<br>\r\nSee the log." },
    "Build 7\n\n### CI\n\nIt **failed**.  \nSee the log.",
  ],
  [
    "an adaptive card",
    {
      type: "AdaptiveCard",
      body: [
        { type: "TextBlock", text: "Build 7" },
        { type: "ColumnSet", columns: [{ items: [{ type: "TextBlock", text: "by **CI**" }, { type: "Image" }] }] },
      ],
    },
    "Build 7\n\nby **CI**",
  ],
  ["a forwarded message", { originalMessageContent: "<p>Kept &amp; sent</p>" }, "Kept & sent"],
  ["a card that is not JSON", "{", null],
  ["a card that is not an object", "null", null],
  ["a card with other types", { title: 7, text: null, body: "x" }, null],
])("a message without words of its own has those of %s", (_, content, text) => {
  expect(textOf(message(card(content) as ChatMessage))).toBe(text);
});

test("a message with neither words nor a readable card has its summary", () => {
  expect(textOf(message({ ...html(""), summary: "A card was sent" } as ChatMessage))).toBe("A card was sent");
});

test("a card that is nested very deeply is read without an error", () => {
  const deep = `${'{"items":['.repeat(20_000)}${"]}".repeat(20_000)}`;
  expect(textOf(message(card(deep) as ChatMessage))).toBeNull();
});
