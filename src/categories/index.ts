import type { BoundOperation, Category } from "../contracts/operation.ts";
import { chat } from "./chat.ts";
import { crm } from "./crm.ts";
import { git } from "./git.ts";
import { ticketing } from "./ticketing.ts";

/**
 * The table of operations, by category: everything that routes, documents, tools and suites are made from. A category's
 * id is its path segment and the name of a provider's file for it.
 */
export const categories: readonly Category[] = [chat, git, ticketing, crm];

export const operations: readonly BoundOperation[] = categories.flatMap(({ bound }) => bound);
