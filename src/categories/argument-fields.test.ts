import type { TProperties } from "typebox";
import { expect, it } from "vitest";
import { argumentFields } from "./argument-fields.ts";
import { operations } from "./index.ts";

/** The arguments of all operations that are not named like a field of the record, with the record's fields. */
const others = operations.flatMap(({ id, query, body, record }) => {
  const fields = Object.keys((record as { properties?: TProperties }).properties ?? {});
  const names = Object.keys({ ...query, ...body?.properties }).filter((name) => !fields.includes(name));
  return names.map((name) => ({ id, name, fields }));
});

it("every argument is named like a field of the record, or it is declared which field it is about", () => {
  const names = new Set(others.map(({ name }) => name));
  expect([...names].sort()).toEqual(Object.keys(argumentFields).sort());
});

it("an argument is about a field that the record has", () => {
  for (const { id, name, fields } of others)
    if (argumentFields[name] !== null)
      expect([id, fields]).toEqual([id, expect.arrayContaining([argumentFields[name]])]);
});
