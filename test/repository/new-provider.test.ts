// npm run new:provider, in a copy of the repository: what docs/adding-a-provider.md says about the scaffold.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { categories } from "../../src/categories/index.ts";

const root = join(import.meta.dirname, "../..");
const copy = mkdtempSync(join(tmpdir(), "plugboard-scaffold-"));
/** The example may exist: somebody who follows the docs has created it. */
const LEFT_OUT = /^(node_modules|data|\.git|acme(-\w+)?|broken-desk)$/;
const TIMEOUT_MS = 600_000;

/** Runs a command in the copy, and returns its exit code and everything it printed. */
function run(file: string, ...args: string[]) {
  const { PATH, HOME } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], {
    cwd: copy,
    encoding: "utf8",
    env: {
      PATH,
      HOME,
      NO_COLOR: "1",
      // The scripts load the same files again and again.
      NODE_COMPILE_CACHE: join(copy, ".cache"),
      ...(process.env.CI ? { CI: process.env.CI } : {}),
    },
  });
  return { status, output: stdout + stderr };
}
const bin = (name: string) => join("node_modules", name);
const scaffold = (id: string, category: string, name: string, ...options: string[]) =>
  run("scripts/new-provider.ts", id, category, name, ...options);
const suite = (...args: string[]) => run(bin("vitest/vitest.mjs"), "run", ...args);

beforeAll(() => {
  cpSync(root, copy, {
    recursive: true,
    filter: (source) => !LEFT_OUT.test(basename(source)),
  });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

describe("the scaffold of a provider", () => {
  const others = categories
    .filter(({ bound }) => bound.some(({ kind, parameters }) => kind === "list" && parameters.length === 0))
    .map(({ id }) => id)
    .filter((id) => id !== "ticketing");
  const ids = ["acme", ...others.map((id) => `acme-${id}`)];
  beforeAll(() => {
    // The example of docs/adding-a-provider.md, a provider of every other category, and one that a test breaks.
    for (const id of others)
      expect(scaffold(`acme-${id}`, id, `Acme ${id}`, "--skip-gen")).toMatchObject({ status: 0 });
    expect(scaffold("broken-desk", "ticketing", "Broken Desk", "--skip-gen")).toMatchObject({ status: 0 });
    const example = scaffold("acme", "ticketing", "Acme Desk");
    expect(example).toMatchObject({ status: 0 });
    expect(example.output).toContain("created src/providers/acme");
    expect(example.output).toContain("npm run gen -- acme\n");
  }, TIMEOUT_MS);

  it("the scaffold is the example of docs/adding-a-provider.md", () => {
    const page = readFileSync(join(root, "docs/adding-a-provider.md"), "utf8");
    expect(page).toContain('npm run new:provider -- acme ticketing "Acme Desk"');
    expect(page).toContain("npx vitest run test/conformance -t acme");
  });

  it("the scaffold passes the type check, Biome and gen --check in every category", { timeout: TIMEOUT_MS }, () => {
    const folders = ids.map((id) => `src/providers/${id}`);
    writeFileSync(
      join(copy, "tsconfig.scaffold.json"),
      JSON.stringify({ extends: "./tsconfig.json", include: folders }),
    );
    expect(run(bin("typescript/bin/tsc"), "--noEmit", "-p", "tsconfig.scaffold.json")).toEqual({
      status: 0,
      output: "",
    });
    expect(run(bin("@biomejs/biome/bin/biome"), "check", ...folders)).toMatchObject({ status: 0 });
    expect(run("scripts/gen.ts", "--check")).toEqual({ status: 0, output: "" });
  });

  it("gen --check refuses a page that was changed, is missing, or belongs to no provider", () => {
    const [changed, missing, other] = ["acme", "acme-git", "nobody"].map((id) => join(copy, `docs/providers/${id}.md`));
    const texts = [changed!, missing!].map((page) => readFileSync(page, "utf8"));
    expect(readFileSync(join(copy, "docs/providers/README.md"), "utf8")).toContain("[Acme Desk](acme.md)");
    writeFileSync(changed!, `${texts[0]}Edited by hand.\n`);
    rmSync(missing!);
    writeFileSync(other!, "# Nobody\n");
    const { status, output } = run("scripts/gen.ts", "--check");
    expect(status).toBe(1);
    expect(output).toContain("docs/providers/acme.md is out of date");
    expect(output).toContain("docs/providers/acme-git.md is out of date");
    expect(output).toContain("docs/providers/nobody.md belongs to no provider");
    expect(run("scripts/gen.ts")).toMatchObject({ status: 0 });
    expect([changed!, missing!].map((page) => readFileSync(page, "utf8"))).toEqual(texts);
    expect(existsSync(other!)).toBe(false);
  });

  it("the scaffold passes the conformance suite and breaks no other test, and a field that a mapper leaves out is named", {
    timeout: TIMEOUT_MS,
  }, () => {
    const mapper = join(copy, "src/providers/broken-desk/records.ts");
    const text = readFileSync(mapper, "utf8");
    expect(text).toContain("  title: item.title,\n");
    writeFileSync(mapper, text.replace("  title: item.title,\n", ""));

    // The whole suite for the example and the broken one; for the others, the test of their records.
    const titles = "^(acme|broken-desk) |^acme-.*makes records|architecture|^(docs|sdk)/|README";
    const files = ["test/conformance", "test/repository/architecture", "test/docs/docs-links"];
    // One process loads the service once.
    const options = ["-t", titles, "--maxWorkers=1", "--reporter=json", "--outputFile=results.json"];
    const { output } = suite(...files, ...options);
    const { testResults } = JSON.parse(readFileSync(join(copy, "results.json"), "utf8")) as {
      testResults: { assertionResults: { title: string; status: string; failureMessages: string[] }[] }[];
    };
    const results = testResults.flatMap(({ assertionResults }) => assertionResults);
    const of = (status: string) => results.filter((result) => result.status === status);
    expect(of("passed").length, output).toBeGreaterThan(100);
    const failed = of("failed");
    expect(failed.filter(({ title }) => !title.includes("broken-desk"))).toEqual([]);
    const messages = failed.flatMap(({ failureMessages }) => failureMessages).join("\n");
    expect(messages).toContain("title is required");
    // It was created with --skip-gen, so nothing knows its fields yet.
    expect(messages).toContain("run npm run gen -- broken-desk");
    expect(messages).not.toContain('"Internal Error"');
  });
});
