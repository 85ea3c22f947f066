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

test("an answer is held against the alternative that it is, and does not pass for an error that requires nothing", () => {
  expect(reader.check(reply, { data: ["a"] })).toEqual([]);
  expect(reader.check(reply, { data: [1] })).toEqual(["/data/* must be string"]);
  expect(reader.check(reply, { code: "NOT_FOUND" })).toEqual([]);
  expect(reader.check(reply, { code: 404 })).toEqual(["/code must be string"]);
});

test("an answer that could be several is held against all of them, as the description says", () => {
  expect(reader.check(reply, { data: [], code: "X" })).toEqual([" must match exactly one schema in oneOf"]);
  expect(reader.check(reply, "text")).not.toEqual([]);
});

test("what stands in another document is not checked, the rest is", () => {
  const owned = { $ref: "#/components/schemas/Owned" };
  expect(reader.check(owned, { owner: { id: 1 } })).toEqual([]);
  expect(reader.unknown(owned, { owner: { id: 1 } })).toEqual([]);
  expect(reader.unknown(owned, { colour: "red" })).toEqual(["/colour is not described"]);
  expect(reader.check(owned, "text")).not.toEqual([]);
});
