// What docs/coverage.md promises of the registry as a whole.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { categories } from "../../src/categories/index.ts";
import { isWrite } from "../../src/contracts/operation.ts";
import { providers } from "../../src/providers/registry.gen.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/coverage.md"), "utf8");

it.each(categories.map((category) => [category.id, category] as const))(
  "%s has a provider with every read operation",
  (_, { id, bound }) => {
    const reads = bound.filter(({ kind }) => !isWrite(kind)).map(({ name }) => name);
    const complete = providers.filter(({ categories: own }) =>
      own.some(({ category, operations }) => category === id && reads.every((name) => operations[name])),
    );
    expect(complete.map(({ manifest }) => manifest.id)).not.toEqual([]);
  },
);

it.each(
  categories.flatMap(({ bound }) => bound.filter(({ kind }) => isWrite(kind))).map((one) => [one.id, one] as const),
)("the write %s is served by a provider", (_, { category, name }) => {
  const serving = providers.filter(({ categories: own }) =>
    own.some((implemented) => implemented.category === category && implemented.operations[name]),
  );
  expect(serving.map(({ manifest }) => manifest.id)).not.toEqual([]);
});

it("every provider can say whose account it is", () => {
  const without = providers.filter(({ categories: own }) => !own.some(({ category }) => category === "identity"));
  expect(without.map(({ manifest }) => manifest.id)).toEqual([]);
});

it("docs/coverage.md has every provider", () => {
  for (const { manifest } of providers) expect(page).toContain(`| \`${manifest.id}\` |`);
  expect(providers.length).toBeGreaterThanOrEqual(33);
});
