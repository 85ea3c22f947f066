// LICENSE, CHANGELOG, CONTRIBUTING and the docs: what they say about the package is true.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const manifest = JSON.parse(read("package.json"));

it("LICENSE is the license that package.json names", () => {
  expect(manifest.license).toBe("MIT");
  expect(read("LICENSE")).toMatch(/^MIT License\n\nCopyright \(c\) \d{4} Plugboard contributors\n/);
});

it("CHANGELOG.md has a section for what is not released yet, and one for the version of package.json", () => {
  const sections = [...read("CHANGELOG.md").matchAll(/^## \[([^\]]+)\]/gm)].map(([, name]) => name);
  expect(sections[0]).toBe("Unreleased");
  expect(sections).toContain(manifest.version);
});

it.each(globSync(["*.md", "docs/**/*.md"], { cwd: root }))("%s names only npm scripts that exist", (page) => {
  const named = [...read(page).matchAll(/\bnpm run ([\w:-]+)/g)].map(([, script]) => script!);
  expect(named.filter((script) => !(script in manifest.scripts))).toEqual([]);
});
