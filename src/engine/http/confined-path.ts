import { invalidInput } from "../../contracts/fault.ts";
import { pathProblem } from "../../contracts/path-problem.ts";

declare const confined: unique symbol;
/** A path that was checked: it cannot lead out of the base address that it is appended to. */
export type ConfinedPath = string & { readonly [confined]: true };

/** Takes a path exactly as a client wrote it, to be appended to a base address. */
export function confine(path: string): ConfinedPath {
  const problem = pathProblem(path);
  if (problem) throw invalidInput({ path: ["path"], message: problem });
  return path as ConfinedPath;
}
