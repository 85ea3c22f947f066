// The licenses of the packages that are part of the bundle, which most of them require to be passed on.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { productionPackages } from "./sbom.ts";

export function licenseTexts(root: string): string {
  const sections = productionPackages(root)
    .sort((one, other) => (one.path < other.path ? -1 : 1))
    .map(({ path, name, version }) => {
      const folder = join(root, path);
      const { license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      const [file] = globSync("{license,licence,LICENSE,LICENCE,License}*", { cwd: folder }).sort();
      const text = file ? readFileSync(join(folder, file), "utf8").trim() : `License: ${license}`;
      return `${name} ${version}\n\n${text}\n`;
    });
  const start = "The files in dist contain these packages, under the licenses below.\n";
  return [start, ...sections].join(`\n${"-".repeat(80)}\n\n`);
}
