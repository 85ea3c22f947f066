import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { RefusedImport } from "./kit-imports.ts";

/** Where and why a module cannot be loaded, which may be one that the file imports. */
export function describeImportError(error: unknown, file: string, folder: string): string {
  if (!(error instanceof Error)) return `${file}: throws ${String(error)}`;
  if (error instanceof RefusedImport) return error.message;
  const [message] = error.message.split("\n") as [string];
  const [missing, importing] = message.split(" imported from ");
  if (importing) return `${importing}: ${missing}`;
  // Syntax errors begin with their place, the others have it in their stack.
  const places = [...(error.stack ?? "").matchAll(/(?:^|\(|at )(?:file:\/\/)?(\/[^\s()]+\.[jt]s:\d+)/gm)];
  const place =
    places.map(([, path]) => path!).find((path) => path.startsWith(`${folder}/`)) ??
    (error instanceof SyntaxError ? findSyntaxError(file, folder) : undefined);
  const isType = /provider-kit[^']*' does not provide/.test(message);
  return `${place ?? file}: ${message}${isType ? ". A type is imported with `import type`, or `type` before its name" : ""}`;
}

/** Node does not say where JavaScript is invalid, except when it checks a file alone. */
function findSyntaxError(file: string, folder: string): string | undefined {
  const others = globSync("**/*.js", { cwd: folder }).map((path) => join(folder, path));
  for (const path of [file, ...others].filter((one) => one.endsWith(".js"))) {
    const { stderr } = spawnSync(process.execPath, ["--check", "--input-type=module", "-"], {
      input: readFileSync(path),
      encoding: "utf8",
    });
    const [, line] = /^\[stdin\]:(\d+)/.exec(stderr) ?? [];
    if (line) return `${path}:${line}`;
  }
  return undefined;
}
