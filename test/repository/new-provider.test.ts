// The scaffold of a provider, in a copy of the repository: what docs/adding-a-provider.md says about it, for providers
// inside of the repository and outside.
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { run as newProvider } from "../../src/commands/new-provider.ts";
import { typescript } from "../../src/commands/scaffold/language.ts";
import { scaffoldCategories } from "../../src/commands/scaffold/plan.ts";
import { writeProvider } from "../../src/commands/scaffold/write.ts";
import { UsageError } from "../../src/commands/usage.ts";
import { copyAsJavaScript, copyProvider } from "../providers-dir/support.ts";

const root = join(import.meta.dirname, "../..");
const copy = mkdtempSync(join(tmpdir(), "plugboard-scaffold-"));
/** The example may exist: somebody who follows the docs has created it. */
const LEFT_OUT = /^(node_modules|data|\.git|acme(-\w+)?|broken-desk)$/;
const TIMEOUT_MS = 600_000;

interface Result {
  status: number | null;
  output: string;
}

/** Runs a command in the copy, and returns its exit code and everything it printed. */
function run(file: string, ...args: string[]): Promise<Result> {
  const { PATH, HOME, CI } = process.env;
  const child = spawn(process.execPath, [file, ...args], {
    cwd: copy,
    // The scripts load the same files again and again.
    env: { PATH, HOME, NO_COLOR: "1", NODE_COMPILE_CACHE: join(copy, ".cache"), ...(CI ? { CI } : {}) },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (data) => {
      output += data;
    });
  return new Promise((resolve) => child.once("close", (status) => resolve({ status, output })));
}
const bin = (name: string) => join("node_modules", name);
const plugboard = (...args: string[]) => run("bin/plugboard.js", ...args);

const others = scaffoldCategories().filter((id) => id !== "ticketing");
const builtIn = ["acme", ...others.map((id) => `acme-${id}`)];
/** A folder of providers with a path of its own, in the copy so that their types are found. */
const OUTSIDE = "my providers";
const outside = (id: string) => join(OUTSIDE, id);

const breakMapper = (file: string) => {
  const text = readFileSync(join(copy, file), "utf8");
  expect(text).toContain("  title: item.title,\n");
  writeFileSync(join(copy, file), text.replace("  title: item.title,\n", ""));
};

let created: Result[];
let checked: Promise<Result>;
let tested: Promise<Result>;

beforeAll(async () => {
  cpSync(root, copy, { recursive: true, filter: (source) => !LEFT_OUT.test(basename(source)) });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  // A built-in provider of every other category, and the example of the docs.
  const kit = { provider: "../../provider-kit/index.ts", sandbox: "../../../emulator-kit/index.ts" };
  for (const category of others)
    writeProvider({
      id: `acme-${category}`,
      category,
      name: `Acme ${category}`,
      directory: join(copy, "src/providers"),
      language: typescript,
      kit,
    });
  // The same outside of the repository, with one that a test breaks, and those that were written by hand.
  created = await Promise.all([
    run("scripts/new-provider.ts", "acme", "ticketing", "Acme Desk"),
    plugboard("new-provider", "acme-desk", "tasks", "Acme Desk", "--dir", OUTSIDE),
  ]);
  const printed = vi.spyOn(console, "log").mockReturnValue();
  for (const args of [
    ["acme-crm-js", "crm", "Acme CRM", "--js"],
    ["broken-desk", "tasks", "Broken Desk"],
  ])
    await newProvider([...args, "--dir", join(copy, OUTSIDE)]);
  created.push({ status: 0, output: printed.mock.calls.join("\n") });
  printed.mockRestore();
  copyProvider(join(copy, OUTSIDE));
  copyAsJavaScript(join(copy, OUTSIDE));
  // What npm install makes of the folder's package.json.
  mkdirSync(join(copy, outside("node_modules")));
  symlinkSync(copy, join(copy, outside("node_modules/plugboard")));
  writeFileSync(
    join(copy, "tsconfig.scaffold.json"),
    JSON.stringify({
      extends: `./${OUTSIDE}/tsconfig.json`,
      compilerOptions: { noUncheckedIndexedAccess: true },
      include: [...builtIn.map((id) => `src/providers/${id}`), OUTSIDE],
      // The types of the last one were removed.
      exclude: [outside("node_modules"), outside("field-notes-js")],
    }),
  );
  checked = run(bin("typescript/bin/tsc"), "--checkers", "1", "-p", "tsconfig.scaffold.json");
  tested = checked.then(() => {
    breakMapper(join(outside("broken-desk"), "records.ts"));
    // Providers stay where they are when another version of Plugboard is installed.
    const manifest = readFileSync(join(copy, "package.json"), "utf8");
    writeFileSync(join(copy, "package.json"), manifest.replace(/"version": "[^"]+"/, '"version": "99.0.0"'));
    return plugboard(
      "test-provider",
      ...["acme-desk", "acme-crm-js", "field-notes", "field-notes-js", "broken-desk"].map(outside),
    );
  });
}, TIMEOUT_MS);
afterAll(async () => {
  await tested;
  rmSync(copy, { recursive: true, force: true });
});

describe("the scaffold of a provider", () => {
  it("the scaffold is the example of docs/adding-a-provider.md", () => {
    const page = readFileSync(join(root, "docs/adding-a-provider.md"), "utf8");
    expect(page).toContain('npm run new:provider -- acme ticketing "Acme Desk"');
    expect(page).toContain("npx vitest run test/conformance -t acme");
    const [example, desk, further] = created as [Result, Result, Result];
    for (const result of created) expect(result).toMatchObject({ status: 0 });
    expect(example.output).toContain("created src/providers/acme");
    expect(example.output).toContain("npm run gen -- acme\n");
    expect(desk.output).toContain(`npx plugboard test-provider ${outside("acme-desk")}\n`);
    expect(desk.output).toContain(`and in ${OUTSIDE}: AGENTS.md, package.json, tsconfig.json`);
    expect(further.output).toContain("manifest.js, identity.js, records.js, crm.js, writes.js, sandbox/index.js");
    expect(further.output).not.toContain("AGENTS.md,");
  });

  it("a scaffold is refused if its folder exists, its category does not, or its id is taken", async () => {
    const directory = ["--dir", join(copy, OUTSIDE)];
    const refusals: [string[], string][] = [
      [["acme-desk", "tasks", "Again", ...directory], "acme-desk already exists"],
      [["acme-mail", "mail", "Mail", ...directory], '"mail" must be one of chat, git, ticketing, tasks'],
      [["github", "git", "Mine", ...directory], 'there is already a provider "github"'],
      [["airtable", "crm", "Mine", ...directory], 'there is already a provider "airtable"'],
      [["Acme", "tasks", "Capital", ...directory], '"Acme" must be lower-case letters'],
      [["acme-nowhere", "tasks", "Nowhere"], "needs --dir FOLDER, or PROVIDERS_DIR"],
      [["acme-nothing"], 'needs <id> <category> "<Name>"'],
    ];
    for (const [args, message] of refusals) {
      const refused = newProvider(args);
      await expect(refused).rejects.toThrow(message);
      await expect(refused).rejects.toBeInstanceOf(UsageError);
    }
  });

  it("after the scaffold, gen --check refuses nothing but a page that was changed, is missing, or belongs to no provider", async () => {
    const [changed, missing, other] = ["acme", "acme-git", "nobody"].map((id) => join(copy, `docs/providers/${id}.md`));
    const texts = [changed!, missing!].map((page) => readFileSync(page, "utf8"));
    expect(readFileSync(join(copy, "docs/providers/README.md"), "utf8")).toContain("[Acme Desk](acme.md)");
    writeFileSync(changed!, `${texts[0]}Edited by hand.\n`);
    rmSync(missing!);
    writeFileSync(other!, "# Nobody\n");
    expect(await run("scripts/gen.ts", "--check")).toEqual({
      status: 1,
      output: [
        "docs/providers/acme.md is out of date: run npm run gen\n",
        "docs/providers/acme-git.md is out of date: run npm run gen\n",
        "docs/providers/nobody.md belongs to no provider: run npm run gen\n",
      ].join(""),
    });
    expect(await run("scripts/gen.ts")).toMatchObject({ status: 0 });
    expect([changed!, missing!].map((page) => readFileSync(page, "utf8"))).toEqual(texts);
    expect(existsSync(other!)).toBe(false);
  });

  it("the scaffold passes the type check and Biome in every category, inside and outside of the repository", {
    timeout: TIMEOUT_MS,
  }, async () => {
    expect(await checked).toEqual({ status: 0, output: "" });
    const folders = builtIn.map((id) => `src/providers/${id}`);
    expect(await run(bin("@biomejs/biome/bin/biome"), "check", ...folders)).toMatchObject({ status: 0 });
  });

  // The same templates pass the conformance suite outside: see below.
  it("a built-in scaffold breaks no other test", { timeout: TIMEOUT_MS }, async () => {
    const titles = "architecture|^(docs|sdk)/|README";
    const files = ["test/repository/architecture", "test/docs/docs-links"];
    // One process loads the service once, without Vite: most of the files would be transformed for a few tests.
    const loading = ["--maxWorkers=1", "--experimental.viteModuleRunner=false"];
    const options = ["-t", titles, ...loading, "--reporter=json", "--outputFile=results.json"];
    const { output } = await run(bin("vitest/vitest.mjs"), "run", ...files, ...options);
    const { testResults } = JSON.parse(readFileSync(join(copy, "results.json"), "utf8")) as {
      testResults: { assertionResults: { title: string; status: string }[] }[];
    };
    const results = testResults.flatMap(({ assertionResults }) => assertionResults);
    const of = (status: string) => results.filter((result) => result.status === status);
    expect(of("passed").length, output).toBeGreaterThan(80);
    expect(of("failed")).toEqual([]);
  });

  it("providers outside pass the conformance suite by test-provider, and a field that a mapper leaves out is named", {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { status, output } = await tested;
    expect(status, output).toBe(1);
    for (const id of ["acme-desk", "field-notes", "field-notes-js"])
      expect(output).toMatch(
        new RegExp(
          `✓ ${id}: (\\d+) of \\1 tests passed\\n +identity.getMe, tasks.listTasks, tasks.getTask, tasks.createTask`,
        ),
      );
    expect(output).toMatch(
      /✓ acme-crm-js: (\d+) of \1 tests passed\n +identity.getMe, crm.listContacts, crm.createContact/,
    );
    expect(output).toMatch(/✗ broken-desk: \d+ of \d+ tests passed/);
    expect(output).toContain("✗ broken-desk tasks.listTasks makes records in which no field is missing or wrong\n");
    expect(output).toContain("title is required");
    expect(output.match(/^✗ (?!broken-desk|and )/gm)).toBeNull();
  });
});
