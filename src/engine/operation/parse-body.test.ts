import { expect, it } from "vitest";
import { parseBody } from "./parse-body.ts";

const parse = (text: string, statusCode = 200) => parseBody({ bytes: Buffer.from(text), statusCode });

it("a body is JSON or empty, and only that of a failure may be something else", () => {
  expect(parse('{"a":1}')).toEqual({ a: 1 });
  expect(parse('\uFEFF{"a":1}')).toEqual({ a: 1 });
  expect(parse("")).toBeNull();
  expect(parse("<html>", 300)).toBeNull();
  expect(() => parse("<html>", 299)).toThrow("the provider's response is not JSON");
});
