// Writes the results of a full run: results.json, and the tables and the chart of docs/performance.md. Run on its own
// (npm run bench:docs), it regenerates the docs from results.json.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chart } from "./chart.ts";
import { report } from "./report.ts";
import type { Results } from "./results.ts";

const FILE = join(import.meta.dirname, "results.json");
const DOCS = join(import.meta.dirname, "..", "docs");
/** The generated part of docs/performance.md. */
const BETWEEN_MARKS = /(?<=<!-- bench[^\n]*-->\n)[\s\S]*(?=<!-- \/bench -->)/;

export function publish(results: Results): void {
  writeFileSync(FILE, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(join(DOCS, "performance.svg"), chart(results));
  const page = join(DOCS, "performance.md");
  const text = readFileSync(page, "utf8");
  writeFileSync(
    page,
    text.replace(BETWEEN_MARKS, () => report(results)),
  );
}

if (import.meta.main) publish(JSON.parse(readFileSync(FILE, "utf8")) as Results);
