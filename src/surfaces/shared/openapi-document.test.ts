import { expect, it } from "vitest";
import { toOpenApi30 } from "./openapi-document.ts";

const convert = (schema: object) => (toOpenApi30({ schema }) as { schema: object }).schema;

it("a type that may be null is nullable in OpenAPI 3.0, and so are its values", () => {
  expect(convert({ type: ["string", "null"], maxLength: 5 })).toEqual({ type: "string", nullable: true, maxLength: 5 });
  expect(convert({ type: ["string", "null"], enum: ["a"] })).toEqual({
    type: "string",
    nullable: true,
    enum: ["a", null],
  });
});

it("several types are alternatives in OpenAPI 3.0, and a constant is the only value", () => {
  expect(convert({ type: ["number", "string"], description: "An ID" })).toEqual({
    anyOf: [{ type: "number" }, { type: "string" }],
    description: "An ID",
  });
  expect(convert({ type: "boolean", const: false })).toEqual({ type: "boolean", enum: [false] });
});

it("properties that are named like keywords, and examples, stay as they are", () => {
  const schema = {
    type: "object",
    properties: { type: { type: ["string", "null"] }, const: { type: "string" }, properties: { type: "string" } },
    required: ["type"],
    example: { type: ["a", "null"], const: 1 },
  };
  expect(convert(schema)).toEqual({
    ...schema,
    properties: { ...schema.properties, type: { type: "string", nullable: true } },
  });
});
