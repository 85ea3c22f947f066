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

/** The page with the tables of these results. */
export const withTables = (page: string, results: Results) => page.replace(BETWEEN_MARKS, () => report(results));

export function publish(results: Results): void {
  const page = join(DOCS, "performance.md");
  // Made before anything is written: a failure leaves all files as they were.
  const text = withTables(readFileSync(page, "utf8"), results);
  const svg = chart(results);
  writeFileSync(FILE, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(join(DOCS, "performance.svg"), svg);
  writeFileSync(page, text);
}

if (import.meta.main) publish(JSON.parse(readFileSync(FILE, "utf8")) as Results);
