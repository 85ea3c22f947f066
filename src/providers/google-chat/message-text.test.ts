import { expect, test } from "vitest";
import { type MessageContent, textOf } from "./message-text.ts";

const mention = (startIndex: number | undefined, length: number, displayName?: string) => ({
  ...(startIndex === undefined ? {} : { startIndex }),
  length,
  userMention: { user: { name: "users/123", ...(displayName ? { displayName } : {}) } },
});

test.each<[string, MessageContent, string | null]>([
  [
    "the formatted text",
    { text: "the report", formattedText: "[the report](https://x.example)" },
    "[the report](https://x.example)",
  ],
  ["a plain text that looks like markup", { text: "2 *3* <b>" }, "2 \\*3\\* \\<b>"],
  ["a text with Windows line ends", { formattedText: "one\r\ntwo\r\n" }, "one\ntwo"],
  [
    "a mention at the start",
    { text: "@Ada L hi", formattedText: "<users/123> hi", annotations: [mention(undefined, 6)] },
    "@Ada L hi",
  ],
  [
    "a later mention",
    { text: "Hi @Ada!", formattedText: "**Hi** <users/123>!", annotations: [mention(3, 4)] },
    "**Hi** @Ada!",
  ],
  ["a mention with a name", { text: "?", formattedText: "<users/123>", annotations: [mention(0, 1, "Ada")] }, "@Ada"],
  ["a mention of somebody unknown", { text: "?", formattedText: "<users/123>", annotations: [mention(0, 1)] }, "@123"],
  ["code that looks like a mention", { formattedText: "`<users/123>`" }, "`<users/123>`"],
  ["a card with a text for other clients", { fallbackText: "Build 7 *failed*", cardsV2: [{}] }, "Build 7 \\*failed\\*"],
  [
    "a card with a header",
    { cardsV2: [{ card: { header: { title: "Build 7", subtitle: "failed" } } }, {}] },
    "Build 7\n\nfailed",
  ],
  ["a text and a card", { text: "Hi", formattedText: "Hi", fallbackText: "Build 7" }, "Hi"],
  ["a picture", {}, null],
  ["an empty text", { text: "", formattedText: " " }, null],
])("the text of a message is mapped: %s", (_, message, text) => {
  expect(textOf(message)).toBe(text);
});
