import { expect, test } from "vitest";
import { readCustom, writtenField } from "../../../test/support/custom-fields.ts";
import type { CustomFieldType, CustomValue } from "../../contracts/custom-fields.ts";
import { customFields } from "./custom-fields.ts";

const document = { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: "a *b*" }] }] };

test.each<[CustomFieldType, unknown, CustomValue]>([
  ["string", { self: "", value: "Gold", id: "1" }, "Gold"],
  ["string", { accountId: "5b10", displayName: "Zoë Müller" }, "Zoë Müller"],
  ["strings", [{ displayName: "Zoë" }, { value: "Gold" }, { name: "v1" }, "label"], ["Zoë", "Gold", "v1", "label"]],
  ["string", document, "a \\*b\\*"],
  ["date", "2026-04-28T15:33:15.000+0200", "2026-04-28T13:33:15.000Z"],
  ["date", "2026-04-28", "2026-04-28"],
  ["number", null, null],
])("a %s of an issue is read from %j", (type, value, expected) => {
  expect(readCustom(customFields, "/fields/customfield_1", type, { fields: { customfield_1: value } })).toEqual(
    expected,
  );
});

test.each<[kind: string, CustomValue, unknown]>([
  ["option", "Gold", { value: "Gold" }],
  ["option[]", ["Gold", "Silver"], [{ value: "Gold" }, { value: "Silver" }]],
  ["string[]", ["one"], ["one"]],
  ["user", "5b10", { accountId: "5b10" }],
  ["user[]", ["5b10"], [{ accountId: "5b10" }]],
  ["group", "admins", { name: "admins" }],
  ["date", "2026-04-28T15:33:15Z", "2026-04-28"],
  ["date", "2026-12-24T23:00:00-05:00", "2026-12-25"],
  ["datetime", "2026-04-28", "2026-04-28T00:00:00.000+0000"],
  ["number", 0, 0],
  ["option[]", null, null],
])("a field of the kind %s is written from %j", (kind, value, expected) => {
  const field = writtenField("/fields/customfield_1", value, { kind });
  expect(customFields.write!([field], {} as never)).toEqual({ fields: { customfield_1: expected } });
});

test("a paragraph is written as a document", () => {
  const field = writtenField("/fields/customfield_1", "a **b**", { kind: "document" });
  const { fields } = customFields.write!([field], {} as never) as { fields: Record<string, { type: string }> };
  expect(fields.customfield_1!.type).toBe("doc");
});

test("a field with several values is not written from one, and nothing outside of the fields is", () => {
  const several = writtenField("/fields/customfield_1", "Gold", { kind: "option[]" });
  expect(() => customFields.write!([several], {} as never)).toThrow();
  expect(() => customFields.write!([writtenField("/key", "X")], {} as never)).toThrow();
});
