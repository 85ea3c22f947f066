import { expect, test } from "vitest";
import { readCustom, writtenField } from "../../../test/support/custom-fields.ts";
import type { CustomFieldType, CustomValue } from "../../contracts/custom-fields.ts";
import { customFields, customValues } from "./custom-fields.ts";

const options = [
  { id: "o1", name: "Gold", orderindex: 0 },
  { id: "o2", name: "Silver", orderindex: 1 },
];
const labels = [{ id: "l1", label: "Chess" }];
const task = (type: string, value?: unknown, type_config = {}) => ({
  custom_fields: [
    { id: "other" },
    { id: "f1", name: "Field", type, type_config, ...(value !== undefined && { value }) },
  ],
});

test.each<[CustomFieldType, object, CustomValue]>([
  ["string", task("drop_down", 0, { options }), "Gold"],
  ["string", task("drop_down", "o2", { options }), "Silver"],
  ["string", task("drop_down", 7, { options }), null],
  ["string", task("drop_down", undefined, { options }), null],
  ["strings", task("labels", ["l1"], { options: labels }), ["Chess"]],
  [
    "strings",
    task("users", [
      { id: 1, username: "Zoë" },
      { id: 2, username: null, email: "a@example.com" },
    ]),
    ["Zoë", "a@example.com"],
  ],
  ["number", task("number", "4.5"), 4.5],
  ["boolean", task("checkbox", "false"), false],
  ["date", task("date", "1777370400000"), "2026-04-28T10:00:00.000Z"],
])("a %s of a task is read from %j", (type, item, expected) => {
  expect(readCustom(customFields, "/custom_fields/f1", type, item)).toEqual(expected);
});

test.each<[type: string, CustomValue, unknown]>([
  ["drop_down", "Silver", { value: "o2" }],
  ["date", "2026-04-28", { value: 1777334400000, value_options: { time: false } }],
  ["date", "2026-04-28T10:00:00Z", { value: 1777370400000, value_options: { time: true } }],
  ["number", 0, { value: 0 }],
  ["checkbox", null, { value: null }],
])("a field of the type %s is written from %j", (type, value, expected) => {
  const known = [{ id: "f1", name: "Field", type, type_config: { options } }];
  expect(customValues([writtenField("/custom_fields/f1", value)], known)).toEqual([["f1", expected]]);
});

test("an unknown option, a field of another list and people are refused", () => {
  const write = (type: string, path = "/custom_fields/f1") =>
    customValues([writtenField(path, "Gold?")], [{ id: "f1", name: "Field", type, type_config: { options } }]);
  expect(() => write("drop_down")).toThrow();
  expect(() => write("users")).toThrow();
  expect(() => write("text", "/custom_fields/f2")).toThrow();
});
