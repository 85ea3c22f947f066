import { expect, test } from "vitest";
import { readCustom, writtenField } from "../../../test/support/custom-fields.ts";
import type { CustomFieldType, CustomValue } from "../../contracts/custom-fields.ts";
import { columnVariables, customFields, customValues } from "./custom-fields.ts";

test.each<[CustomFieldType, object, CustomValue]>([
  ["string", { type: "status", label: "Gold", text: "Gold" }, "Gold"],
  ["string", { type: "text", text: "" }, null],
  ["number", { type: "numbers", number: 0, text: "0" }, 0],
  ["boolean", { type: "checkbox", checked: null }, false],
  ["date", { type: "date", date: "2026-04-28", time: null }, "2026-04-28"],
  ["date", { type: "date", date: "2026-04-28", time: "10:00:00" }, "2026-04-28T10:00:00.000Z"],
  ["strings", { type: "dropdown", values: [{ id: "1", label: "Chess" }] }, ["Chess"]],
  ["strings", { type: "tags", tags: [{ name: "bug" }] }, ["bug"]],
  ["strings", { type: "people", text: "Ada, Zoë", persons_and_teams: [{ id: "1" }, { id: "2" }] }, ["Ada", "Zoë"]],
  ["strings", { type: "people", text: "Groß, Jürgen", persons_and_teams: [{ id: "1" }] }, ["Groß, Jürgen"]],
  ["string", { type: "link", url: "https://example.com", text: "Example" }, "https://example.com"],
])("a %s of an item is read from %j", (type, value, expected) => {
  const item = { custom_values: [{ id: "c0" }, { id: "c1", ...value }] };
  expect(readCustom(customFields, "/custom_values/c1", type, item)).toEqual(expected);
});

const settings = { labels: [{ label: "Gold" }] };
test.each<[type: string, CustomValue, unknown]>([
  ["status", "Gold", { label: "Gold" }],
  ["dropdown", ["Gold"], { labels: ["Gold"] }],
  ["numbers", 4.5, "4.5"],
  ["checkbox", true, { checked: "true" }],
  ["checkbox", false, null],
  ["date", "2026-04-28", { date: "2026-04-28" }],
  ["date", "2026-04-28T12:00:00+02:00", { date: "2026-04-28", time: "10:00:00" }],
  ["text", null, null],
])("a column of the type %s is written from %j", (type, value, expected) => {
  const columns = [{ id: "c1", title: "Column", type, settings }];
  expect(customValues([writtenField("/custom_values/c1", value)], columns)).toEqual({ c1: expected });
});

test("an unknown label, a column of another board and a mirror are refused", () => {
  const write = (type: string, path = "/custom_values/c1") =>
    customValues([writtenField(path, "Bronze")], [{ id: "c1", title: "Column", type, settings }]);
  expect(() => write("status")).toThrow();
  expect(() => write("mirror")).toThrow();
  expect(() => write("text", "/custom_values/c2")).toThrow();
});

test("a query asks for columns only if one is declared", () => {
  expect(columnVariables([])).toEqual({});
  expect(columnVariables(["/custom_values/c1", "/name"])).toEqual({ columns: ["c1"], has_columns: true });
});
