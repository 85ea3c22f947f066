import { describe, expect, test } from "vitest";
import { createSchemaReader } from "./schema.ts";

const document = {
  definitions: {
    cat: { type: "object", properties: { purrs: { type: "boolean" } }, required: ["purrs"] },
    dog: { type: "object", properties: { barks: { type: "boolean" } }, required: ["barks"] },
    pet: { items: [{ $ref: "#/definitions/cat" }, { $ref: "#/definitions/dog" }] },
    pets: { type: "array", items: [{ $ref: "#/definitions/cat" }, { $ref: "#/definitions/dog" }] },
  },
};
const reader = createSchemaReader(document);
const pet = { $ref: "#/definitions/pet" };
const pets = { $ref: "#/definitions/pets" };

describe("a list of `items`", () => {
  test("a list of `items` on a schema that is not an array is a union, and does not accept everything", () => {
    expect(reader.check(pet, { purrs: true })).toEqual([]);
    expect(reader.check(pet, { barks: true })).toEqual([]);
    expect(reader.check(pet, { purrs: "loudly" })).not.toEqual([]);
    expect(reader.check(pet, {})).not.toEqual([]);
  });

  test("a list of `items` on an array means that each item matches one of them, in any position", () => {
    expect(reader.check(pets, [{ barks: true }, { purrs: true }, { barks: false }])).toEqual([]);
    expect(reader.check(pets, [{ purrs: true }, { barks: true }, {}])).not.toEqual([]);
  });

  test("a property that no alternative of a union has is reported as not described", () => {
    expect(reader.unknown(pet, { purrs: true, barks: true })).toEqual([]);
    expect(reader.unknown(pet, { purrs: true, flies: true })).toEqual(["/flies is not described"]);
    expect(reader.unknown(pets, [{ swims: true }])).toEqual(["/*/swims is not described"]);
  });
});

test("`nullable` in a part of its own changes nothing, and next to a reference allows null", () => {
  const cat = { allOf: [{ $ref: "#/definitions/cat" }, { nullable: false }] };
  expect(reader.check(cat, { purrs: true })).toEqual([]);
  expect(reader.check(cat, null)).not.toEqual([]);
  expect(reader.check({ ...cat, nullable: true }, null)).toEqual([]);
});

describe("an open type", () => {
  const open = { additionalProperties: { type: "object" } };
  const named = { type: "object", title: "named", properties: { name: { type: "string" } }, ...open };
  const kind = { type: "object", title: "kind", properties: { kind: { type: "string" } }, ...open };
  const both = { allOf: [named, kind] };

  test("the parts of an open type do not exclude each other's properties", () => {
    expect(reader.check(both, { name: "a", kind: "b" })).toEqual([]);
    expect(reader.check(both, { name: 1, kind: "b" })).toEqual(["/name must be string"]);
  });

  test("a property that an open type does not name is reported as not described", () => {
    expect(reader.unknown(both, { name: "a", kind: "b", other: {} })).toEqual(["/other is not described"]);
  });

  test("the values of a map of objects are still checked", () => {
    expect(reader.check({ type: "object", ...open }, { any: "text" })).toEqual(["/any must be object"]);
  });
});

test("a value of the type `any` may be anything, and the values next to it are still checked", () => {
  const schema = { type: "object", properties: { any: { type: "any" }, name: { type: "string" } } };
  for (const any of [1, "text", null, { deep: [] }]) expect(reader.check(schema, { any, name: "a" })).toEqual([]);
  expect(reader.check(schema, { any: 1, name: 2 })).toEqual(["/name must be string"]);
});
