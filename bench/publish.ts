// Writes what a full run found: results.json, and the tables and the chart of the docs that are made from it. Run by
// itself (npm run bench:docs), it makes the docs anew from the file.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chart } from "./chart.ts";
import { report } from "./report.ts";
import type { Results } from "./results.ts";

const FILE = join(import.meta.dirname, "results.json");
const DOCS = join(import.meta.dirname, "..", "docs");
/** The place of the tables in docs/performance.md. */
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
