import { expect, test } from "vitest";
import { readCustom, writtenField } from "../../../test/support/custom-fields.ts";
import type { CustomFieldType, CustomValue } from "../../contracts/custom-fields.ts";
import { customFields, customProperties } from "./custom-fields.ts";

const page = (type: string, content: unknown) => ({ properties: { Field: { id: "x", type, [type]: content } } });

test.each<[CustomFieldType, type: string, content: unknown, CustomValue]>([
  ["boolean", "checkbox", false, false],
  ["string", "url", "https://example.com", "https://example.com"],
  ["string", "title", [{ plain_text: "a*b" }], "a*b"],
  ["string", "rich_text", [{ plain_text: "a*b" }, { plain_text: "c", annotations: { bold: true } }], "a\\*b**c**"],
  ["string", "rich_text", [], null],
  ["strings", "people", [{ id: "p1", name: "Zoë" }, { id: "p2" }], ["Zoë", "p2"]],
  ["strings", "relation", [{ id: "r1" }], ["r1"]],
  ["date", "date", { start: "2026-04-28", end: null }, "2026-04-28"],
  ["date", "created_time", "2026-04-28T10:00:00.000Z", "2026-04-28T10:00:00.000Z"],
  ["string", "unique_id", { prefix: "TASK", number: 7 }, "TASK-7"],
  ["number", "formula", { type: "number", number: 4.5 }, 4.5],
  ["date", "formula", { type: "date", date: { start: "2026-04-28" } }, "2026-04-28"],
  ["string", "select", null, null],
])("a %s is read from a property of the type %s: %j", (type, kind, content, expected) => {
  expect(readCustom(customFields, "/properties/Field", type, page(kind, content))).toEqual(expected);
});

test("a value inside of a property is read as it is", () => {
  expect(readCustom(customFields, "/properties/Field/date/end", "date", page("date", { end: "2026-05-01" }))).toBe(
    "2026-05-01",
  );
});

test.each<[type: string, CustomValue, unknown]>([
  ["checkbox", true, true],
  ["checkbox", null, false],
  ["number", null, null],
  ["date", "2026-04-28", { start: "2026-04-28" }],
  ["people", ["p1"], [{ id: "p1" }]],
  ["multi_select", ["a", "b"], [{ name: "a" }, { name: "b" }]],
  ["multi_select", null, []],
  ["rich_text", null, []],
  ["email", "ada@example.com", "ada@example.com"],
])("a property of the type %s is written from %j", (type, value, expected) => {
  const written = [writtenField("/properties/Field", value)];
  expect(customProperties(written, { Field: { type } })).toEqual({ Field: { [type]: expected } });
});

test("an option of a select is one of the data source's own, and what Notion fills itself is refused", () => {
  const select = { type: "select", select: { options: [{ name: "Gold" }] } };
  const write = (value: CustomValue, property: typeof select | { type: string }) => () =>
    customProperties([writtenField("/properties/Field", value)], { Field: property });
  expect(write("Gold", select)()).toEqual({ Field: { select: { name: "Gold" } } });
  expect(write("Platinum", select)).toThrow();
  expect(write("x", { type: "formula" })).toThrow();
  expect(() => customProperties([writtenField("/properties/Other", "x")], { Field: select })).toThrow();
});
