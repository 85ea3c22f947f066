import { recordFields } from "../../categories/record-names.ts";
import { isTool, toLimitedTool } from "../../categories/tools.ts";
import { invalidInput } from "../../contracts/fault.ts";
import type { BoundOperation } from "../../contracts/operation.ts";
import { allowsTool, type ToolPack } from "../../contracts/tool-packs.ts";
import { likelyName } from "../../runtime/likely-name.ts";

type CheckedPack = Omit<ToolPack, "id" | "name">;

/** A check of the names in tool packs by the table of operations. */
export function createToolPackCheck(operations: readonly BoundOperation[]): (pack: CheckedPack) => void {
  const tools = new Map(
    operations
      .filter(isTool)
      .map(toLimitedTool)
      .map((tool) => [tool.name, tool]),
  );
  const categories = new Set([...tools.values()].map(({ category }) => category));
  const fields = new Set(
    [...recordFields(operations)].flatMap(([record, own]) => own.map((name) => `${record}.${name}`)),
  );

  const problemOf = {
    categories: (name: string) =>
      categories.has(name)
        ? undefined
        : unknown("category", name, categories, `there are ${[...categories].join(", ")}`),

    tools(name: string, pack: CheckedPack) {
      const tool = tools.get(name);
      if (!tool) return unknown("tool", name, tools.keys(), "tools are named like crm_list_contacts");
      if (allowsTool([{ ...pack, tools: null }], tool)) return undefined;
      return tool.isWrite && pack.access === "read"
        ? `The tool ${name} writes, and the access is read`
        : `The tool ${name} is of the category ${tool.category}, which is not among the categories`;
    },

    hide: (name: string) =>
      fields.has(name) ? undefined : unknown("field", name, fields, "fields are named like crm.contact.email"),
  };

  return (pack) => {
    const problems = (["categories", "tools", "hide"] as const).flatMap((field) =>
      (pack[field] ?? []).flatMap((name) => {
        const message = problemOf[field](name, pack);
        return message === undefined ? [] : [{ path: [field], message }];
      }),
    );
    if (problems.length > 0) throw invalidInput(...problems);
  };
}

function unknown(kind: string, name: string, known: Iterable<string>, otherwise: string): string {
  const likely = likelyName(name, known);
  return `There is no ${kind} ${name}${likely === undefined ? `; ${otherwise}` : `: did you mean ${likely}?`}`;
}
