import fc from "fast-check";
import { expect, it } from "vitest";
import { hasMoreValues } from "./json-values.ts";

function count(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((sum, child) => sum + count(child), 1);
}

it.each([
  ["[]", 1],
  ["[ \n]", 1],
  ["[0]", 2],
  ["[0,0]", 3],
  ["[{},{},{}]", 4],
  ['{"a":{"b":[1,2]}}', 5],
  ['["a,b[{","\\"[[,","\\\\"]', 4],
  ['{"a,b":"c"}', 2],
])("%s has %i values", (json, expected) => {
  // Padded, because a short text is not counted at all.
  const bytes = Buffer.from(json + " ".repeat(100));
  expect(hasMoreValues(bytes, expected)).toBe(false);
  expect(hasMoreValues(bytes, expected - 1)).toBe(true);
});

it("values are counted in any JSON exactly as after parsing it, with and without white space", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 2), (value, indent) => {
      const json = JSON.stringify(value, null, indent);
      const expected = count(JSON.parse(json));
      const bytes = Buffer.from(json + " ".repeat(2 * expected));
      expect(hasMoreValues(bytes, expected)).toBe(false);
      expect(hasMoreValues(bytes, expected - 1)).toBe(true);
    }),
  );
});

it("no JSON that is too short to be counted has more values than the limit", () => {
  for (const json of ["[0,0,0,0,0]", "[[[[[[]]]]]]", "[[],[],[],[]]", "0"])
    expect(2 * count(JSON.parse(json))).toBeLessThanOrEqual(json.length + 1);
});

it("text that is not JSON is counted to its end", () => {
  for (const text of ['"', '"\\', "[", "[".repeat(50), "[[\t", "<html>, [", '{"a'])
    expect(hasMoreValues(Buffer.from(text), 0)).toBe(true);
});
