import { readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { categories as table } from "../categories/index.ts";
import type { Emulator } from "../contracts/emulator.ts";
import type { Evidence } from "../contracts/evidence.ts";
import type { Manifest } from "../contracts/manifest.ts";
import type { ImplementedCategory, Provider } from "../contracts/provider.ts";
import {
  emulatorProblems,
  evidenceProblems,
  implementationProblems,
  isCategory,
  isImplementation,
  manifestProblems,
} from "./check.ts";
import { describeImportError } from "./import-error.ts";
import { provideKit } from "./kit-imports.ts";
import type { FieldProblem } from "./shape.ts";

export interface LoadedProvider {
  provider: Provider;
  emulator: Emulator | undefined;
  evidence: Evidence | undefined;
}

/** The providers of a directory, and what is wrong with them: one line each, which names the file and the field. */
export interface LoadedFolders {
  loaded: LoadedProvider[];
  problems: string[];
}

/** Loads every provider of a directory. If there are problems, none of them is to be used. `isTaken` knows the others. */
export async function loadProviderFolders(directory: string, isTaken: (id: string) => boolean): Promise<LoadedFolders> {
  if (!isFolder(directory)) return { loaded: [], problems: [`${directory} is not a folder`] };
  const problems = new Set<string>();
  const folders = readdirSync(directory)
    .filter((name) => !name.startsWith(".") && name !== "node_modules" && isFolder(join(directory, name)))
    .filter((name) => isProvider(join(directory, name), problems))
    .sort();
  if (folders.length === 0 && problems.size === 0)
    problems.add(
      isProvider(directory, problems)
        ? `${directory} is the folder of a provider: give the folder that contains it`
        : `${directory}: no folder in it has a manifest.ts or manifest.js`,
    );
  const loaded: LoadedProvider[] = [];
  for (const name of folders) loaded.push(await loadProviderFolder(join(directory, name), name, isTaken, problems));
  return { loaded, problems: [...problems] };
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** The modules right in a folder, by their names without an ending. Tests and declarations are none. */
function modulesOf(folder: string): { name: string; file: string }[] {
  return readdirSync(folder).flatMap((file) => {
    const [, name] = /^([^.]+)\.[jt]s$/.exec(file) ?? [];
    return name ? [{ name, file }] : [];
  });
}

function isProvider(folder: string, problems: Set<string>): boolean {
  const names = modulesOf(folder).map(({ name }) => name);
  if (names.includes("manifest")) return true;
  const category = names.find(isCategory);
  if (category) problems.add(`${folder} has a file for ${category}, but no manifest.ts or manifest.js`);
  return false;
}

/** Loads one provider, and adds what is wrong with it to `problems`. */
export async function loadProviderFolder(
  folder: string,
  id: string,
  isTaken: (id: string) => boolean,
  problems: Set<string>,
): Promise<LoadedProvider> {
  const realFolder = realpathSync(folder);
  await provideKit(realFolder);

  /** The default export of a file; undefined if there is a problem. */
  async function load<Exported>(
    file: string,
    check: (exported: unknown) => FieldProblem[],
  ): Promise<Exported | undefined> {
    const path = join(realFolder, file);
    try {
      const { default: exported } = await import(pathToFileURL(path).href);
      const found = check(exported);
      for (const { field, message } of found) problems.add(`${join(folder, file)}: ${field}: ${message}`);
      return found.length > 0 ? undefined : exported;
    } catch (error) {
      problems.add(describeImportError(error, path, realFolder).replaceAll(realFolder, folder));
      return undefined;
    }
  }
  const withExport = (check: (exported: unknown) => FieldProblem[]) => (exported: unknown) =>
    exported === undefined ? [{ field: "the default export", message: "is missing" }] : check(exported);

  const categories: ImplementedCategory[] = [];
  let manifest: Manifest | undefined;
  let evidence: Evidence | undefined;
  const seen = new Map<string, string>();
  for (const { name, file } of modulesOf(folder)) {
    const other = seen.get(name);
    if (other) problems.add(`${folder} has both ${other} and ${file}: keep one`);
    seen.set(name, file);
    if (name === "manifest")
      manifest = await load(
        file,
        withExport((given) => manifestProblems(given, id, isTaken)),
      );
    else if (name === "evidence") evidence = await load(file, withExport(evidenceProblems));
    else {
      // Any other file may be one for a category that has another name.
      const check = (given: unknown) =>
        isCategory(name) || isImplementation(given) ? implementationProblems(given, name) : [];
      const exported = await load<ImplementedCategory>(file, check);
      if (exported && isCategory(name)) categories.push(exported);
    }
  }
  const sandbox = join(folder, "sandbox");
  const emulatorFile = isFolder(sandbox) && modulesOf(sandbox).find(({ name }) => name === "index")?.file;
  if (isFolder(sandbox) && !emulatorFile) problems.add(`${sandbox} has no index.ts or index.js`);
  const emulator = emulatorFile
    ? await load<Emulator>(
        join("sandbox", emulatorFile),
        withExport((given) => emulatorProblems(given, manifest)),
      )
    : undefined;
  const order = ({ category }: ImplementedCategory) => table.findIndex(({ id }) => id === category);
  categories.sort((one, other) => order(one) - order(other));
  return { provider: { manifest: manifest!, categories }, emulator, evidence };
}
