import type { Category, Operation } from "../contracts/operation.ts";
import type {
  CategoryImplementation,
  ImplementedCategory,
  ListImplementation,
  OneImplementation,
  PageCursor,
  Place,
} from "../contracts/provider.ts";

/**
 * One list of a provider. Body, item, cursor and place are inferred from the functions in the order in which they are
 * written: `places`, `items`, `next`, then `request` and `record`, which use them.
 */
export const list = <Input, ListRecord, Body, Item, Cursor extends PageCursor, ListPlace extends Place>(
  implementation: ListImplementation<Input, ListRecord, Body, Item, Cursor, ListPlace>,
): ListImplementation<Input, ListRecord> => implementation;

/** One record of a provider. */
export const one = <Input, OneRecord, Body>(
  implementation: OneImplementation<Input, OneRecord, Body>,
): OneImplementation<Input, OneRecord> => implementation;

/** A provider's implementation of a category. An operation that is missing is not supported. */
export function implement<Operations extends Record<string, Operation>>(
  category: Category<Operations>,
  operations: CategoryImplementation<Operations>,
): ImplementedCategory {
  return { category: category.id, operations: operations as ImplementedCategory["operations"] };
}
