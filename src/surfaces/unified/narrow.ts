import type { TProperties } from "typebox";
import type { Problem } from "../../contracts/fault.ts";
import type { BoundOperation } from "../../contracts/operation.ts";
import { likelyName } from "../../runtime/likely-name.ts";

type Fields = Record<string, unknown>;

const CUSTOM = "custom.";

/** The names of the fields that a client wants, such as `id,name,custom.tier`. */
export function readFields({ record }: BoundOperation, text: unknown, problems: Problem[]): string[] | undefined {
  if (text === undefined) return undefined;
  const known = Object.keys((record as { properties?: TProperties }).properties ?? {});
  const names = String(text)
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  for (const name of names)
    if (!known.includes(name) && !name.startsWith(CUSTOM)) {
      const likely = likelyName(name, known);
      const hint = likely ? `did you mean ${likely}?` : `there are ${known.join(", ")}, and custom.<name>`;
      problems.push({ path: ["query", "fields"], message: `"${name}" is not a field of the record: ${hint}` });
    }
  if (names.length === 0) problems.push({ path: ["query", "fields"], message: "must name at least one field" });
  return [...new Set(names)];
}

/** The record with only these fields, in this order. A custom field that is not declared is null. */
export function narrow(record: unknown, names: readonly string[]): Fields {
  const values = record as Fields;
  const { custom = {} } = values as { custom?: Fields };
  const some: Fields = {};
  for (const name of names)
    if (!name.startsWith(CUSTOM)) some[name] = values[name];
    else if (!names.includes("custom")) {
      const own = name.slice(CUSTOM.length);
      some.custom = { ...(some.custom as Fields), [own]: Object.hasOwn(custom, own) ? custom[own] : null };
    }
  return some;
}
