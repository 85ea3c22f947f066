import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import {
  checkVersion,
  notesOf,
  PLACES,
  releaseChangelog,
  setVersion,
  versionsIn,
} from "../../scripts/release/version.ts";
import { VERSION } from "../../src/runtime/version.ts";

const root = join(import.meta.dirname, "../..");

it.each(PLACES)("$file has the version of package.json", (place) => {
  const versions = versionsIn(root, place);
  expect(versions.length).toBeGreaterThan(0);
  expect(new Set(versions)).toEqual(new Set([VERSION]));
});

it("a release sets the version in every place, and gives the changelog a section", () => {
  const folder = mkdtempSync(join(tmpdir(), "plugboard-version-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const file of [...PLACES.map((place) => place.file), "CHANGELOG.md"]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
  const before = readFileSync(join(root, "package-lock.json"), "utf8").split("\n");
  setVersion(folder, "99.1.0", "2030-01-02");
  for (const place of PLACES) expect(new Set(versionsIn(folder, place))).toEqual(new Set(["99.1.0"]));
  const after = readFileSync(join(folder, "package-lock.json"), "utf8").split("\n");
  expect(after.filter((line, index) => line !== before[index])).toHaveLength(2);
  expect(readFileSync(join(folder, "CHANGELOG.md"), "utf8")).toContain("## [Unreleased]\n\n## [99.1.0] - 2030-01-02\n");
});

it("the notes of a release are its section of the changelog, and a release without any is refused", () => {
  const changelog = "# Changelog\n\n## [Unreleased]\n\n- new\n\n## [1.0.0] - 2030-01-01\n\n- first\n";
  const released = releaseChangelog(changelog, "1.1.0", "2030-02-01");
  expect(notesOf(released, "1.1.0")).toBe("- new");
  expect(notesOf(released, "1.0.0")).toBe("- first");
  expect(() => releaseChangelog(released, "1.2.0", "2030-03-01")).toThrow("nothing under [Unreleased]");
  expect(() => releaseChangelog(changelog, "1.0.0", "2030-03-01")).toThrow("already has a section [1.0.0]");
});

it.each([
  ["1.0", "0.1.0", "is not a version"],
  ["v1.0.0", "0.1.0", "is not a version"],
  ["0.1.0", "0.1.0", "is not newer"],
  ["0.9.9", "1.0.0", "is not newer"],
  ["1.0.0", "0.9.0", undefined],
  ["1.0.0-rc.1", "0.9.0", undefined],
  ["1.0.0", "1.0.0-rc.1", undefined],
])("the version %s after %s", (next, current, problem) => {
  const check = () => checkVersion(next, current);
  if (problem) expect(check).toThrow(problem);
  else expect(check).not.toThrow();
});
