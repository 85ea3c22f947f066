import { expect, test } from "vitest";
import type { CustomValue, WrittenField } from "../../contracts/custom-fields.ts";
import type { Context } from "../../contracts/provider.ts";
import { customFields } from "./custom-fields.ts";

const { convert, write } = customFields("people");

const entry = (attribute_type: string, fields: object) => ({ attribute_type, active_until: null, ...fields });

test.each([
  [[entry("select", { option: { title: "Gold" } })], "string", "Gold"],
  [[entry("select", { option: "Gold" }), entry("select", { option: "Silver" })], "strings", ["Gold", "Silver"]],
  [[entry("currency", { currency_value: 7.5, currency_code: "EUR" })], "number", 7.5],
  [[entry("checkbox", { value: false })], "boolean", false],
  [[entry("location", { locality: "Köln" })], "string", undefined],
  [[], "string", undefined],
  [[], "strings", []],
  ["2026-11-17", "date", "2026-11-17"],
] as const)("the values %j are read as a %s", (values, type, read) => {
  expect(convert!(values, type)).toEqual(read);
});

const field = (kind: string, value: CustomValue): WrittenField => ({
  name: "field",
  type: "string",
  path: "/values/own",
  value,
  described: { path: "/values/own", label: "Own", type: "string", custom: true, kind },
});
const writtenAs = (kind: string, value: CustomValue) => write!([field(kind, value)], {} as Context);

test.each([
  ["select", ["Gold", "Silver"], ["Gold", "Silver"]],
  ["text", "Köln", ["Köln"]],
  ["date", "2026-11-17T09:30:00Z", ["2026-11-17"]],
  ["timestamp", "2026-11-17", ["2026-11-17T00:00:00.000Z"]],
  ["number", null, []],
] as const)("an attribute of type %s is written as a list of values", (kind, value, values) => {
  expect(writtenAs(kind, value as CustomValue)).toEqual({ data: { values: { own: values } } });
});

test("a value with several parts is refused with what to do instead", () => {
  expect(() => writtenAs("record-reference", "1")).toThrow("send it in `provider`");
});
