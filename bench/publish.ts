// Writes the results of a full run: results.json, and the tables and the chart of docs/performance.md and performance-details.md. Run on its own
// (npm run bench:docs), it regenerates the docs from results.json.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chart } from "./chart.ts";
import { details, summary } from "./report.ts";
import type { Results } from "./results.ts";

const FILE = join(import.meta.dirname, "results.json");
const DOCS = join(import.meta.dirname, "..", "docs");
/** The generated part of a page. */
const BETWEEN_MARKS = /(?<=<!-- bench[^\n]*-->\n)[\s\S]*(?=<!-- \/bench -->)/;

/** A page with the tables of these results. */
export const withTables = (page: string, tables: string) => page.replace(BETWEEN_MARKS, () => tables);

export const pages = { "performance.md": summary, "performance-details.md": details };

export function publish(results: Results): void {
  // Made before anything is written: a failure leaves all files as they were.
  const written = Object.entries(pages).map(([name, tables]) => {
    const page = join(DOCS, name);
    return [page, withTables(readFileSync(page, "utf8"), tables(results))] as const;
  });
  const svg = chart(results);
  writeFileSync(FILE, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(join(DOCS, "performance.svg"), svg);
  for (const [page, text] of written) writeFileSync(page, text);
}

if (import.meta.main) publish(JSON.parse(readFileSync(FILE, "utf8")) as Results);
