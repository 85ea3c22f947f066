// npm run release -- VERSION         sets the version everywhere, commits, tags, and makes the artifacts in `release`
// npm run release -- VERSION --dry   makes the same artifacts from a copy, and changes nothing else
// npm run release -- --build         makes the artifacts of the current commit: what the workflow of a tag does
// See docs/releasing.md.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { makeArtifacts } from "./release/artifacts.ts";
import { describeFigures, measurePackage } from "./release/figures.ts";
import { run } from "./release/run.ts";
import { checkVersion, PLACES, setVersion } from "./release/version.ts";

const root = join(import.meta.dirname, "..");
const git = (...args: string[]) => run("git", args, root).trim();

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { dry: { type: "boolean" }, build: { type: "boolean" }, "no-image": { type: "boolean" } },
});
const [version, ...others] = positionals;
if (others.length > 0 || (version === undefined) !== Boolean(values.build)) {
  console.error("release needs a version, or --build: npm run release -- 1.0.0 --dry");
  process.exit(2);
}

try {
  await release();
} catch (error) {
  const { message, stderr } = error as Error & { stderr?: string };
  console.error(`release: ${message}${stderr ? `\n${stderr}` : ""}`);
  process.exit(1);
}

async function release(): Promise<void> {
  const isClean = git("status", "--porcelain") === "";
  if (version) {
    checkVersion(version, JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version);
    if (git("tag", "--list", `v${version}`)) throw new Error(`the tag v${version} exists already`);
  }
  if (!isClean && !values.dry) throw new Error("there are uncommitted changes: commit them, or try it with --dry");
  if (!isClean) console.log("Uncommitted changes are not part of it.");
  if (version && !values.dry) tag(version);

  const folder = join(root, "release");
  const copied = version && values.dry ? { version } : {};
  const made = await makeArtifacts({ root, commit: "HEAD", folder, image: !values["no-image"], ...copied });
  console.log(run("sha256sum", ["--check", "SHA256SUMS"], folder));
  if (made.withoutImage)
    console.log(`No image: ${made.withoutImage}. npm run image:check runs the steps of the Dockerfile.\n`);
  console.log(describeFigures(await measurePackage(made.packed)));
  if (version && !values.dry) console.log(`To publish it: git push origin HEAD v${version}`);
}

function tag(next: string): void {
  setVersion(root, next, new Date().toISOString().slice(0, 10));
  git("add", "CHANGELOG.md", ...PLACES.map(({ file }) => file));
  git("commit", "--quiet", "--message", `Release ${next}`);
  git("tag", "--annotate", `v${next}`, "--message", `Plugboard ${next}`);
}
