import { readFileSync } from "node:fs";
import type { Variable } from "./define.ts";

export type Environment = Record<string, string | undefined>;

/** Other programs read these in lower case as well, and prefer that. */
const LOWER_CASE = ["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"];

/** The variable whose value is in a file. */
const fileVariable = (name: string) => `${name}_FILE`;

/** What a value was given by, for errors. */
export const givenBy = (env: Environment, name: string): string =>
  env[fileVariable(name)]?.trim() ? fileVariable(name) : name;

/** All names that are read for these variables. */
export const namesOf = (variables: Record<string, Variable<unknown>>): string[] => [
  ...Object.entries(variables).flatMap(([name, { secret }]) => (secret ? [name, fileVariable(name)] : [name])),
  ...LOWER_CASE.map((name) => name.toLowerCase()),
];

function readSecretFile(name: string, file: string, problems: string[]): string | undefined {
  try {
    const text = readFileSync(file, "utf8").trim();
    if (text === "") problems.push(`${name}: the file is empty: ${file}`);
    return text || undefined;
  } catch (error) {
    problems.push(`${name}: cannot read the file ${file}: ${(error as NodeJS.ErrnoException).code}`);
    return undefined;
  }
}

/** The environment with the values of secrets that are in files. */
export function resolveEnvironment(
  env: Environment,
  variables: Record<string, Variable<unknown>>,
  problems: string[],
): Environment {
  const resolved = { ...env };
  for (const name of LOWER_CASE) resolved[name] = env[name.toLowerCase()]?.trim() || env[name];
  for (const [name, { secret }] of Object.entries(variables)) {
    const file = secret ? env[fileVariable(name)]?.trim() : undefined;
    if (!file) continue;
    if (resolved[name]?.trim()) problems.push(`${fileVariable(name)}: must not be set together with ${name}`);
    else resolved[name] = readSecretFile(fileVariable(name), file, problems);
  }
  return resolved;
}
