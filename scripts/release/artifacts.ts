// What a release consists of, made from a copy of a commit, so that nothing else gets into it.
import { hash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { gzipSync } from "node:zlib";
import { buildImage } from "./image.ts";
import { run } from "./run.ts";
import { notesOf, setVersion } from "./version.ts";

export interface Artifacts {
  version: string;
  folder: string;
  /** The file of the npm package `plugboard`. */
  packed: string;
  /** Why there is no image among them. */
  withoutImage: string | undefined;
}

interface Options {
  /** The checkout, with its dependencies installed. */
  root: string;
  commit: string;
  /** Where the artifacts go. What is in it is removed. */
  folder: string;
  /** Written into the copy; without it, the commit keeps its version. */
  version?: string;
  image: boolean;
}

/** Makes everything in `folder`. The same commit and version give the same files, except for the image. */
export async function makeArtifacts(options: Options): Promise<Artifacts> {
  const { root, commit, folder } = options;
  const work = mkdtempSync(join(tmpdir(), "plugboard-release-"));
  try {
    const copy = copyCommit(root, commit, join(work, "plugboard"));
    const seconds = run("git", ["show", "-s", "--format=%ct", commit], root).trim();
    if (options.version) setVersion(copy, options.version, new Date(Number(seconds) * 1000).toISOString().slice(0, 10));
    const { version } = JSON.parse(readFileSync(join(copy, "package.json"), "utf8"));
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });

    const path = [join(copy, "node_modules/.bin"), process.env.PATH].join(delimiter);
    const env = { ...process.env, PATH: path, SOURCE_DATE_EPOCH: seconds };
    const staged = join(work, "package");
    run(process.execPath, ["scripts/release/stage.ts", staged], copy, env);
    for (const packed of [staged, join(copy, "sdk")])
      run("npm", ["pack", "--silent", "--pack-destination", folder], packed, env);
    cpSync(join(staged, "sbom.cdx.json"), join(folder, `plugboard-${version}.cdx.json`));
    packChart(copy, join(folder, `plugboard-chart-${version}.tgz`), seconds);
    writeFileSync(join(folder, "notes.md"), `${notesOf(readFileSync(join(copy, "CHANGELOG.md"), "utf8"), version)}\n`);
    const withoutImage = options.image
      ? buildImage(copy, join(folder, `plugboard-image-${version}.tar`))
      : "not wanted";
    writeChecksums(folder);
    return { version, folder, packed: join(folder, `plugboard-${version}.tgz`), withoutImage };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The files of a commit, with the dependencies of the checkout. */
export function copyCommit(root: string, commit: string, folder: string): string {
  mkdirSync(folder, { recursive: true });
  const archive = `${folder}.tar`;
  run("git", ["archive", "--format=tar", "--output", archive, commit], root);
  run("tar", ["-xf", archive, "-C", folder], root);
  rmSync(archive);
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return folder;
}

/** As `helm package` does, with fixed times and owners. */
function packChart(copy: string, file: string, seconds: string): void {
  const fixed = ["--sort=name", `--mtime=@${seconds}`, "--owner=0", "--group=0", "--numeric-owner"];
  const renamed = "--transform=s,^helm,plugboard,";
  const tar = `${file}.tar`;
  run("tar", [...fixed, renamed, "-cf", tar, "-C", join(copy, "deploy"), "helm"], copy);
  writeFileSync(file, gzipSync(readFileSync(tar), { level: 9 }));
  rmSync(tar);
}

/** In the format of `sha256sum --check`. */
function writeChecksums(folder: string): void {
  const lines = readdirSync(folder)
    .sort()
    .map((file) => `${hash("sha256", readFileSync(join(folder, file)))}  ${file}\n`);
  writeFileSync(join(folder, "SHA256SUMS"), lines.join(""));
}
