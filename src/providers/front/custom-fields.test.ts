import { expect, test } from "vitest";
import type { CustomValue, WrittenField } from "../../contracts/custom-fields.ts";
import { conversationFields, withWritten, writtenValues } from "./custom-fields.ts";

const field = (name: string, kind: string, value: CustomValue, rest: object = {}): WrittenField => ({
  name: "field",
  type: "string",
  path: `/custom_fields/${name}`,
  value,
  described: { path: `/custom_fields/${name}`, label: name, type: "string", custom: true, kind, ...rest },
});

test("custom fields are written by the names that people see, with times in seconds", () => {
  const choices = [{ id: "gold", label: "Gold" }];
  expect(
    writtenValues([
      field("Job Title", "string", "Köchin"),
      field("Plan", "enum", "Gold", { choices }),
      field("Renewal", "datetime", "2026-11-17"),
      field("City", "string", null),
    ]),
  ).toEqual({ "Job Title": "Köchin", Plan: "gold", Renewal: 1_794_873_600, City: null });
});

test("an unknown choice is an error that lists the others", () => {
  const choices = [{ id: "gold", label: "Gold" }];
  expect(() => writtenValues([field("Plan", "enum", "Lead", { choices })])).toThrow(
    'must be one of "Gold", not "Lead"',
  );
});

test("custom fields that are not written stay, and those without a value are left out", () => {
  expect(withWritten({ City: "Köln", Plan: "gold" }, { Plan: null, isVIP: false })).toEqual({
    City: "Köln",
    isVIP: false,
  });
  expect(withWritten(undefined, {})).toEqual({});
});

test("a time is read from its seconds", () => {
  expect(conversationFields.convert!(1_794_873_600, "date")).toBe("2026-11-17T00:00:00.000Z");
  expect(conversationFields.convert!(90, "number")).toBe(90);
});
