import Type from "typebox";
import { expect, it } from "vitest";
import { ProviderFailure } from "../../contracts/fault.ts";
import type { ListImplementation } from "../../contracts/provider.ts";
import { filterValuesIn, saysUnknown, testsOf } from "./filters.ts";

const schema = Type.String();
const filters = {
  color: { schema, matches: (record: { color: string }, value: string) => record.color === value },
  owner_id: {
    schema,
    isId: true as const,
    matches: (record: { owner: string }, value: string) => record.owner === value,
  },
  query: { schema },
  updated_since: { schema, matches: () => true },
};
const passingOn = (...names: string[]) => ({ filters: names }) as unknown as ListImplementation;
const failure = (status: number) => new ProviderFailure(status, {}, Buffer.from(""));

it("a request without filters has none, whatever other parameters it has", () => {
  expect(filterValuesIn({ branch: "main", color: undefined }, filters, passingOn(), "Acme")).toBeUndefined();
});

it("the values of filters are taken as they are, and times in UTC", () => {
  const query = { color: "red", updated_since: "2026-01-01T02:00:00+02:00" };
  expect(filterValuesIn(query, filters, passingOn(), "Acme")).toEqual({
    color: "red",
    updated_since: "2026-01-01T00:00:00.000Z",
  });
});

it("a search is refused by name if the provider has none, and passed on otherwise", () => {
  expect(() => filterValuesIn({ query: "x" }, filters, passingOn("color"), "Acme")).toThrow(
    expect.objectContaining({
      kind: "invalid_input",
      problems: [{ path: ["query", "query"], message: "Acme has no search for this list" }],
    }),
  );
  expect(filterValuesIn({ query: "x" }, filters, passingOn("query"), "Acme")).toEqual({ query: "x" });
});

it("a record has to pass every filter, those without a test aside", () => {
  const tests = testsOf(filters, { color: "red", owner_id: "1", query: "x" });
  const passes = (record: object) => tests.every((test) => test(record));
  expect([
    passes({ color: "red", owner: "1" }),
    passes({ color: "red", owner: "2" }),
    passes({ color: "blue", owner: "1" }),
  ]).toEqual([true, false, false]);
});

it("a refusal of an ID that was passed on means that nothing has it", () => {
  const says = (status: number, values = { owner_id: "7" } as Record<string, string>, names = ["owner_id", "color"]) =>
    saysUnknown(failure(status), filters, values, passingOn(...names));
  expect([400, 404, 422].map((status) => says(status))).toEqual([true, true, true]);
  expect([401, 403, 429, 500].map((status) => says(status))).toEqual([false, false, false, false]);
  expect(says(404, { color: "red" })).toBe(false);
  expect(says(404, { owner_id: "7" }, ["color"])).toBe(false);
  expect(saysUnknown(new Error("x"), filters, { owner_id: "7" }, passingOn("owner_id"))).toBe(false);
});
