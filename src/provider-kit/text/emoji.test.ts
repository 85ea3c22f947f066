import { expect, test } from "vitest";
import { replaceEmojiNames } from "./emoji.ts";

test.each([
  ["names", ":tada: :+1: :thumbsup: :stuck_out_tongue_closed_eyes: :iphone:", "🎉 👍 👍 😝 📱"],
  ["names without space", ":tada::tada:x:tada:", "🎉🎉x🎉"],
  ["flags", ":flag-us: :us: :flag_us:", "🇺🇸 🇺🇸 🇺🇸"],
  ["skin tones", ":wave::skin-tone-2: :wave::skin-tone-6:", "👋🏻 👋🏿"],
  [
    "skin tones of joined characters",
    ":male-technologist::skin-tone-3: :female-detective::skin-tone-6: :point_up::skin-tone-4:",
    "👨🏼‍💻 🕵🏿‍♀️ ☝🏽",
  ],
  ["capital letters", ":TADA:", "🎉"],
  ["a name after a colon", "a::tada: b:c:tada:", "a:🎉 b:c🎉"],
  ["unknown names and times", ":custom: 10:30:45 a: b: ::", ":custom: 10:30:45 a: b: ::"],
  ["names of members of every object", ":constructor: :toString:", ":constructor: :toString:"],
  ["code", "`:tada:` :tada: ``a ` :tada:`` \\` :tada:", "`:tada:` 🎉 ``a ` :tada:`` \\` 🎉"],
  ["a code block", "```\n:tada:\n```\n:tada:\n~~~\n:tada:\n~~~", "```\n:tada:\n```\n🎉\n~~~\n:tada:\n~~~"],
  ["a code block that does not end", ":tada:\n```\n:tada:", "🎉\n```\n:tada:"],
])("names of emoji become their characters: %s", (_, text, expected) => {
  expect(replaceEmojiNames(text)).toBe(expected);
});
