import { categoryTitle } from "../../../categories/index.ts";
import type { ToolPack } from "../../../contracts/tool-packs.ts";

const MAX_LISTED = 20;

const listed = (names: readonly string[]): string =>
  names.length > MAX_LISTED
    ? `${names.slice(0, MAX_LISTED).join(", ")} and ${names.length - MAX_LISTED} more`
    : names.join(", ");

/** `contact email` for `crm.contact.email`. */
const fieldName = (field: string): string => field.split(".").slice(1).join(" ").replaceAll("_", " ");

/** What a tool pack leaves, for the person who decides about a client. */
export function describeLimits({ access, categories, tools, hide }: ToolPack): string[] {
  return [
    access === "read" ? "It can only read." : undefined,
    categories && `It can only use ${listed(categories.map(categoryTitle))}.`,
    tools && `It has only these tools: ${listed(tools)}.`,
    hide.length > 0 ? `It does not see these fields: ${listed(hide.map(fieldName))}.` : undefined,
  ].filter((limit) => limit != null);
}
