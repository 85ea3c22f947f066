// The places that have the version, and the section of the changelog.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const VERSION = /^(\d+)\.(\d+)\.(\d+)(?:-[0-9A-Za-z.-]+)?$/;

/** Each file with the version, and the text around it. */
export const PLACES: readonly { file: string; pattern: RegExp }[] = [
  { file: "package.json", pattern: /(\n {2}"version": ")([^"]+)(",)/g },
  { file: "package-lock.json", pattern: /("name": "plugboard",\n +"version": ")([^"]+)(")/g },
  { file: "sdk/package.json", pattern: /(\n {2}"version": ")([^"]+)(",)/g },
  { file: "sdk/README.md", pattern: /(plugboard-sdk-)(\d[^\s]*)(\.tgz)/g },
  { file: "deploy/kubernetes/deployment.yaml", pattern: /(\bimage: registry\.example\.com\/plugboard:)(\S+)()/g },
  { file: "deploy/helm/Chart.yaml", pattern: /(\n(?:appVersion|version): "?)([^"\s]+)("?\n)/g },
];

/** The versions that a file has now. */
export function versionsIn(root: string, { file, pattern }: (typeof PLACES)[number]): string[] {
  return [...readFileSync(join(root, file), "utf8").matchAll(pattern)].map(([, , version]) => version!);
}

/** Throws unless `next` is a version, and newer than `current`. */
export function checkVersion(next: string, current: string): void {
  const parts = VERSION.exec(next);
  if (!parts) throw new Error(`"${next}" is not a version: give one such as 1.0.0 or 1.1.0-rc.1`);
  const [, ...numbers] = parts;
  const [, ...before] = VERSION.exec(current)!;
  const difference = numbers.map((number, index) => Number(number) - Number(before[index])).find(Boolean) ?? 0;
  if (difference < 0 || (difference === 0 && !current.includes("-")))
    throw new Error(`${next} is not newer than ${current}, the version of package.json`);
}

/** Writes the version everywhere, and makes what is unreleased in the changelog the section of this version. */
export function setVersion(root: string, version: string, day: string): void {
  for (const { file, pattern } of PLACES) {
    const path = join(root, file);
    const text = readFileSync(path, "utf8");
    if (text.search(pattern) < 0) throw new Error(`${file} has no version in the place where it should be`);
    writeFileSync(path, text.replace(pattern, `$1${version}$3`));
  }
  const path = join(root, "CHANGELOG.md");
  writeFileSync(path, releaseChangelog(readFileSync(path, "utf8"), version, day));
}

const UNRELEASED = "## [Unreleased]\n";

/** The changelog with a section for the version. */
export function releaseChangelog(changelog: string, version: string, day: string): string {
  if (notesOf(changelog, "Unreleased") === "")
    throw new Error("CHANGELOG.md has nothing under [Unreleased]: write down what this version changes");
  if (changelog.includes(`## [${version}]`)) throw new Error(`CHANGELOG.md already has a section [${version}]`);
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n## [${version}] - ${day}\n`);
}

/** What the changelog says about a version, without the heading. */
export function notesOf(changelog: string, version: string): string {
  const [, section = ""] = changelog.split(`\n## [${version}]`);
  return section
    .split("\n## [")[0]!
    .replace(/^.*\n?/, "")
    .trim();
}
