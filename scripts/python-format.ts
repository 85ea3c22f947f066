// node scripts/python-format.ts [--check]: formats the Python SDK and its tests, and reports what the linter finds. Ruff
// comes as WebAssembly, so that neither Python nor a download is needed for it.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PositionEncoding, Workspace } from "@astral-sh/ruff-wasm-nodejs";

const root = join(import.meta.dirname, "..");
const ruff = new Workspace(
  {
    "line-length": 120,
    "target-version": "py310",
    // Errors of syntax and style, unused names, order of imports, likely mistakes, outdated syntax.
    lint: { select: ["E", "F", "I", "B", "UP"], ignore: ["E501", "B006", "B008", "B023", "B905"] },
  },
  PositionEncoding.Utf16,
);

export const formatPython = (code: string): string => ruff.format(code);

function main(check: boolean) {
  let problems = 0;
  for (const file of globSync("sdk-python/{src,tests}/**/*.py", { cwd: root }).sort()) {
    const code = readFileSync(join(root, file), "utf8");
    const formatted = formatPython(code);
    if (formatted !== code && check) {
      problems++;
      console.error(`${file} is not formatted: run npm run format`);
    } else if (formatted !== code) writeFileSync(join(root, file), formatted);
    for (const { code: rule, message, start_location } of ruff.check(formatted)) {
      problems++;
      console.error(`${file}:${start_location.row}:${start_location.column} ${rule ?? ""} ${message}`);
    }
  }
  if (problems > 0) process.exitCode = 1;
}

if (import.meta.main) main(process.argv.includes("--check"));
