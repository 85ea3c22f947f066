/** Which tools of Unified MCP somebody gets. Null for all. */
export interface ToolLimits {
  categories: readonly string[] | null;
  /** By name, such as `crm_list_contacts`. */
  tools: readonly string[] | null;
  access: "read" | "write";
}

/** Limits with a name, which are given to API keys and to the grants of MCP clients. */
export interface ToolPack extends ToolLimits {
  id: string;
  name: string;
  categories: string[] | null;
  tools: string[] | null;
  /** Fields of records that are never shown, such as `crm.contact.email`. */
  hide: string[];
}

export interface StoredToolPack extends ToolPack {
  workspace_id: string;
  created_at: string;
  updated_at: string;
}

/** How many tool packs a workspace can have. */
export const MAX_TOOL_PACKS = 200;

export interface LimitedTool {
  category: string;
  name: string;
  isWrite: boolean;
}

/** Whether every one of the limits allows it: another one never adds a tool. */
export const allowsTool = (limits: readonly ToolLimits[], { category, name, isWrite }: LimitedTool): boolean =>
  limits.every(
    ({ categories, tools, access }) =>
      (categories === null || categories.includes(category)) &&
      (tools === null || tools.includes(name)) &&
      (access === "write" || !isWrite),
  );

/** The fields of a record such as `crm.contact` that at least one of the packs hides. */
export function hiddenFields(packs: readonly Pick<ToolPack, "hide">[], record: string): ReadonlySet<string> {
  const prefix = `${record}.`;
  const hidden = packs.flatMap(({ hide }) => hide).filter((field) => field.startsWith(prefix));
  return new Set(hidden.map((field) => field.slice(prefix.length)));
}
