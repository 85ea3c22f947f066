import { invalidInput } from "../../../contracts/fault.ts";
import type { ToolLimits } from "../../../contracts/tool-packs.ts";
import { likelyName } from "../../../runtime/likely-name.ts";
import type { Tool } from "./tools.ts";

export interface Narrowing extends ToolLimits {
  /** Whether all tools are listed, however many they are. */
  listsAll: boolean;
}

function suggestion(value: string, known: readonly string[]): string {
  const likely = likelyName(value, known);
  return likely === undefined ? "" : `: did you mean ${likely}?`;
}

function readList(query: URLSearchParams, name: string, known: readonly string[]): string[] | null {
  const given = query.get(name);
  if (given === null) return null;
  const values = given.split(",").map((value) => value.trim());
  const problems = values
    .filter((value) => !known.includes(value))
    .map((value) => ({ path: ["query", name], message: `has ${value}, which is unknown${suggestion(value, known)}` }));
  if (problems.length > 0) throw invalidInput(...problems);
  return values;
}

/** Reads `?categories=`, `?tools=` and `?access=`, which narrow what is offered. */
export function readNarrowing(query: URLSearchParams, tools: readonly Tool[]): Narrowing {
  const access = query.get("access") ?? "write";
  if (access !== "read" && access !== "write")
    throw invalidInput({ path: ["query", "access"], message: "must be read or write" });
  const listsAll = query.get("tools") === "all";
  const categories = [...new Set(tools.map(({ operation }) => operation.category))];
  const names = tools.map(({ name }) => name);
  return {
    categories: readList(query, "categories", categories),
    tools: listsAll ? null : readList(query, "tools", names),
    access,
    listsAll,
  };
}
