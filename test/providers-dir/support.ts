// Folders of providers outside of the repository.
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const fixtures = join(import.meta.dirname, "providers");

/** A temporary folder, far from any node_modules. */
export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), "plugboard-providers-"));
}

export const removeFolder = (folder: string) => rmSync(folder, { recursive: true, force: true });

export function writeFiles(folder: string, files: Record<string, string>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
}

/** Puts the provider "field-notes" into a folder, as it is. */
export const copyProvider = (folder: string): void => cpSync(fixtures, folder, { recursive: true });

/** The same provider in plain JavaScript, with the id "field-notes-js". */
export function copyAsJavaScript(folder: string): void {
  const source = join(fixtures, "field-notes");
  const files = globSync("**/*.ts", { cwd: source }).map((file): [string, string] => [
    `field-notes-js/${file.replace(/ts$/, "js")}`,
    stripTypeScriptTypes(readFileSync(join(source, file), "utf8"))
      .replaceAll('.ts"', '.js"')
      .replace('id: "field-notes"', 'id: "field-notes-js"'),
  ]);
  writeFiles(folder, Object.fromEntries(files));
}
