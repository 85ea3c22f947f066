// The previous release, from the history of the repository.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyCommit } from "../../scripts/release/artifacts.ts";
import { run } from "../../scripts/release/run.ts";
import { VERSION } from "../../src/runtime/version.ts";

const root = join(import.meta.dirname, "../..");
/** 0.1.0 has no tag, because it was not published. */
const FIRST = { version: "0.1.0", commit: "57cdfa48f5e7379b2af512b37a83a2b43bed2300" };

const git = (...args: string[]) => run("git", args, root).trim();

/** The newest release before this version that this commit descends from. */
function findPrevious(): { version: string; commit: string } {
  const tags = git("tag", "--list", "v*", "--merged", "HEAD", "--sort=-version:refname").split("\n").filter(Boolean);
  const newest = tags.find((tag) => tag !== `v${VERSION}` && !tag.includes("-"));
  return newest ? { version: newest.slice(1), commit: newest } : FIRST;
}

function hasHistory(): boolean {
  try {
    return git("rev-parse", "--is-shallow-repository") === "false";
  } catch {
    return false;
  }
}

export interface PreviousRelease {
  version: string;
  launcher: string;
  remove(): void;
}

/**
 * Its sources in a folder, with today's dependencies. In a copy without history, which cannot have them, it warns and
 * returns undefined; with CI=true it throws.
 */
export function previousRelease(): PreviousRelease | undefined {
  if (!hasHistory()) {
    const reason = "the history of the repository is missing. Fetch it: git fetch --unshallow --tags";
    if (process.env.CI === "true") throw new Error(`Upgrades cannot be tested: ${reason}`);
    console.warn(`Upgrades are not tested: ${reason}`);
    return undefined;
  }
  const { version, commit } = findPrevious();
  const folder = mkdtempSync(join(tmpdir(), "plugboard-previous-"));
  const copy = copyCommit(root, commit, join(folder, "plugboard"));
  return {
    version,
    launcher: join(copy, "bin/plugboard.js"),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
