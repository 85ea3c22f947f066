// docs/performance.md and performance-details.md: only what bench/results.json has, and what the benchmark of today measures.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chart } from "../../bench/chart.ts";
import { pages, withTables } from "../../bench/publish.ts";
import { summary } from "../../bench/report.ts";
import type { Results } from "../../bench/results.ts";
import { BARE_MAP, BARE_PROXY, DIRECT, stores } from "../../bench/targets.ts";

const read = (file: string) => readFileSync(join(import.meta.dirname, "../..", file), "utf8");
const results = JSON.parse(read("bench/results.json")) as Results;
const page = read("docs/performance.md");

describe("docs/performance.md", () => {
  it("the pages have the tables and the chart that npm run bench:docs makes", () => {
    for (const [name, tables] of Object.entries(pages)) {
      const written = read(`docs/${name}`);
      expect(withTables(written, tables(results))).toBe(written);
    }
    expect(chart(results)).toBe(read("docs/performance.svg"));
  });

  it("docs/performance.md has no row of a target that the benchmark no longer measures", () => {
    const main = [DIRECT, BARE_PROXY, BARE_MAP, "nginx", "Plugboard Proxy", "Plugboard Unified"];
    const shared = ["Proxy", "Unified"].map((surface) => `Plugboard ${surface}, Postgres and Redis`);
    expect(new Set(results.measured.map(({ target }) => target))).toEqual(new Set([...main, ...shared]));
    const measurable = new RegExp(
      `^(${stores.few}|${stores.atRandom(0)}|${stores.full(0)})$`.replaceAll("0 ", "\\d+ "),
    );
    expect(results.stores.map(({ target }) => target).filter((target) => !measurable.test(target))).toEqual([]);
  });

  it("docs/performance.md says when and on which commit it was measured", () => {
    expect(page).toContain(`${results.quick ? "Quick" : "Full"} run of ${results.date} at commit ${results.commit}.`);
    expect(results.date).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  it("docs/performance.md says which load generator was used, and that the figures of a quick run are of one", () => {
    expect(page).toContain(`load generator ${results.generator};`);
    expect(read("docs/performance-details.md").includes("those of a quick run")).toBe(results.quick);
  });

  it("docs/performance.md can be made from results that lack a target of today: its goal is not measured", () => {
    const old = results.measured[0]!;
    const renamed = {
      ...results,
      stores: [{ ...old, target: "10 connections, 1000000 stored", limit: "10 connections" }],
    };
    expect(summary(renamed)).toMatch(/a full store.*not measured/);
    expect(summary({ ...results, stores: [] })).toMatch(/a full store.*not measured/);
    const { few, full } = stores;
    const today = [
      { ...old, target: few },
      { ...old, target: full(1_000_000), limit: few, ratio: 0.5 },
    ];
    expect(summary({ ...results, stores: today })).toMatch(/a full store.*missed in 1 of 1/);
  });
});
