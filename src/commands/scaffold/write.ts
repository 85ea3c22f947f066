import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isProviderId } from "../../provider-folders/check.ts";
import { UsageError } from "../usage.ts";
import { type ScaffoldOptions, scaffoldFiles } from "./files.ts";
import { planOf, scaffoldCategories } from "./plan.ts";

interface NewProvider extends Omit<ScaffoldOptions, "plan"> {
  category: string;
  /** The folder in which that of the provider is created. */
  directory: string;
}

/** Creates the folder of a provider that works as it is, for a made-up API, and returns the names of its files. */
export function writeProvider({ category, directory, ...options }: NewProvider): string[] {
  const { id } = options;
  if (!isProviderId(id)) throw new UsageError(`"${id}" must be lower-case letters, digits and hyphens`);
  const plan = planOf(category);
  if (!plan) throw new UsageError(`"${category}" must be one of ${scaffoldCategories().join(", ")}`);
  const folder = join(directory, id);
  if (existsSync(folder)) throw new UsageError(`${folder} already exists`);
  const files = scaffoldFiles({ ...options, plan });
  mkdirSync(join(folder, "sandbox"), { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  return Object.keys(files);
}

/** Writes files that do not exist yet, and returns their names. */
export function writeMissing(directory: string, files: Record<string, string>): string[] {
  const missing = Object.entries(files).filter(([file]) => !existsSync(join(directory, file)));
  for (const [file, text] of missing) {
    mkdirSync(dirname(join(directory, file)), { recursive: true });
    writeFileSync(join(directory, file), text);
  }
  return missing.map(([file]) => file);
}
