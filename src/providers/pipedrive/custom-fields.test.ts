import { expect, test } from "vitest";
import type { CustomValue, WrittenField } from "../../contracts/custom-fields.ts";
import type { Context } from "../../contracts/provider.ts";
import { customFields } from "./custom-fields.ts";

const { describe, write } = customFields("person");

test("all pages of fields are read, and only those that were added are custom", async () => {
  const page = (fields: object[], next_cursor: string | null) => ({ data: fields, additional_data: { next_cursor } });
  const own = { is_custom_field: true, options: null };
  const pages: Record<string, object> = {
    "": page([{ field_code: "name", field_name: "Name", field_type: "varchar", is_custom_field: false }], "more"),
    more: page(
      [
        { ...own, field_code: "a1", field_name: "Tier", field_type: "enum", options: [{ id: 7, label: "Gold" }] },
        { ...own, field_code: "b2", field_name: "Budget", field_type: "monetary" },
      ],
      null,
    ),
  };
  const upstream = async ({ query }: { query: { cursor?: string } }) => ({ body: pages[query.cursor ?? ""] });
  expect(await describe!({ upstream } as unknown as Context)).toEqual([
    {
      path: "/custom_fields/a1",
      label: "Tier",
      type: "string",
      custom: true,
      kind: "enum",
      choices: [{ id: "7", label: "Gold" }],
    },
    { path: "/custom_fields/b2/value", label: "Budget", type: "number", custom: true, kind: "monetary" },
  ]);
});

const choices = [
  { id: "7", label: "Gold" },
  { id: "8", label: "Silver" },
];
const writtenAs = (kind: string, value: CustomValue, rest: object = {}) => {
  const path = "/custom_fields/a1";
  const described = { path, label: "Own", type: "string" as const, custom: true, kind, ...rest };
  const field: WrittenField = { name: "field", type: "string", path, value, described };
  return (write!([field], {} as Context) as { custom_fields: object }).custom_fields;
};

test.each([
  ["enum", "Silver", { choices }, 8],
  ["set", ["Gold", "8"], { choices }, [7, 8]],
  ["set", [], { choices }, null],
  ["date", "2026-11-17T09:30:00Z", {}, "2026-11-17"],
  ["address", "Domkloster 4, Köln", {}, { value: "Domkloster 4, Köln" }],
  ["user", "12", {}, 12],
  ["varchar", null, {}, null],
] as const)("a field of type %s is written in Pipedrive's format", (kind, value, rest, sent) => {
  expect(writtenAs(kind, value as CustomValue, rest)).toEqual({ a1: sent });
});

test("an amount of money is refused with what to do instead", () => {
  expect(() => writtenAs("monetary", 7)).toThrow("needs a currency");
});
