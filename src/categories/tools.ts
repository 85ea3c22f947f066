import { type BoundOperation, isWrite } from "../contracts/operation.ts";
import type { LimitedTool } from "../contracts/tool-packs.ts";

/** The tool of an operation in Unified MCP: `git_list_issues` for `git.listIssues`. */
export const toolName = ({ category, name }: Pick<BoundOperation, "category" | "name">): string =>
  `${category}_${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;

/** A file is neither an argument nor an answer for a model. */
export const isTool = ({ kind }: Pick<BoundOperation, "kind">): boolean => kind !== "download" && kind !== "upload";

export const toLimitedTool = (operation: Pick<BoundOperation, "category" | "name" | "kind">): LimitedTool => ({
  category: operation.category,
  name: toolName(operation),
  isWrite: isWrite(operation.kind),
});
