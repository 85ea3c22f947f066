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
  if (!query.has(name)) return null;
  const values = query
    .getAll(name)
    .flatMap((given) => given.split(","))
    .map((value) => value.trim());
  const problems = values
    .filter((value) => !known.includes(value))
    .map((value) => ({ path: ["query", name], message: `has ${value}, which is unknown${suggestion(value, known)}` }));
  if (problems.length > 0) throw invalidInput(...problems);
  return values;
}

const LISTS = ["categories", "tools"];
const PARAMETERS = ["external_id", ...LISTS, "access"];

/** They are limits: one that is ignored would offer everything. */
function assertParameters(query: URLSearchParams): void {
  const problems = [...new Set(query.keys())].flatMap((name) => {
    const path = ["query", name];
    if (!PARAMETERS.includes(name)) {
      const help = suggestion(name, PARAMETERS) || `, which takes ${PARAMETERS.join(", ")}`;
      return { path, message: `is not a parameter of this address${help}` };
    }
    return LISTS.includes(name) || query.getAll(name).length === 1 ? [] : { path, message: "must be given only once" };
  });
  if (problems.length > 0) throw invalidInput(...problems);
}

/** Reads `?categories=`, `?tools=` and `?access=`, which narrow what is offered. */
export function readNarrowing(query: URLSearchParams, tools: readonly Tool[]): Narrowing {
  assertParameters(query);
  const access = query.get("access") ?? "write";
  if (access !== "read" && access !== "write")
    throw invalidInput({ path: ["query", "access"], message: "must be read or write" });
  const listsAll = query.getAll("tools").join() === "all";
  const categories = [...new Set(tools.map(({ operation }) => operation.category))];
  const names = tools.map(({ name }) => name);
  return {
    categories: readList(query, "categories", categories),
    tools: listsAll ? null : readList(query, "tools", names),
    access,
    listsAll,
  };
}
