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
