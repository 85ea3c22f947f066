import type { BoundOperation, Category } from "../contracts/operation.ts";
import { chat } from "./chat.ts";
import { crm } from "./crm.ts";
import { git } from "./git.ts";
import { ticketing } from "./ticketing.ts";

/**
 * The table of operations, by category: routes, documentation, MCP tools and test suites are all made from it. A
 * category's ID is its path segment and the name of the file in which a provider implements it.
 */
export const categories: readonly Category[] = [chat, git, ticketing, crm];

export const operations: readonly BoundOperation[] = categories.flatMap(({ bound }) => bound);
