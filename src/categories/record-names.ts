import type { TProperties } from "typebox";
import type { BoundOperation } from "../contracts/operation.ts";

/**
 * The record that an operation returns, as events name it: `crm.contact`, or `chat.user` for a `ChatUser`. Undefined if it
 * returns a file or the provider's own response.
 */
export function recordName({ category, record }: Pick<BoundOperation, "category" | "record">): string | undefined {
  const { title } = record as { title?: string };
  const words = title?.match(/[A-Z][a-z]*/g)?.map((word) => word.toLowerCase());
  if (!words) return undefined;
  const repeatsCategory = words.length > 1 && [category, category.replace(/s$/, "")].includes(words[0]!);
  return `${category}.${words.slice(repeatsCategory ? 1 : 0).join("_")}`;
}

/** The fields of each record of the table: `crm.contact` has `id`, `name` and so on. */
export function recordFields(operations: readonly BoundOperation[]): Map<string, string[]> {
  return new Map(
    operations.flatMap((operation) => {
      const name = recordName(operation);
      const { properties = {} } = operation.record as { properties?: TProperties };
      return name === undefined ? [] : [[name, Object.keys(properties)] as const];
    }),
  );
}
