import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "plugboard-bundle-"));
const source = (name: string) => join(folder, "src", name);

/** Prints where it runs, what lies beside it, and the stack of an error. */
const MAIN = `import { readFileSync } from "node:fs";
import { fail } from "./fail.ts";
const isBundle: boolean = new Error().stack!.includes("/bundle/");
const texts = [new URL("./beside.txt", import.meta.url), import.meta.dirname + "/beside.txt"].map((file) => readFileSync(file, "utf8"));
console.log(isBundle ? "bundle" : "source", texts[0] === texts[1] && texts[0]);
if (process.argv[2] === "fail") fail();
`;
const FAIL = "export function fail(): void {\n  throw new TypeError(/[…𝔸]/u.test('𝔸') ? 'a failure ✅' : '');\n}\n";

beforeAll(() => {
  mkdirSync(join(folder, "node_modules"));
  mkdirSync(join(folder, "src"));
  cpSync(join(root, "bin"), join(folder, "bin"), { recursive: true });
  for (const name of ["rolldown", "@rolldown", "@oxc-project"])
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(source("main.ts"), MAIN);
  writeFileSync(source("fail.ts"), FAIL);
  writeFileSync(source("beside.txt"), "beside");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (command: string, env = {}) =>
  spawnSync(process.execPath, [join(folder, "bin/plugboard.js"), command], { encoding: "utf8", env });

it("Plugboard runs from the bundle that an installation makes, until a source file changes", () => {
  expect(run("start").stdout).toBe("source beside\n");
  expect(run("warm").stdout).toBe("bundle beside\n");
  expect(run("start").stdout).toBe("bundle beside\n");
  utimesSync(source("beside.txt"), new Date(0), new Date(0));
  expect(run("start").stdout).toBe("source beside\n");
  run("warm");
  writeFileSync(source("new.ts"), "");
  expect(run("start").stdout).toBe("source beside\n");
});

it("the stack of an error in the bundle names the function and, with source maps, the line of the source", () => {
  run("warm");
  expect(run("fail").stderr).toMatch(/TypeError: a failure ✅\n\s+at fail \(/);
  const { stderr } = run("fail", { NODE_OPTIONS: "--enable-source-maps" });
  expect(stderr).toContain(`${source("fail.ts")}:2:`);
});
