import type { BoundOperation, Category } from "../contracts/operation.ts";
import { calendar } from "./calendar.ts";
import { chat } from "./chat.ts";
import { crm } from "./crm.ts";
import { drive } from "./drive.ts";
import { git } from "./git.ts";
import { helpdesk } from "./helpdesk.ts";
import { identity } from "./identity.ts";
import { tasks } from "./tasks.ts";
import { ticketing } from "./ticketing.ts";

/**
 * The table of operations, by category: routes, documentation, MCP tools and test suites are all made from it. A
 * category's ID is its path segment and the name of the file in which a provider implements it.
 */
export const categories: readonly Category[] = [identity, chat, git, ticketing, tasks, helpdesk, crm, drive, calendar];

export const categoryTitle = (id: string): string => categories.find((category) => category.id === id)?.title ?? id;

export const operations: readonly BoundOperation[] = categories.flatMap(({ bound }) => bound);
