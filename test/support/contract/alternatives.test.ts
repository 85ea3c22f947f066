import { expect, test } from "vitest";
import { createSchemaReader } from "./schema.ts";

const reader = createSchemaReader({
  components: {
    schemas: {
      Page: { type: "object", properties: { data: { type: "array", items: { type: "string" } } } },
      Failure: { type: "object", properties: { code: { type: "string" } } },
      Owned: { type: "object", properties: { owner: { $ref: "https://example.com/users.json#/User" } } },
    },
  },
});
const reply = { oneOf: [{ $ref: "#/components/schemas/Page" }, { $ref: "#/components/schemas/Failure" }] };

test("an answer is checked against the only alternative it shares properties with, not against an error that requires nothing", () => {
  expect(reader.check(reply, { data: ["a"] })).toEqual([]);
  expect(reader.check(reply, { data: [1] })).toEqual(["/data/* must be string"]);
  expect(reader.check(reply, { code: "NOT_FOUND" })).toEqual([]);
  expect(reader.check(reply, { code: 404 })).toEqual(["/code must be string"]);
});

test("an answer that matches several alternatives is checked against `oneOf` as described", () => {
  expect(reader.check(reply, { data: [], code: "X" })).toEqual([" must match exactly one schema in oneOf"]);
  expect(reader.check(reply, "text")).not.toEqual([]);
});

test("a schema in another document is not checked, the rest is", () => {
  const owned = { $ref: "#/components/schemas/Owned" };
  expect(reader.check(owned, { owner: { id: 1 } })).toEqual([]);
  expect(reader.unknown(owned, { owner: { id: 1 } })).toEqual([]);
  expect(reader.unknown(owned, { color: "red" })).toEqual(["/color is not described"]);
  expect(reader.check(owned, "text")).not.toEqual([]);
});
