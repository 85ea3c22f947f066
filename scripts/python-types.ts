// node scripts/python-types.ts: checks the types of the Python SDK and of the recipes in its README, and that
// typed_calls.py is accepted and refused as it says. Pyright is an npm package and needs no Python.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readRecipes } from "../test/support/recipes.ts";

const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "plugboard-python-types-"));

try {
  cpSync(join(root, "sdk-python/src/plugboard"), join(folder, "plugboard"), { recursive: true });
  cpSync(join(root, "sdk-python/tests/typed_calls.py"), join(folder, "typed_calls.py"));
  for (const [index, { title, code }] of readRecipes(join(root, "sdk-python/README.md"), "python").entries())
    writeFileSync(join(folder, `recipe_${index}.py`), `# ${title}\n${code}`);
  const settings = {
    typeCheckingMode: "strict",
    pythonVersion: "3.10",
    reportUnnecessaryTypeIgnoreComment: "error",
    // typed_calls.py is not run: the types of typing_extensions are enough, which pyright has.
    reportMissingModuleSource: "none",
  };
  writeFileSync(join(folder, "pyrightconfig.json"), JSON.stringify(settings));
  const pyright = join(root, "node_modules/pyright/index.js");
  const { status, stdout } = spawnSync(process.execPath, [pyright], { cwd: folder, encoding: "utf8" });
  if (status !== 0) console.error(stdout.replaceAll(`${folder}/`, ""));
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
