import { invalidInput } from "../../../contracts/fault.ts";
import type { ToolLimits } from "../../../contracts/tool-packs.ts";
import type { Tool } from "./tools.ts";

export interface Narrowing extends ToolLimits {
  /** Whether all tools are listed, however many they are. */
  listsAll: boolean;
}

function readList(query: URLSearchParams, name: string, known: readonly string[]): string[] | null {
  const given = query.get(name);
  if (given === null) return null;
  const values = given.split(",").map((value) => value.trim());
  const unknown = values.filter((value) => !known.includes(value));
  if (unknown.length > 0)
    throw invalidInput({ path: ["query", name], message: `has ${unknown.join(", ")}, but takes ${known.join(", ")}` });
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
