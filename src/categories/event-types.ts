import type { BoundOperation } from "../contracts/operation.ts";

/** What can happen to a record between two reads of a list. */
export const recordChanges = ["created", "updated", "deleted"] as const;
export type RecordChange = (typeof recordChanges)[number];

/** Events about what Plugboard itself holds. */
export const ownEventTypes = [
  "connection.created",
  "connection.updated",
  "connection.deleted",
  "connection.invalid",
  "connection.recovered",
  "subscription.failed",
  "webhook.disabled",
] as const;

export const singular = (plural: string) =>
  plural
    .replace(/ies$/, "y")
    .replace(/(ch|sh|x|ss)es$/, "$1")
    .replace(/s$/, "");

/** The record that an operation lists, as events name it: `git.pull_request` for `git.listPullRequests`. */
function recordOf({ category, name }: Pick<BoundOperation, "category" | "name">): string {
  const words = name.replace(/^list/, "").match(/[A-Z][a-z]*/g) ?? [name];
  return `${category}.${singular(words.join("_").toLowerCase())}`;
}

/** The event for a change in what a list operation returns: `git.pull_request.updated`. */
export const recordEventType = (operation: Pick<BoundOperation, "category" | "name">, change: RecordChange): string =>
  `${recordOf(operation)}.${change}`;

/** Every type of event that can be subscribed to. */
export function eventTypes(operations: readonly BoundOperation[]): string[] {
  const lists = operations.filter(({ kind }) => kind === "list");
  const records = lists.flatMap((operation) => recordChanges.map((change) => recordEventType(operation, change)));
  return [...ownEventTypes, ...new Set(records)];
}
