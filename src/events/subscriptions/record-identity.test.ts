import Type from "typebox";
import { expect, it } from "vitest";
import { normalize, recordHash, trackedId } from "./record-identity.ts";

const Person = Type.Object({ name: Type.String() });
const Schema = Type.Object({
  id: Type.String(),
  owner: Person,
  people: Type.Array(Person),
  tags: Type.Array(Type.String()),
});

it("a record is reduced to the fields of its schema, also within objects and lists", () => {
  const record = {
    tags: ["a"],
    id: "1",
    people: [{ name: "Zoë", age: 7 }, null],
    owner: { name: "Ada", age: 3 },
    extra: true,
  };
  const normalized = normalize(Schema, record);
  expect(JSON.stringify(normalized)).toBe(
    '{"id":"1","owner":{"name":"Ada"},"people":[{"name":"Zoë"},null],"tags":["a"]}',
  );
  expect(recordHash(normalized)).toBe(recordHash(normalize(Schema, { ...record, extra: false })));
  expect(recordHash(normalized)).not.toBe(recordHash(normalize(Schema, { ...record, tags: ["b"] })));
});

it("ids that are missing, or too long for an index, are not used as they are", () => {
  for (const id of [undefined, null, "", "null", "undefined", "NaN"]) expect(trackedId(Schema, { id })).toBeUndefined();
  expect(trackedId(Schema, { id: 7 })).toBe("7");
  expect(trackedId(Schema, { id: "x".repeat(500) })).toBe("x".repeat(500));
  for (const id of ["x".repeat(501), "a\0b"]) expect(trackedId(Schema, { id })).toMatch(/^sha256:\w{64}$/);
  // A branch may be called null.
  expect(trackedId(Type.Object({ name: Type.String() }), { name: "null" })).toBe("null");
});
