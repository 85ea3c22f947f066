import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Fields, Kind } from "./kinds.ts";

const MAX_BYTES = 64 * 1024;
const REFERENCE = /^(env|file):(.*)$/s;

const isReference = (value: unknown): value is string => typeof value === "string" && REFERENCE.test(value);

/** Where values come from, and what they are relative to. */
export interface Sources {
  env: Record<string, string | undefined>;
  folder: string;
}

/** The value that a reference stands for. Throws what is wrong with it. */
function read(reference: string, { env, folder }: Sources): string {
  const [, source, name = ""] = REFERENCE.exec(reference)!;
  if (source === "env") {
    if (!/^[A-Za-z_]\w*$/.test(name)) throw new Error("env: must be followed by the name of an environment variable");
    const value = env[name]?.trim();
    if (!value) throw new Error(`The environment variable ${name} is not set`);
    return value;
  }
  const file = resolve(folder, name);
  try {
    const about = statSync(file);
    if (!about.isFile() || about.size > MAX_BYTES) throw new Error("it is no file of at most 64 kB");
    const value = readFileSync(file, "utf8").trim();
    if (!value) throw new Error("it is empty");
    return value;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`Cannot read the file ${file}: ${code ?? message}`);
  }
}

export interface Resolved {
  entry: Fields;
  /** The fields whose value came from elsewhere, with the reference: such values are never printed. */
  references: Map<string, string>;
}

/** The entry with the values that its references stand for. */
export function resolveReferences(
  { referable = [], secrets = [] }: Kind,
  entry: Fields,
  sources: Sources,
  report: (path: string[], message: string) => void,
): Resolved {
  const references = new Map<string, string>();
  const resolveValue = (path: string[], value: unknown) => {
    if (!isReference(value)) return value;
    references.set(path[0]!, value);
    try {
      return read(value, sources);
    } catch (error) {
      report(path, (error as Error).message);
      // Something that no further check complains about.
      return "unresolved";
    }
  };
  const resolved = { ...entry };
  for (const name of [...secrets, ...referable]) {
    const value = entry[name];
    if (secrets.includes(name) && typeof value === "string" && !isReference(value))
      report([name], `A secret must not be in the file: write ${name}: env:NAME or file:PATH`);
    resolved[name] =
      value !== null && typeof value === "object" && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolveValue([name, key], inner)]))
        : resolveValue([name], value);
    if (resolved[name] === undefined) delete resolved[name];
  }
  return { entry: resolved, references };
}
