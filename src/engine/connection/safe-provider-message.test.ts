import { expect, it } from "vitest";
import { providerReason, showable } from "./safe-provider-message.ts";

it.each<[unknown, string | undefined]>([
  ["plain text", "plain text"],
  [{ message: "general", error_description: "specific" }, "specific"],
  [{ error: { errors: [{ detail: "deep inside" }] } }, "deep inside"],
  [{ message: "", error: "the first that says something" }, "the first that says something"],
  [{ errors: [[[[["too deep"]]]]] }, undefined],
  [{ errors: [[["deep enough"]]] }, "deep enough"],
  [{ message: 5, detail: null, errors: [] }, undefined],
  [undefined, undefined],
  ["\u0000\n", undefined],
])("the reason in %j is %j", (body, reason) => {
  expect(providerReason(body, [])).toBe(reason);
});

it("a shown text is one line without secrets, of at most 200 characters", () => {
  expect(showable("key sk-12345678 of\r\n\u202Etoken\u2028is wrong", ["sk-12345678", undefined])).toBe(
    "key *** of token is wrong",
  );
  expect(showable("x".repeat(200), [])).toBe("x".repeat(200));
  expect(showable("x".repeat(201), [])).toBe(`${"x".repeat(200)}…`);
});
