// What docs/coverage.md promises of the registry as a whole.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { categories } from "../../src/categories/index.ts";
import { isWrite } from "../../src/contracts/operation.ts";
import type { ListImplementation } from "../../src/contracts/provider.ts";
import { providers } from "../../src/providers/registry.gen.ts";

const read = (name: string) => readFileSync(join(import.meta.dirname, "../../docs", name), "utf8");
const page = read("coverage.md");

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

it("every provider with operations can say whose account it is", () => {
  const without = providers.filter(
    ({ categories: own }) => own.length > 0 && !own.some(({ category }) => category === "identity"),
  );
  expect(without.map(({ manifest }) => manifest.id)).toEqual([]);
});

it("docs/coverage.md has every provider", () => {
  for (const { manifest } of providers) expect(page).toContain(`| \`${manifest.id}\` |`);
  expect(providers.length).toBeGreaterThanOrEqual(33);
});

it("docs/unified.md says why a list that could be searched cannot be", () => {
  const searchable = categories.flatMap(({ bound }) => bound.filter(({ filters }) => filters && "query" in filters));
  const without = providers.flatMap(({ manifest, categories: own }) =>
    searchable.flatMap(({ category, name, path }) => {
      const list = own.find((one) => one.category === category)?.operations[name] as ListImplementation | undefined;
      return list && !list.filters?.includes("query")
        ? [`${manifest.name} ${category}${path.replace(/:(\w+)/g, "{$1}")}`]
        : [];
    }),
  );
  const rows = [...read("unified.md").matchAll(/^\| ([^|`]+) \| `([^`]+)` \| [A-Z][^|]+\. \|$/gm)];
  expect(rows.map(([, provider, list]) => `${provider} ${list}`).sort()).toEqual(without.sort());
});
